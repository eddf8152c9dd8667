import { type AgentServer, NotFound } from "../../sdk";
import { known, Unknown } from "../arguments/decode";
import type { Problem } from "../arguments/problems";
import type { Context } from "../resource/context";
import { previewSignal } from "../resource/define-lifecycle";
import { addressOf, type OnAgentServer, serverOf } from "./server";

/** The agent server of a check; undefined while its address or its key is not known. */
export function serverToAsk(declared: OnAgentServer, context: Context): AgentServer | undefined {
  const isKnown = addressOf(declared) !== "" && declared.apiKey !== Unknown;
  return isKnown ? serverOf(declared, context) : undefined;
}

/** The declared state of a resource whose graph its server must have. */
interface OfGraph extends OnAgentServer {
  readonly graphId: string | Unknown | undefined;
}

/**
 * The problem of a new graph that the server does not have, in its own words: it would refuse the create or update. None where
 * this run may give the deployment another revision, which may bring the graph.
 */
export async function graphProblems(
  server: AgentServer,
  olds: OfGraph,
  news: OfGraph,
  { processCache: { graphRefusals, owners, revisedUrls } }: Context,
): Promise<Problem[]> {
  const graph = known(news.graphId);
  const address = addressOf(news);
  const isSame = graph === olds.graphId && address === addressOf(olds);
  const owned = known(news.deploymentId);
  // The native provider has a process for each explicit one, and only one of them sees the deployment's change.
  const isElsewhere = owned !== undefined && owners.otherOwner(owned) === undefined;
  if (graph === undefined || isSame || isElsewhere || revisedUrls.has(address)) return [];
  const key = JSON.stringify([address, known(news.apiKey), graph]);
  const asked = graphRefusals.get(key) ?? refusalOf(server, graph);
  graphRefusals.set(key, asked);
  const refusal = await asked;
  const reason = `is refused by the agent server: ${refusal}`;
  return refusal === undefined ? [] : [{ property: "graphId", reason }];
}

async function refusalOf({ assistants }: AgentServer, graph: string): Promise<string | undefined> {
  try {
    await assistants.count({ graph_id: graph }, { signal: previewSignal() });
  } catch (error) {
    // A gateway without its server says 404 too.
    if (error instanceof NotFound && error.detail.includes(`'${graph}'`)) return error.detail;
  }
  return undefined;
}

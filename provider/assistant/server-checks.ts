import { z, type ZodType } from "zod";
import { defaultAssistantId } from "../../sdk/schema";
import { isRecord } from "../../shared/records";
import { graphProblems, serverToAsk } from "../agent-server/preview";
import { addressOf, serverOf } from "../agent-server/server";
import { known } from "../arguments/decode";
import type { Problem } from "../arguments/problems";
import { hasUnknown, type Props, sameValue } from "../arguments/props";
import { runsProblems } from "../gate/gate";
import type { Context } from "../resource/context";
import { previewSignal, type RemoteCheck } from "../resource/define-lifecycle";
import { assistantArguments, type Declared } from "./diff";

/** What the server would refuse where a new context or gate has it asked anyway: runs, and a graph. */
export const serverRefusals: RemoteCheck<Problem> = async (olds, inputs, context) => {
  const news = assistantArguments.decode(inputs);
  const isAsked =
    !isSame(["gate", "deploymentUrl"], olds, inputs) && known(news.gate) !== undefined;
  const server = serverToAsk(news, context);
  if (server === undefined || !(isAsked || isNewContext(olds, inputs))) return [];
  return [
    ...(isAsked ? await runsProblems(server, "gate") : []),
    ...(await graphProblems(server, assistantArguments.decode(olds), news, context)),
  ];
};

/**
 * Members of a new context that do not fit the schema that its graph declares. No server checks that: a wrong value fails
 * only in a run. Nothing where the server can't say.
 */
export const schemaWarnings: RemoteCheck<string> = async (olds, inputs, context) => {
  const news = assistantArguments.decode(inputs);
  const graph = known(news.graphId);
  const isKnown = graph !== undefined && serverToAsk(news, context) !== undefined;
  if (!isKnown || !isNewContext(olds, inputs)) return [];
  try {
    const type = await sharedType(news, graph, context);
    const issues = type?.safeParse(inputs["context"]).error?.issues ?? [];
    return issues.map(
      ({ path, message }) =>
        `${["context", ...path].join(".")} does not fit the context_schema of graph '${graph}': ${message}`,
    );
  } catch {
    // The server is not there yet, has no such graph, or can't turn its types into a schema.
    return [];
  }
};

function isSame(names: readonly string[], olds: Props, inputs: Props): boolean {
  return names.every((name) => sameValue(olds[name], inputs[name]));
}

function isNewContext(olds: Props, inputs: Props): boolean {
  const { context } = inputs;
  return isRecord(context) && !hasUnknown(context) && !isSame(["context", "graphId"], olds, inputs);
}

/** All assistants of a graph share one request, also one that failed: a server that is slow is slow for each. */
function sharedType(news: Declared, graph: string, context: Context): Promise<ZodType | undefined> {
  const { contextTypes } = context.processCache;
  const key = JSON.stringify([addressOf(news), known(news.apiKey), graph]);
  const asked = contextTypes.get(key) ?? contextType(news, graph, context);
  contextTypes.set(key, asked);
  return asked;
}

async function contextType(
  news: Declared,
  graph: string,
  context: Context,
): Promise<ZodType | undefined> {
  const { assistants } = serverOf(news, context);
  // The JavaScript server needs many seconds where a graph is not in TypeScript.
  const signal = previewSignal();
  const { context_schema } = await assistants.schemas(defaultAssistantId(graph), { signal });
  return context_schema ? z.fromJSONSchema(context_schema) : undefined;
}

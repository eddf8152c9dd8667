import type { AgentServer } from "../../sdk";
import { deploymentOf, deploymentServing, isAbandoned } from "../agent-server/deployment";
import { addressNeeded, parseImportId } from "../agent-server/import-id";
import { addressOf, importServerOf, serverOf } from "../agent-server/server";
import type { Context } from "../kind/context";
import type { Found as Read } from "../kind/define-lifecycle";
import { isTaken } from "../kind/find";
import { membersOf, present } from "../arguments/props";
import { withObservedVersion } from "./active-version";
import { assistantArguments, type Declared } from "./diff";
import { findAssistant, findRecordedAssistant, type Found } from "./server";
import { allInputs, ENDPOINT, NOUN, toOutputs } from "./values";

/** Reads an assistant with what its server has otherwise; by its URL for an import. */
export async function readAssistant(
  id: string,
  olds: Declared,
  context: Context,
): Promise<Read | undefined> {
  const place = parseImportId(id, ENDPOINT);
  if (place !== undefined) {
    const { deploymentUrl, id: own } = place;
    const deploymentId = await deploymentServing(deploymentUrl, context);
    const at = assistantArguments.decode({ deploymentId, ...olds.props, deploymentUrl });
    const server = importServerOf(at, context);
    const { inputs, outs } = await readUndeclared(server, own, at);
    return { id: own, inputs, outs: { ...deploymentOf(at, context), ...outs } };
  }
  if (addressOf(olds) === "")
    throw addressNeeded(NOUN, ENDPOINT, id, "a program reads it with Assistant.get");
  const server = serverOf(olds, context);
  if (olds.props["createdAt"] === undefined) return readUndeclared(server, id, olds);
  try {
    const found = await findRecordedAssistant(server, id, context);
    if (found === undefined) return undefined;
    if (isTaken(NOUN, { id, log: context.log }, olds.props, found.created_at)) return undefined;
    if (found.isHidden) {
      context.log.warn(hiddenText(found));
      return { inputs: present(membersOf(olds.props, assistantArguments.names)), outs: olds.props };
    }
    const inputs = await withObservedVersion(server, olds, found);
    return { inputs, outs: toOutputs(inputs, found) };
  } catch (error) {
    if (await isAbandoned(error, olds, context)) return undefined;
    throw error;
  }
}

/** Reads one of which a state has nothing but the server: for an import, and for `get`. */
async function readUndeclared(server: AgentServer, id: string, olds: Declared): Promise<Read> {
  const found = await findAssistant(server, id);
  if (found === undefined)
    throw new Error(`get assistant '${id}': it does not exist at ${addressOf(olds)}`);
  const place = present(membersOf(olds.props, ["deploymentUrl", "apiKey", "deploymentId"]));
  const inputs = { ...allInputs(found), assistantId: found.assistant_id, ...place };
  return { inputs, outs: toOutputs(inputs, found) };
}

function hiddenText({ assistant_id: id, graph_id: graph }: Found): string {
  return (
    `keeps assistant ${id}: its agent server hides it, since the running revision has no graph '${graph}'; ` +
    "deploy a revision with that graph, or set another graphId"
  );
}

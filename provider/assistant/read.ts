import type { AgentServer } from "../../sdk";
import { deploymentOf, deploymentServing } from "../agent-server/deployment";
import type { Place } from "../agent-server/import-id";
import { readOnServer } from "../agent-server/recorded";
import { addressOf, importServerOf } from "../agent-server/server";
import type { Context } from "../resource/context";
import type { Found as Read } from "../resource/define-lifecycle";
import { membersOf, present } from "../arguments/props";
import { withObservedVersion } from "./active-version";
import { assistantArguments, type Declared } from "./diff";
import { findAssistant, findRecordedAssistant, type Found } from "./server";
import { allInputs, ENDPOINT, NOUN, toOutputs } from "./values";

/** Reads an assistant with what its server has otherwise; by its URL for an import. */
export function readAssistant(
  id: string,
  olds: Declared,
  context: Context,
): Promise<Read | undefined> {
  const reading = {
    noun: NOUN,
    endpoint: ENDPOINT,
    instead: "a program reads it with Assistant.get",
    importFrom: importAssistant,
    find: findRecordedAssistant,
    toFound,
  };
  return readOnServer(reading, id, olds, context);
}

async function importAssistant(
  { deploymentUrl, id }: Place,
  olds: Declared,
  context: Context,
): Promise<Read> {
  const deploymentId = await deploymentServing(deploymentUrl, context);
  const at = assistantArguments.decode({ deploymentId, ...olds.props, deploymentUrl });
  const found = await findAssistant(importServerOf(at, context), id);
  if (found === undefined)
    throw new Error(`get assistant '${id}': it does not exist at ${addressOf(at)}`);
  const { inputs, outs } = undeclared(found, at);
  return { id, inputs, outs: { ...deploymentOf(at, context), ...outs } };
}

async function toFound(
  server: AgentServer,
  olds: Declared,
  found: Found,
  { log }: Context,
): Promise<Read> {
  if (olds.props["createdAt"] === undefined) return undeclared(found, olds);
  if (found.isHidden) {
    log.warn(hiddenText(found));
    return { inputs: assistantArguments.given(olds.props), outs: olds.props };
  }
  const inputs = await withObservedVersion(server, olds, found);
  return { inputs, outs: toOutputs(inputs, found) };
}

/** One of which a state has nothing but the server: of an import, and of `get`. */
function undeclared(found: Found, { props }: Declared): Read {
  const place = present(membersOf(props, ["deploymentUrl", "apiKey", "deploymentId"]));
  const inputs = { ...allInputs(found), assistantId: found.assistant_id, ...place };
  return { inputs, outs: toOutputs(inputs, found) };
}

function hiddenText({ assistant_id: id, graph_id: graph }: Found): string {
  return (
    `keeps assistant ${id}: its agent server hides it, since the running revision has no graph '${graph}'; ` +
    "deploy a revision with that graph, or set another graphId"
  );
}

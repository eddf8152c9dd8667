import { type AgentServer, type Assistant, isAmbiguous } from "../../sdk";
import type { UpdateAssistant } from "../../sdk/schema";
import { recordOf } from "../../shared/records";
import { updateOnServer } from "../agent-server/recorded";
import type { Context } from "../resource/context";
import { findSettled } from "../resource/find";
import { isIndeterminate, sendChange } from "../resource/indeterminate-update";
import { known } from "../arguments/decode";
import { present, type Props } from "../arguments/props";
import { PINNED, pinned } from "./active-version";
import { assistantArguments, type Declared, IN_RUNS } from "./diff";
import { candidateOf, passGate } from "./gate";
import { READING } from "./read";
import { findAssistant, type Found } from "./server";
import { type Change, patchOf, toOutputs } from "./values";

/** Sends at most one PATCH, and none where nothing that the server keeps has changed. */
export function updateAssistant(
  id: string,
  olds: Declared,
  news: Declared,
  context: Context,
): Promise<Props> {
  const names = assistantArguments.sent(olds, news);
  const isOpen = isIndeterminate(olds.props);
  const sendAll = async (server: AgentServer, found: Found): Promise<Props> => {
    const version = known(news.activeVersion);
    const inputs = await pinned(server, news, version);
    const removedKeys = Object.keys(recordOf(olds.props["metadata"]));
    // An update that left no record may have sent what the program has taken back since.
    const isRecorded = found.version === olds.props["version"] && !isOpen;
    const declared = isRecorded ? names : [...names, ...Object.keys(present(inputs))];
    const all = version === undefined ? declared : [...declared, ...PINNED];
    const change = { names: all, inputs, removedKeys };
    const updated = await sendChange(await gated(server, found, change, news, context));
    if (names.some((name) => IN_RUNS.includes(name))) await warnOfGraph(server, updated, context);
    return toOutputs(news.props, updated);
  };
  const updated = { id, name: known(news.name), olds, news };
  return updateOnServer(READING, updated, context, (isOpen || names.length > 0) && sendAll);
}

/** The request of a change in one PATCH, once the gate is passed where runs depend on it. */
export async function gated(
  server: AgentServer,
  found: Assistant,
  change: Change,
  news: Declared,
  context: Context,
): Promise<() => Promise<Assistant>> {
  const body = patchOf(found, change);
  if (body === undefined) return async () => found;
  const candidate = candidateOf(found, body);
  if (candidate !== undefined) await passGate(server, news, candidate, context);
  return () => send(server, found, change, body);
}

/** A PATCH without an answer may have arrived: it is sent again only where the assistant does not show it. */
async function send(
  server: AgentServer,
  { assistant_id: id }: Assistant,
  change: Change,
  body: UpdateAssistant,
): Promise<Assistant> {
  try {
    return await server.assistants.update(id, body);
  } catch (error) {
    if (!isAmbiguous(error)) throw error;
    const now = await findAssistant(server, id);
    if (now === undefined) throw error;
    const rest = patchOf(now, change);
    return rest === undefined ? now : server.assistants.update(id, rest);
  }
}

/** The JavaScript server takes any graph, both real ones keep a graph that left the revision: each run then fails. */
export async function warnOfGraph(
  { assistants }: AgentServer,
  { assistant_id: id, graph_id: graph }: Assistant,
  { clock, log }: Context,
): Promise<void> {
  if (await findSettled(clock, () => assistants.nodes(id)).catch(() => true)) return;
  log.warn(`the agent server has no graph '${graph}': runs of assistant ${id} fail; set graphId`);
}

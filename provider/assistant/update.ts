import { type AgentServer, type Assistant, isAmbiguous } from "../../sdk";
import { recordOf } from "../../shared/records";
import { deploymentOf } from "../agent-server/deployment";
import { refuseOtherUser, serverOf } from "../agent-server/server";
import type { Context } from "../resource/context";
import { findSettled, goneError, isLaterCreate } from "../resource/find";
import { known } from "../arguments/decode";
import { present, type Props } from "../arguments/props";
import { keptOutputs } from "../arguments/reported";
import { PINNED, pinned } from "./active-version";
import { assistantArguments, type Declared, sentNames } from "./diff";
import { candidateOf, passGate } from "./gate";
import { findAssistant, findRecordedAssistant } from "./server";
import { type Change, NOUN, OBSERVED_NAMES, patchOf, toOutputs } from "./values";

/** Sends at most one PATCH, and none where nothing that the server keeps has changed. */
export async function updateAssistant(
  id: string,
  olds: Declared,
  news: Declared,
  context: Context,
): Promise<Props> {
  const deployment = deploymentOf(news, context, olds.props);
  await refuseOtherUser(`${NOUN} '${id}'`, [olds, news], context, ({ assistants }) =>
    assistants.get(id),
  );
  const names = sentNames(olds, news);
  if (names.length === 0)
    return {
      ...deployment,
      ...keptOutputs(assistantArguments, OBSERVED_NAMES, olds.props, news.props),
    };
  const server = serverOf(news, context);
  const found = await findRecordedAssistant(server, id, context);
  if (found === undefined || isLaterCreate(olds.props, found.created_at))
    throw goneError(NOUN, known(news.name) ?? id, id);
  const version = known(news.activeVersion);
  const inputs = await pinned(server, news, version);
  const removedKeys = Object.keys(recordOf(olds.props["metadata"]));
  // An update that left no record may have sent what the program has taken back since.
  const isRecorded = found.version === olds.props["version"];
  const declared = isRecorded ? names : [...names, ...Object.keys(present(inputs))];
  const all = version === undefined ? declared : [...declared, ...PINNED];
  const change = { names: all, inputs, removedKeys };
  const updated = await send(server, found, change, news, context);
  if (names.includes("graphId")) await warnOfGraph(server, updated, context);
  return { ...deployment, ...toOutputs(news.props, updated) };
}

/**
 * Sends a change in one PATCH, once the gate is passed where runs depend on it. A PATCH without an answer may have arrived: it
 * is sent again only where the assistant does not show it.
 */
export async function send(
  server: AgentServer,
  found: Assistant,
  change: Change,
  news: Declared,
  context: Context,
): Promise<Assistant> {
  const { assistant_id: id } = found;
  const body = patchOf(found, change);
  if (body === undefined) return found;
  const candidate = candidateOf(found, body);
  if (candidate !== undefined) await passGate(server, news, candidate, context);
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

/** The JavaScript server takes any graph, and each run of the assistant then fails. */
export async function warnOfGraph(
  { assistants }: AgentServer,
  { assistant_id: id, graph_id: graph }: Assistant,
  { clock, log }: Context,
): Promise<void> {
  if (await findSettled(clock, () => assistants.nodes(id)).catch(() => true)) return;
  log.warn(`the agent server has no graph '${graph}': runs of assistant ${id} fail; set graphId`);
}

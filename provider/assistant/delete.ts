import type { AgentServer } from "../../sdk";
import { defaultAssistantId } from "../../sdk/schema";
import { quoted } from "../../shared/shell";
import { ownId } from "../agent-server/own-id";
import { deleteOnServer } from "../agent-server/recorded";
import { deleteFound } from "../agent-server/server";
import type { Context } from "../resource/context";
import { isLaterCreate, TAKEN } from "../resource/find";
import { progressOf } from "../resource/progress";
import { known } from "../arguments/decode";
import type { Declared } from "./diff";
import { deleteLeftovers } from "./gate";
import { findRecordedAssistant, type Found } from "./server";
import { NOUN } from "./values";

/** Deletes an assistant, unless it is in use or a default one, and what a crash has left of its gate. */
export function deleteAssistant(id: string, olds: Declared, context: Context): Promise<void> {
  return deleteOnServer(NOUN, id, olds, context, async (server) => {
    const find = () => findRecordedAssistant(server, id, context);
    const found = await find();
    // Also without a gate: the update that added one may have crashed in it, or the create of a replacement.
    await deleteLeftovers(server, [id, ownId(context, NOUN)]);
    const kept = found && whyKept(found, olds);
    if (kept !== undefined) return context.log.warn(`keeps assistant ${id}: ${kept}`);
    if (found && known(olds.forceDelete) !== true) await awaitUnused(server, id, context);
    const deleteThreads = known(olds.deleteThreads) === true;
    await deleteFound(server.assistants.delete(id, { deleteThreads }), found, find);
  });
}

function whyKept(found: Found, olds: Declared): string | undefined {
  const { assistant_id: id, graph_id: graph, metadata } = found;
  if (id === defaultAssistantId(graph) || metadata["created_by"] === "system")
    return `it is the default assistant of graph '${graph}', which the server itself creates; the values of this resource stay in it`;
  if (isLaterCreate(olds.props, found.created_at)) return TAKEN;
  return undefined;
}

/** The runs of a cron that was deleted just before go on. */
const LONGEST_WAIT_MS = 60_000;
const PAUSE_MS = 2_000;
const MOST_NAMED = 3;

/**
 * Waits for the end of its runs. A delete takes the crons with it, and leaves runs without their assistant; no server
 * refuses it.
 */
async function awaitUnused(
  { crons: all, threads }: AgentServer,
  id: string,
  context: Context,
): Promise<void> {
  const { clock, signal, urn = "<urn>" } = context;
  const endMs = clock.now() + LONGEST_WAIT_MS;
  const progress = progressOf(context);
  // Not `waitFor`, which waits over errors: one of these requests may say that the deployment is gone.
  for (;;) {
    const busy = await threads.count({ status: "busy", metadata: { assistant_id: id } });
    const crons = await all.count({ assistant_id: id });
    if (busy + crons === 0) return;
    const counts = `busy threads: ${busy}, crons: ${crons}`;
    if (crons > 0 || clock.now() >= endMs) {
      const named = { assistant_id: id, limit: MOST_NAMED };
      const found = crons > 0 ? await all.search(named).catch(() => []) : [];
      const ids = found.map(({ cron_id }) => cron_id).join(", ");
      throw new Error(
        `delete assistant '${id}': in use (${counts}); wait for its runs and delete the crons${ids && ` (${ids})`}, or set forceDelete: true, run \`pulumi up --target ${quoted(urn)}\`, and delete it then`,
      );
    }
    progress.stage(`waiting for the runs of assistant ${id} (${counts})`);
    await clock.sleep(PAUSE_MS, signal);
  }
}

import type { StateUpdate, Superstep } from "../../sdk/schema/thread";
import { checkpointIdAfter } from "./checkpoint-id";
import type { Checkpoint } from "./checkpoint";
import { InvalidRequest } from "./errors";
import { applyUpdate, completeMessage, joinWrites } from "./messages";

/** The node that takes the graph's input, and the one that input goes to (contract, "Superstep"). */
const INPUT = "__input__";
export const START = "__start__";
/** The node by which both real servers fork a state. */
export const COPY = "__copy__";

/** The thread that supersteps are applied to. */
interface Origin {
  readonly threadId: string;
  /** The thread's `metadata.graph_id`; only a string names a graph. */
  readonly graphId: unknown;
  readonly now: Date;
}

/**
 * Creates the history of a new thread from its supersteps, oldest state first. Any node name is accepted: this server runs
 * no graphs, and a fixture must work before its graph exists.
 */
export function replay(supersteps: readonly Superstep[], origin: Origin): Checkpoint[] {
  const checkpoints: Checkpoint[] = [];
  for (const [index, superstep] of supersteps.entries())
    checkpoints.push({
      ...stateAfter(checkpoints.at(-1), superstep, origin),
      next: nextNodes(superstep, supersteps[index + 1]),
    });
  return checkpoints;
}

/** The state after a superstep; its id sorts after that of `newest`. */
export function stateAfter(
  parent: Checkpoint | undefined,
  superstep: Superstep,
  { threadId, graphId, now }: Origin,
  newest = parent,
): Omit<Checkpoint, "next"> {
  const id = checkpointIdAfter(newest?.checkpoint_id, now);
  const isInput = nodesOf(superstep).includes(INPUT);
  const { values, writes } = write(parent?.values ?? {}, superstep);
  return {
    checkpoint_id: id,
    parent_checkpoint_id: parent?.checkpoint_id ?? null,
    created_at: now.toISOString(),
    metadata: {
      source: isInput ? "input" : "update",
      step: parent ? parent.metadata.step + 1 : isInput ? -1 : 0,
      writes,
      parents: {},
      thread_id: threadId,
      checkpoint_id: id,
      ...(typeof graphId === "string" ? { graph_id: graphId } : {}),
    },
    values,
  };
}

/** A copy of a state beside it, with the same values and nodes to run; its id sorts after that of `newest`. */
export function forkOf(
  copied: Checkpoint | undefined,
  { now }: Origin,
  newest: Checkpoint | undefined,
): Checkpoint {
  if (copied === undefined) throw new InvalidRequest("Cannot copy a non-existent checkpoint");
  const id = checkpointIdAfter(newest?.checkpoint_id, now);
  const { metadata } = copied;
  return {
    ...copied,
    checkpoint_id: id,
    created_at: now.toISOString(),
    metadata: {
      ...metadata,
      source: "fork",
      step: metadata.step + 1,
      writes: {},
      checkpoint_id: id,
    },
  };
}

function write(values: StateUpdate, { updates }: Superstep) {
  let writes: Record<string, StateUpdate> = {};
  for (const { values: update, as_node } of updates) {
    const messages = update.messages?.map(completeMessage);
    const complete = messages === undefined ? update : { ...update, messages };
    values = applyUpdate(values, complete);
    writes = { ...writes, [as_node]: joinWrites(writes[as_node] ?? {}, complete) };
  }
  return { values, writes };
}

/** Without the graph, the next nodes are those of the following superstep. */
function nextNodes(superstep: Superstep, following: Superstep | undefined): string[] {
  if (nodesOf(superstep).includes(INPUT)) return [START];
  return following ? nodesOf(following) : [];
}

function nodesOf(superstep: Superstep): string[] {
  return [...new Set(superstep.updates.map(({ as_node }) => as_node))];
}

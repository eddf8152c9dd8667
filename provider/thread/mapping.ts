import { createHash } from "node:crypto";
import type { Thread, ThreadState } from "../../sdk";
import { CreateThread } from "../../sdk/schema";
import { isRecord } from "../../shared/records";
import { snakeKeys } from "../arguments/casing";
import { known } from "../arguments/decode";
import { membersOf, type Props, sameValue } from "../arguments/props";
import { reportedOutputs, undeclaredOutputs } from "../arguments/reported";
import { type Declared, threadArguments } from "./diff";

/** The declared metadata, the graph in it, and the mark that identifies the inputs that the thread was created from. */
export function toMetadata(declared: Declared): Record<string, unknown> {
  const graphId = known(declared.graphId);
  return {
    ...known(declared.metadata),
    ...(graphId !== undefined && { graph_id: graphId }),
    [MARK]: digestOf(declared),
  };
}

/**
 * The member of the metadata by which a create recognizes the thread of its former attempt, and whether it has the same
 * source: a server shows a thread's values as its graph has reduced the supersteps.
 */
export const MARK = "pulumi_digest";

function digestOf({ supersteps, copyFrom }: Declared): string {
  const canonical = JSON.stringify([sorted(known(supersteps)), known(copyFrom) ?? null]);
  return createHash("sha256").update(canonical).digest("hex").slice(0, 16);
}

/** The engine does not keep the order of members. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value ?? null;
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => [name, sorted(member)]);
}

/** The body of the POST, without the thread's id. */
export function toCreateRequest(declared: Declared): CreateThread {
  const supersteps = known(declared.supersteps) ?? [];
  return CreateThread.parse({
    metadata: toMetadata(declared),
    ...(supersteps.length > 0 && snakeKeys({ supersteps })),
  });
}

/** The outputs of what is not declared. */
export const UNDECLARED = undeclaredOutputs(threadArguments.names);

/** Names of the outputs that come from the agent server. */
export const OBSERVED_NAMES = [
  "threadId",
  "status",
  "config",
  "createdAt",
  "updatedAt",
  "checkpointId",
] as const;

/**
 * Everything that the state keeps: the inputs as they were declared, and what the agent server reports; without `state`
 * where the thread is not as declared yet.
 */
export function toOutputs(
  inputs: Props,
  thread: Thread,
  state?: Pick<ThreadState, "checkpoint_id">,
): Props {
  return {
    ...UNDECLARED,
    ...inputs,
    ...reportedOutputs(["threadId", "status", "createdAt", "updatedAt"], thread),
    config: thread.config ?? {},
    ...(state && { checkpointId: state.checkpoint_id }),
  };
}

/** Those that an update may change: a thread that is not as declared yet has none of them for sure but its id. */
export function unsettledOutputs(olds: Declared, news: Declared): readonly string[] {
  if (!isComplete(olds)) return OBSERVED_NAMES.filter((name) => name !== "threadId");
  return sameValue(olds.metadata, news.metadata) ? [] : ["updatedAt"];
}

/** Whether a state is that of a thread that was created as declared. */
export function isComplete({ props }: Declared): boolean {
  return props["checkpointId"] !== undefined;
}

/**
 * The inputs of a state with the server's values of the declared metadata: what a refresh shows as drift. What servers and
 * runs write is none: a run of another graph writes that into the metadata too. A removed member is null there.
 */
export function toInputs({ props }: Declared, { metadata: observed }: Thread): Props {
  const { metadata, ...rest } = threadArguments.given(props);
  return {
    ...rest,
    ...(isRecord(metadata) && { metadata: membersOf(observed, Object.keys(metadata)) }),
  };
}

/** The arguments that a thread has been created from, as far as its metadata shows them; runs have set the rest of it. */
export function declaredBy({ metadata }: Thread): Props {
  const { graph_id: graphId, [MARK]: _mark, ...others } = metadata;
  const { thread_id: _thread, assistant_id: _assistant, run_id: _run, ...rest } = others;
  return {
    ...(typeof graphId === "string" && { graphId }),
    ...(Object.keys(rest).length > 0 && { metadata: rest }),
  };
}

import { createHash } from "node:crypto";
import type { CreateThread, Superstep, Thread, ThreadState } from "../../sdk";
import { isRecord, recordOf, textOf } from "../../shared/records";
import type { Props } from "../inputs/props";

/** The user's supersteps in the wire's spelling; what is none of them goes through as it is. */
export function toSupersteps(supersteps: unknown): unknown[] {
  if (!Array.isArray(supersteps)) return [];
  return supersteps.map((superstep: unknown) => {
    if (!isRecord(superstep) || !Array.isArray(superstep["updates"])) return superstep;
    return { updates: superstep["updates"].map(toUpdate) };
  });
}

function toUpdate(update: unknown): unknown {
  if (!isRecord(update)) return update;
  const { asNode, ...rest } = update;
  return asNode === undefined ? rest : { ...rest, as_node: asNode };
}

/** The declared metadata, the graph in it, and the mark that tells what the thread was made of. */
export function toMetadata(inputs: Props): Record<string, unknown> {
  const { metadata, graphId } = inputs;
  return {
    ...recordOf(metadata),
    ...(typeof graphId === "string" && { graph_id: graphId }),
    [MARK]: digestOf(inputs),
  };
}

/**
 * The member of the metadata by which a create knows a thread that its former try made, and whether it was made of the same:
 * a server shows a thread's values as its graph has made them of the supersteps.
 */
export const MARK = "pulumi_digest";

function digestOf({ supersteps, copyFrom }: Props): string {
  const canonical = JSON.stringify([sorted(supersteps), copyFrom ?? null]);
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
export async function toCreateRequest(inputs: Props): Promise<CreateThread> {
  const schema = await import("../../sdk/schema/index.js");
  const supersteps: Superstep[] = schema.Superstep.array().parse(
    toSupersteps(inputs["supersteps"] ?? []),
  );
  const metadata = toMetadata(inputs);
  return {
    ...(Object.keys(metadata).length > 0 && { metadata }),
    ...(supersteps.length > 0 && { supersteps }),
  };
}

/** An output that the state lacks is unknown at every preview. */
export const UNDECLARED = {
  deploymentId: null,
  apiKey: null,
  graphId: null,
  metadata: null,
  supersteps: null,
  copyFrom: null,
};

/**
 * Everything the state keeps: the inputs as they were declared, and what the agent server says; without `state` where the
 * thread is not what is declared yet.
 */
export function toOutputs(
  inputs: Props,
  thread: Thread,
  state?: Pick<ThreadState, "checkpoint_id">,
): Props {
  return {
    ...UNDECLARED,
    ...inputs,
    threadId: thread.thread_id,
    status: thread.status,
    createdAt: thread.created_at,
    updatedAt: thread.updated_at,
    ...(state && { checkpointId: state.checkpoint_id }),
  };
}

/** Whether outputs are those of a thread that was made as it is declared. */
export function wasSeen(outputs: Props): boolean {
  return outputs["checkpointId"] !== undefined;
}

/**
 * The inputs with the server's values of the declared metadata: what a refresh shows as drift. Members that servers and
 * runs add are nobody's drift; one that was given up is null there.
 */
export function toInputs(inputs: Props, { metadata }: Thread): Props {
  const seen = recordOf(metadata);
  const { metadata: declared, graphId, ...rest } = inputs;
  const graph = textOf(seen["graph_id"]);
  return {
    ...rest,
    ...(graphId !== undefined && graph !== undefined && { graphId: graph }),
    ...(isRecord(declared) && {
      metadata: Object.fromEntries(
        Object.keys(declared)
          .filter((key) => Object.hasOwn(seen, key))
          .map((key) => [key, seen[key]]),
      ),
    }),
  };
}

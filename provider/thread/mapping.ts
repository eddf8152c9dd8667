import type { CreateThread, Superstep, Thread, ThreadState } from "../../sdk";
import { isRecord, type Props, recordOf, textOf } from "../props";

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

/** The declared metadata, the graph in it. */
export function toMetadata({ metadata, graphId }: Props): Record<string, unknown> {
  return { ...recordOf(metadata), ...(typeof graphId === "string" && { graph_id: graphId }) };
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

/**
 * Everything the state keeps: the inputs as they were declared, and what the agent server says; without `state` where the
 * thread is not what is declared yet.
 */
export function toOutputs(
  inputs: Props,
  thread: Thread,
  state?: Pick<ThreadState, "values" | "checkpoint_id">,
): Props {
  return {
    ...inputs,
    threadId: thread.thread_id,
    status: thread.status,
    createdAt: thread.created_at,
    ...(state && { values: state.values, checkpointId: state.checkpoint_id }),
  };
}

/** Whether outputs are those of a thread that was made as it is declared. */
export function wasSeen(outputs: Props): boolean {
  return outputs["values"] !== undefined;
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

import { Conflict, type ControlPlane, type Listener } from "../../sdk";
import { operationOf } from "../host/operation";
import { postOnce } from "../host/post-once";
import type { Context } from "../host/context";
import type { Props } from "../inputs/props";
import { toCreateRequest, toOutputs } from "./mapping";

/**
 * Makes the listener. One that is there already is never taken over: `--replace` and `pulumi state taint` create before
 * they delete, and what was taken over would be deleted right after.
 */
export async function createListener(
  inputs: Props,
  context: Context,
): Promise<{ id: string; outs: Props }> {
  const { client, clock, settings } = operationOf(context);
  const body = await toCreateRequest(inputs);
  const existing = await byCompute(client, body.compute_id);
  if (existing !== undefined) throw taken(existing);
  const look = async (): Promise<Listener | undefined> => {
    const found = await byCompute(client, body.compute_id);
    return found?.compute_type === body.compute_type ? found : undefined;
  };
  try {
    const listener = await postOnce(clock, () => client.listeners.create(body), look);
    return { id: listener.id, outs: toOutputs(inputs, listener, settings) };
  } catch (error) {
    // Somebody else was a moment faster.
    const rival = error instanceof Conflict ? await byCompute(client, body.compute_id) : undefined;
    throw rival === undefined ? error : taken(rival);
  }
}

/** A workspace has one listener for a compute at most. */
async function byCompute(client: ControlPlane, computeId: string): Promise<Listener | undefined> {
  for await (const listener of client.listeners.list())
    if (listener.compute_id === computeId) return listener;
  return undefined;
}

function taken({ id, compute_id: computeId }: Listener): Error {
  return new Error(
    `create listener '${computeId}': listener ${id} is there for this compute, and a workspace has one for each; ` +
      "read it with Listener.get, or delete it on the service. Where this is a replacement of it, " +
      "set the option deleteBeforeReplace: true, or give the new one another computeId",
  );
}

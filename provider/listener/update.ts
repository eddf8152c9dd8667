import { type Listener, isAmbiguous } from "../../sdk";
import { goneError } from "../host/find";
import { operationOf, type Operation } from "../host/operation";
import type { Context } from "../host/context";
import type { Props } from "../inputs/props";
import { namespacesOf, sameNamespaces } from "./fields";
import { toOutputs } from "./mapping";
import { findListener } from "./observe";

/** Brings the listener's namespaces from the old outputs to the new inputs, with one PATCH where the service lacks any. */
export async function updateListener(
  id: string,
  olds: Props,
  news: Props,
  context: Context,
): Promise<Props> {
  const job = operationOf(context, id);
  const listener = await findListener(job, olds);
  if (listener === undefined) throw goneError("listener", String(olds["computeId"]), id);
  const wanted = namespacesOf(news);
  const unchanged = !wanted || sameNamespaces(namespacesOf(olds) ?? [], wanted);
  const updated = unchanged || has(listener, wanted) ? listener : await send(job, wanted);
  return toOutputs(news, updated, job.settings);
}

/** A PATCH without an answer may have arrived: a look tells. */
async function send({ client, id }: Operation, wanted: string[]): Promise<Listener> {
  try {
    return await client.listeners.update(id, { compute_config: { k8s_namespaces: wanted } });
  } catch (error) {
    if (!isAmbiguous(error)) throw error;
    const listener = await client.listeners.get(id);
    if (!has(listener, wanted)) throw error;
    return listener;
  }
}

function has({ compute_config }: Listener, wanted: readonly string[]): boolean {
  return sameNamespaces(compute_config.k8s_namespaces ?? [], wanted);
}

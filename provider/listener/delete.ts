import { Conflict } from "../../sdk";
import { isGone } from "../host/find";
import { operationOf } from "../host/operation";
import type { Context } from "../host/context";
import type { Props } from "../inputs/props";
import { findListener } from "./observe";

/** Deletes the listener; one that is gone already is fine. */
export async function deleteListener(id: string, props: Props, context: Context): Promise<void> {
  const job = operationOf(context, id);
  if ((await findListener(job, props)) === undefined) return;
  try {
    await job.client.listeners.delete(id);
  } catch (error) {
    if (isGone(error)) return;
    if (!(error instanceof Conflict)) throw error;
    throw new Error(
      `${error.message}; delete those deployments, or replace them with ones on another listener, then run the same command again`,
      { cause: error },
    );
  }
}

import type { ControlPlane } from "../../sdk";
import type { Context } from "./serve";
import { controlPlaneOf } from "./client";
import type { Settings } from "../config/settings";

/** One operation on one thing of a control plane, and what it works with. */
export interface Job extends Context {
  readonly id: string;
  readonly client: ControlPlane;
  readonly settingsInForce: Settings;
  /** Secret values of the time before the operation, which no text may show either. */
  readonly formerSecrets?: readonly string[];
}

export function jobOf(id: string, context: Context): Job {
  const settingsInForce = context.settings();
  return { ...context, id, settingsInForce, client: controlPlaneOf(context, settingsInForce) };
}

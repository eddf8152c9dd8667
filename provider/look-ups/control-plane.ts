import { type ControlPlane, NotFound } from "../../sdk";
import { systemClock } from "../../sdk/clock";
import { explain } from "../advice";
import { controlPlaneOf } from "../client";
import { newMemory } from "../memory";
import { readSettings, type Settings } from "../settings";
import { runError } from "../run-error";
import type { Place } from "./answer";

/** A control plane that is asked. */
export interface ControlPlaneSite {
  readonly client: ControlPlane;
  readonly settings: Settings;
}

/** Look-ups run in the program's own process. */
const program = { memory: newMemory(), clock: systemClock };

/** The control plane that the settings in a configuration name. */
export const controlPlane: Place<ControlPlaneSite> = {
  open(config) {
    const given = Object.entries(config).filter(([, value]) => typeof value === "string");
    const texts = Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
    try {
      const settings = readSettings(texts);
      return { client: controlPlaneOf(program, settings), settings };
    } catch (error) {
      throw runError(error instanceof Error ? error.message : String(error), { cause: error });
    }
  },
  explain(error, { settings }, { action, subject }) {
    const words = explain(error, settings, subject === undefined ? undefined : { action, subject });
    return error instanceof NotFound
      ? `${words}; it was looked for in workspace ${settings.workspaceId} of ${settings.baseUrl}`
      : words;
  },
};

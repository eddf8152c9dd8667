import { type ControlPlane, NotFound } from "../../sdk";
import { systemClock } from "../../shared/clock";
import { controlPlaneAdvice } from "../host/advice";
import { formatError } from "../host/errors";
import { controlPlaneOf } from "../host/operation";
import { newMemory } from "../host/memory";
import { readSettings, type Settings } from "../config/settings";
import { runError } from "../host/run-error";
import type { Place } from "./answer";
import { messageOf } from "../../shared/errors";

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
      throw runError(messageOf(error), { cause: error });
    }
  },
  explain(error, { settings }, { action, subject }) {
    const words = formatError(
      error,
      controlPlaneAdvice(settings),
      subject === undefined ? undefined : { action, subject },
    );
    return error instanceof NotFound
      ? `${words}; it was looked for in workspace ${settings.workspaceId} of ${settings.baseUrl}`
      : words;
  },
};

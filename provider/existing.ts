import type { Deployment } from "../sdk";
import type { Settings } from "../settings/settings";
import { systemClock } from "../shared/clock";
import { recordOf } from "../shared/records";
import { importIdOf } from "./agent-server/import-id";
import { problemText } from "./arguments/problems";
import { withoutSecretForm } from "./arguments/secrets";
import { listedInputs } from "./deployment/read";
import type { Context } from "./resource/context";
import { newProcessCache } from "./resource/process-cache";
import {
  type ResourceTypeName,
  type ResourceType,
  RESOURCE_TYPES,
  nativeToken,
} from "./resource-types";
import { LIFECYCLES } from "./lifecycles";

/** What exists on a service. */
export interface Place {
  readonly kind: Exclude<ResourceTypeName, "Thread">;
  readonly id: string;
  /** The URL of its agent server, for an assistant. */
  readonly deploymentUrl?: string;
  /** A deployment as a list shows it. @default it is read */
  readonly listed?: Deployment;
}

/** What exists, as `pulumi import` takes it into a program. */
export interface Existing {
  /** Its name in messages. */
  readonly noun: string;
  /** Its type token and id for `pulumi import`. */
  readonly type: string;
  readonly importId: string;
  /** The arguments of a program, without what only repeats a default. */
  readonly inputs: Readonly<Record<string, unknown>>;
  /** What a preview would refuse in them. */
  readonly problems: readonly string[];
}

/**
 * Reads what exists as an import does: the one crossing from the service's names to the arguments of programs. It loads no
 * Pulumi and changes nothing. Throws what the request throws.
 */
export function existingReader(settings: Settings): (place: Place) => Promise<Existing> {
  const ignore = (): void => {};
  const context: Context = {
    canImport: true,
    settings: () => settings,
    log: { progress: ignore, info: ignore, warn: ignore },
    clock: systemClock,
    processCache: newProcessCache(),
    readState: () => Promise.reject(new Error("a command has no stack")),
    urn: undefined,
  };
  return async ({ kind, id, deploymentUrl, listed }) => {
    const lifecycle = LIFECYCLES[kind];
    const { noun, type, endpoint = "" }: ResourceType = RESOURCE_TYPES[kind];
    const importId = deploymentUrl === undefined ? id : importIdOf({ deploymentUrl, id }, endpoint);
    const inputs =
      (listed && listedInputs(listed, context)) ??
      recordOf(withoutSecretForm((await lifecycle.read(importId, {}, context)).inputs));
    const { failures = [] } = await lifecycle.check({}, inputs, context);
    return {
      noun,
      type: nativeToken(type),
      importId,
      inputs,
      problems: failures.map(problemText),
    };
  };
}

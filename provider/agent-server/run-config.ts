import { AssistantConfig } from "../../sdk/schema";
import { isRecord, recordOf } from "../../shared/records";
import { z } from "zod";
import type { Argument } from "../arguments/argument";
import { excluded } from "../arguments/problems";
import { present, type Props } from "../arguments/props";

const { tags, recursion_limit, configurable } = AssistantConfig.shape;

/** The argument by which a program declares the configuration of runs. */
export const RUN_CONFIG = {
  schema: z
    .object({
      tags: tags.nullish(),
      recursionLimit: recursion_limit.nullish(),
      configurable: configurable.nullish(),
    })
    .optional(),
  // What others have added on the server is drift, which an update removes.
  decode: (value: unknown) => (isRecord(value) ? value : undefined),
  effect: "settings",
} as const satisfies Argument;

/** The rules about members of metadata that runs set. */
export const METADATA_OF_RUNS = ["thread_id", "assistant_id", "run_id", "cron_id"].map((key) =>
  excluded(`metadata.${key}`, "is set by runs; the server drops it"),
);

/** The same as servers have it. */
export function toConfig(config: unknown): AssistantConfig {
  const { recursionLimit, ...rest } = present(recordOf(config));
  return {
    ...rest,
    ...(typeof recursionLimit === "number" && { recursion_limit: recursionLimit }),
  };
}

export function fromConfig({ recursion_limit: recursionLimit, ...rest }: Props): Props {
  return { ...rest, ...(recursionLimit !== undefined && { recursionLimit }) };
}

import { AssistantConfig } from "../../sdk/schema";
import { recordOf } from "../../shared/records";
import { z } from "zod";
import { present, type Props } from "../arguments/props";

const { tags, recursion_limit, configurable } = AssistantConfig.shape;

/** The configuration of runs as a program declares it. */
export const RunConfig = z.object({ tags, recursionLimit: recursion_limit, configurable });

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

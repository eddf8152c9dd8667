import type { z } from "zod";
import {
  roundCpu,
  SourceConfig,
  SourceRevisionConfig,
  type SourceConfigRequest,
} from "../../sdk/schema";

/** A stored source configuration after a request; CPU values are rounded (contract, "ResourceSpec"). */
export function mergeSourceConfig(
  stored: SourceConfig,
  request: SourceConfigRequest | null | undefined,
): SourceConfig {
  const config = merge(SourceConfig, stored, request);
  return config.resource_spec
    ? { ...config, resource_spec: roundCpu(config.resource_spec) }
    : config;
}

/** The configuration of a revision after a request. Its commit is resolved later, never set by a request. */
export function mergeRevisionConfig(
  stored: SourceRevisionConfig,
  request: SourceRevisionConfig | null | undefined,
): SourceRevisionConfig {
  return { ...merge(SourceRevisionConfig, stored, request), repo_commit_sha: null };
}

/** Null and absent members keep the stored value (public service, "Patch"). */
function merge<Config extends object>(
  schema: z.ZodType<Config>,
  stored: Config,
  request: object | null | undefined,
): Config {
  const given = Object.entries(request ?? {}).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  return schema.parse({ ...stored, ...Object.fromEntries(given) });
}

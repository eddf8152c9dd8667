import { z } from "zod";
import { DeploymentName, Source, SourceConfigRequest } from "../../../sdk/schema/deployment";
import { SourceRevisionConfigRequest } from "../../../sdk/schema/revision";
import { ApiKey } from "../../arguments/api-key";
import { camelSchema } from "../../arguments/camel-schema";

const Seconds = z.number().positive();

/**
 * The types of all arguments, the contract's by the schema of the wire. Variables have checks of their own: no problem
 * may repeat a value of them.
 */
export const DeploymentSchema = z.object({
  name: DeploymentName.optional(),
  source: Source,
  sourceConfig: camelSchema(SourceConfigRequest).optional(),
  sourceRevisionConfig: camelSchema(SourceRevisionConfigRequest).optional(),
  env: z.unknown().optional(),
  secrets: z.unknown().optional(),
  redeployOn: z.unknown().optional(),
  wait: z
    .object({
      until: z.enum(["active", "deployed", "none"]).nullish(),
      timeoutSeconds: Seconds.nullish(),
    })
    .optional(),
  onFailure: z.enum(["keep", "rollback"]).optional(),
  smokeCheck: z
    .union([
      z.boolean(),
      z.object({
        apiKey: ApiKey.nullish(),
        graphId: z.string().nullish(),
        timeoutSeconds: Seconds.nullish(),
      }),
    ])
    .optional(),
  adoptExisting: z.boolean().optional(),
});

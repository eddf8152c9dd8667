import { z } from "zod";
import { DeploymentType } from "./deployment";

/**
 * The filters of a list of deployments, all of which must match (contract, "GET /v2/deployments"): what the client and the
 * functions take, commands have options for, and the local platform knows.
 */
export const DeploymentFilters = z.strictObject({
  name_contains: z.string().optional().describe("A part of the name; case-insensitive"),
  status: z.string().min(1).optional().describe("The status, such as `READY`"),
  remote_reconciled: z.boolean().optional().describe("Whether an operator has reconciled it"),
  tag_value_ids: z.array(z.string().min(1)).readonly().optional().describe("Ids of tag values"),
  image_version: z
    .string()
    .min(1)
    .optional()
    .describe("The version of the newest revision's image"),
  deployment_type: DeploymentType.optional().describe("The type"),
  deployment_ids: z.array(z.guid()).readonly().optional().describe("Ids of deployments"),
});
export type DeploymentFilters = z.infer<typeof DeploymentFilters>;

/** The filters of newer versions of the public service. The client does without: it compares whole names itself. */
export const ExtendedDeploymentFilters = DeploymentFilters.extend({
  name: z.string().optional().describe("The whole name"),
});
export type ExtendedDeploymentFilters = z.infer<typeof ExtendedDeploymentFilters>;

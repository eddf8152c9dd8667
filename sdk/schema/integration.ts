import { z } from "zod";

/** A git host that the workspace may clone from; the response's shape is the public service's (a bare array). */
export const Integration = z.object({
  id: z.string().min(1),
  installation_id: z.int(),
  name: z.string(),
});
export type Integration = z.infer<typeof Integration>;

/** Response to `GET /v1/integrations/git_host/install`. */
export const IntegrationsList = z.array(Integration);

/** A repository that an integration can clone; the public service's shape. */
export const Repository = z.object({
  host_integration_id: z.string(),
  id: z.int(),
  name: z.string(),
  owner: z.string(),
  url: z.string(),
  default_branch: z.string(),
});
export type Repository = z.infer<typeof Repository>;

/** Response to `GET /v1/integrations/git_host/{integration_id}/repos`. */
export const RepositoriesList = z.array(Repository);

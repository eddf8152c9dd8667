import { z } from "zod";
import { DeploymentType, SearchThreads } from "../../sdk/schema";
import { DeploymentUrl as deployment_url } from "../inputs/deployment-url";

export * from "../../sdk/schema";

// What each look-up takes, in the names of the wire; a schema of the wire may be one too. Loaded with the first look-up,
// since zod takes its time.

const id = z.guid();
const text = z.string().min(1);

/** A rule across arguments is judged beside those of single ones, so that every problem is named at once. */
const atOnce = { when: () => true };
const numberOf = (args: object): number => Object.keys(args).length;

/** By id or by name. */
export const GetDeployment = z
  .object({ id: id.exactOptional(), name: text.exactOptional() })
  .refine((args) => numberOf(args) === 1, { error: "give either id or name", ...atOnce });

/** The filters of the list (contract, "GET /v2/deployments"). */
export const ListDeployments = z.object({
  name_contains: text.exactOptional(),
  status: text.exactOptional(),
  remote_reconciled: z.boolean().exactOptional(),
  tag_value_ids: z.array(text).exactOptional(),
  image_version: text.exactOptional(),
  deployment_type: DeploymentType.exactOptional(),
  deployment_ids: z.array(id).exactOptional(),
});

/** By both ids. */
export const GetRevision = z.object({ deployment_id: id, revision_id: id });

/** The newest of a deployment, at most so many. */
export const ListRevisions = z.object({
  deployment_id: id,
  limit: z.int().min(1).exactOptional(),
});

/** By id, by name, or the only one there is. */
export const GetIntegration = z
  .object({ id: id.exactOptional(), name: text.exactOptional() })
  .refine((args) => numberOf(args) <= 1, { error: "give id or name, not both", ...atOnce });

/** By id, by compute id, or the only one there is. */
export const GetListener = z
  .object({ id: id.exactOptional(), compute_id: text.exactOptional() })
  .refine((args) => numberOf(args) <= 1, { error: "give id or computeId, not both", ...atOnce });

/** All there are. */
export const ListAll = z.object({});

const { metadata, status, sort_by, sort_order } = SearchThreads.shape;

/** By its id. */
export const GetThread = z.object({ deployment_url, thread_id: id });

/** Those that match, at most so many (thread contract, "POST /threads/search"). */
export const FindThreads = z.object({
  deployment_url,
  metadata,
  status,
  sort_by: sort_by.unwrap().exactOptional(),
  sort_order: sort_order.unwrap().exactOptional(),
  limit: z.int().min(1).exactOptional(),
});

/** Now, or at a checkpoint. */
export const GetThreadState = GetThread.extend({ checkpoint_id: text.exactOptional() });

/** The newest of a thread, at most so many: no server gives more of them at once. */
export const GetThreadHistory = GetThread.extend({
  limit: z.int().min(1).max(1000).exactOptional(),
});

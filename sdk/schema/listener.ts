import { z } from "zod";

/** The namespaces a listener may place deployments in; which members count depends on the compute type. */
const ComputeConfig = z.object({ k8s_namespaces: z.array(z.string().min(1)).nullish() });

/**
 * Body of `POST /v2/listeners`. The contract says that the endpoint exists and shows no shape: all of this file is the
 * public service's description.
 */
export const CreateListener = z.object({
  compute_type: z.string().min(1),
  compute_id: z.string().min(1),
  compute_config: ComputeConfig,
  version: z.string().nullish(),
});
export type CreateListener = z.infer<typeof CreateListener>;

/** Body of `PATCH /v2/listeners/{listener_id}`: null and absent mean "leave as it is". */
export const UpdateListener = z.object({
  version: z.string().nullish(),
  compute_config: ComputeConfig.nullish(),
});
export type UpdateListener = z.infer<typeof UpdateListener>;

/** A listener of the workspace; its id is what a deployment's `listener_id` names. */
export const Listener = CreateListener.extend({
  id: z.string().min(1),
  compute_type: z.string().default(""),
  compute_config: ComputeConfig.default({}),
  created_at: z.string().default(""),
  updated_at: z.string().default(""),
});
export type Listener = z.infer<typeof Listener>;

/** One page of listeners; `offset` is the next request's. */
export const ListenersList = z.object({ resources: z.array(Listener), offset: z.int().default(0) });
export type ListenersList = z.infer<typeof ListenersList>;

import { z } from "zod";

/** A listener of the workspace; the contract names its id only, the other members are the public service's. */
export const Listener = z.object({
  id: z.string(),
  compute_type: z.string(),
  compute_id: z.string(),
  compute_config: z.object({ k8s_namespaces: z.array(z.string()).nullish() }),
  version: z.string().nullish(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type Listener = z.infer<typeof Listener>;

export const ListenersList = z.object({ resources: z.array(Listener), offset: z.int() });
export type ListenersList = z.infer<typeof ListenersList>;

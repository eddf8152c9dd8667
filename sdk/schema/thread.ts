import { z } from "zod";

const FreeForm = z.record(z.string(), z.unknown());

/** Contract, "Superstep": updates that nodes of the graph are taken to have written. */
export const Superstep = z.object({
  updates: z.array(z.object({ values: FreeForm, as_node: z.string().min(1) })),
});
export type Superstep = z.infer<typeof Superstep>;

/** Body of `POST /threads`; every member may be left out. `thread_id` and `if_exists` are the real server's. */
export const CreateThread = z.object({
  thread_id: z.guid().optional(),
  if_exists: z.enum(["raise", "do_nothing"]).optional(),
  metadata: FreeForm.optional(),
  supersteps: z.array(Superstep).optional(),
});
export type CreateThread = z.infer<typeof CreateThread>;

/** A thread as an agent server answers. `config` and `values` are missing or null on many answers. */
export const Thread = z.object({
  thread_id: z.string().min(1),
  created_at: z.string(),
  updated_at: z.string(),
  metadata: FreeForm.nullish(),
  status: z.string(),
  config: FreeForm.nullish(),
  values: FreeForm.nullish(),
});
export type Thread = z.infer<typeof Thread>;

/** Body of `POST /threads/search`; the defaults are the real server's, the contract shows none. */
export const SearchThreads = z.object({
  ids: z.array(z.guid()).optional(),
  metadata: FreeForm.optional(),
  values: FreeForm.optional(),
  status: z.enum(["idle", "busy", "interrupted", "error"]).optional(),
  limit: z.int().min(1).max(1000).default(10),
  offset: z.int().min(0).default(0),
  sort_by: z.enum(["thread_id", "status", "created_at", "updated_at"]).default("created_at"),
  sort_order: z.enum(["asc", "desc"]).default("desc"),
  select: z.array(z.string()).optional(),
});
export type SearchThreads = z.infer<typeof SearchThreads>;

/** Names one state of a thread. */
export const Checkpoint = z.object({
  checkpoint_id: z.string(),
  thread_id: z.string().nullish(),
  checkpoint_ns: z.string().nullish(),
});
export type Checkpoint = z.infer<typeof Checkpoint>;

/** Contract, "Thread state"; an empty thread has nulls, and not every server sends every member. */
export const ThreadState = z.object({
  values: FreeForm.nullish(),
  next: z.array(z.string()).nullish(),
  tasks: z.array(z.unknown()).nullish(),
  metadata: FreeForm.nullish(),
  created_at: z.string().nullish(),
  checkpoint: Checkpoint.nullish(),
  parent_checkpoint: Checkpoint.nullish(),
  checkpoint_id: z.string().nullish(),
  parent_checkpoint_id: z.string().nullish(),
});
export type ThreadState = z.infer<typeof ThreadState>;

/** Body of `POST /threads/{thread_id}/history`. The default limit is not shown in the contract. */
export const ThreadHistory = z.object({
  limit: z.int().min(1).max(1000).default(10),
  before: z
    .union([z.string(), z.object({ configurable: z.object({ checkpoint_id: z.string() }) })])
    .optional(),
  metadata: FreeForm.optional(),
});
export type ThreadHistory = z.infer<typeof ThreadHistory>;

/** Answer of `GET /info` of the built-in agent server. */
export const ServerInfo = z.object({
  server: z.string(),
  version: z.string(),
  graphs: z.array(z.string()),
  variables: z.array(z.string()),
  commit: z.string().nullable(),
});
export type ServerInfo = z.infer<typeof ServerInfo>;

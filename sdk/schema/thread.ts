import { z } from "zod";

const FreeForm = z.record(z.string(), z.unknown());

/** Identifies a thread; the message is the real server's. Case-insensitive. */
export const ThreadId = z.guid("Invalid thread ID: must be a UUID").toLowerCase();

/**
 * One message of a conversation (contract, "Message objects"). Only `type` and `content` are asked for; `content` may be
 * the list of blocks that models with other than text use. Stored messages have every member, AI ones also the last three.
 */
export const Message = z.looseObject({
  type: z
    .string({
      error: ({ input }) =>
        input === undefined
          ? 'is required: "human", "ai", "system" or "tool", not a role'
          : undefined,
    })
    .min(1),
  content: z.union([z.string(), z.array(z.unknown())]),
  id: z.string().min(1).nullish(),
  name: z.string().nullish(),
  additional_kwargs: FreeForm.optional(),
  response_metadata: FreeForm.optional(),
  example: z.boolean().optional(),
  tool_calls: z.array(z.unknown()).optional(),
  invalid_tool_calls: z.array(z.unknown()).optional(),
  usage_metadata: FreeForm.nullish(),
});
export type Message = z.infer<typeof Message>;

/** The values that a node writes: `messages` are added to the conversation, every other key is overwritten. */
export const StateUpdate = z.looseObject({ messages: z.array(Message).optional() });
export type StateUpdate = z.infer<typeof StateUpdate>;

/**
 * The values of a thread's state. `messages` have the type that graphs of messages keep them in, and are not checked: a graph
 * may keep anything under that name.
 */
export const StateValues = z.looseObject({ messages: z.custom<Message[]>().optional() });
export type StateValues = z.infer<typeof StateValues>;

/** Contract, "Superstep": updates as if nodes of the graph had written them. The real servers reject an empty list. */
export const Superstep = z.object({
  updates: z.array(z.object({ values: StateUpdate, as_node: z.string().min(1) })).min(1),
});
export type Superstep = z.infer<typeof Superstep>;

/** Body of `POST /threads`; every member may be omitted. `thread_id` and `if_exists` are the real server's. */
export const CreateThread = z.object({
  thread_id: ThreadId.optional(),
  if_exists: z.enum(["raise", "do_nothing"]).optional(),
  metadata: FreeForm.optional(),
  supersteps: z.array(Superstep).optional(),
});
export type CreateThread = z.infer<typeof CreateThread>;

/**
 * Body of `POST /threads/{thread_id}/state`, not in the contract: values as if a node had written them, after the
 * newest state or the one named. `as_node` defaults to the node that wrote last; `__copy__` forks that state and ignores `values`.
 */
export const UpdateState = z.object({
  values: StateUpdate.nullish(),
  as_node: z.string().min(1).nullish(),
  checkpoint_id: z.string().nullish(),
  checkpoint: z.object({ checkpoint_id: z.string().nullish() }).nullish(),
});
export type UpdateState = z.infer<typeof UpdateState>;

/** Body of `PATCH /threads/{thread_id}`, not in the contract: members to merge into the thread's metadata, one level deep. */
export const UpdateThread = z.object({ metadata: FreeForm.optional() });
export type UpdateThread = z.infer<typeof UpdateThread>;

/** A thread as an agent server returns it. `config` and `values` are missing or null in many responses. */
export const Thread = z.object({
  thread_id: z.string().min(1),
  created_at: z.string(),
  updated_at: z.string(),
  metadata: FreeForm.nullish(),
  status: z.string(),
  config: FreeForm.nullish(),
  values: StateValues.nullish(),
});
export type Thread = z.infer<typeof Thread>;

/** A thread as a search with `select` returns it. */
export const SelectedThread = Thread.partial();
export type SelectedThread = z.infer<typeof SelectedThread>;

/** Body of `POST /threads/count`, not in the contract: which threads. Everything given must match. */
export const CountThreads = z.object({
  ids: z.array(ThreadId).optional(),
  metadata: FreeForm.optional(),
  values: FreeForm.optional(),
  status: z.enum(["idle", "busy", "interrupted", "error"]).optional(),
});
export type CountThreads = z.infer<typeof CountThreads>;

/** Response to `POST /threads/count`. */
export const Count = z.int().min(0);

/**
 * Body of `POST /threads/search`. The contract shows neither defaults nor bounds, `sort_order`'s values, `ids`, `values`,
 * `offset` and `select`: these are the real servers'. `select` names the members wanted of each thread.
 */
export const SearchThreads = CountThreads.extend({
  limit: z.int().min(1).max(1000).default(10),
  offset: z.int().min(0).default(0),
  sort_by: z.enum(["thread_id", "status", "created_at", "updated_at"]).default("created_at"),
  sort_order: z.enum(["asc", "desc"]).default("desc"),
  select: z.array(Thread.keyof()).optional(),
});
export type SearchThreads = z.infer<typeof SearchThreads>;

/** Names one state of a thread. */
export const Checkpoint = z.object({
  checkpoint_id: z.string(),
  thread_id: z.string().nullish(),
  checkpoint_ns: z.string().nullish(),
});
export type Checkpoint = z.infer<typeof Checkpoint>;

/** Body of `POST /threads/{thread_id}/state/checkpoint`, not in the contract: the state wanted, named by an object. */
export const StateAtCheckpoint = z.object({ checkpoint: Checkpoint });

/** Response to a state update: the checkpoint of the new state, from the JavaScript server in the first form only. */
export const StateWritten = z.object({
  checkpoint: Checkpoint,
  configurable: Checkpoint.nullish(),
  checkpoint_id: z.string().nullish(),
});
export type StateWritten = z.infer<typeof StateWritten>;

/** Contract, "Thread state"; an empty thread has nulls, and not every server sends every member. */
export const ThreadState = z.object({
  values: StateValues.nullish(),
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

/**
 * Body of `POST /threads/{thread_id}/history`. The contract shows only `limit`, without default and bounds: these are the
 * real server's (its GET has a default of 10). `before` is taken as the Python server wants it and as the JavaScript one does.
 * `checkpoint` names the one state that is wanted.
 */
export const ThreadHistory = z.object({
  limit: z.int().min(1).max(1000).default(1),
  before: z
    .union([z.string(), z.object({ configurable: z.object({ checkpoint_id: z.string() }) })])
    .optional(),
  checkpoint: z.object({ checkpoint_id: z.string().nullish() }).optional(),
  metadata: FreeForm.optional(),
});
export type ThreadHistory = z.infer<typeof ThreadHistory>;

/** Response to `GET /info` of the built-in agent server. */
export const ServerInfo = z.object({
  server: z.string(),
  version: z.string(),
  graphs: z.array(z.string()),
  variables: z.array(z.string()),
  commit: z.string().nullable(),
  /** The control plane's id of the revision that answers; the public server has it under either name. */
  host: z
    .object({ host_revision_id: z.string().nullish(), revision_id: z.string().nullish() })
    .nullish(),
  /** The features that it has. */
  flags: z.record(z.string(), z.boolean()),
});
export type ServerInfo = z.infer<typeof ServerInfo>;

/**
 * Body of `POST /threads/{thread_id}/runs/wait`, which the contract does not show (the real servers'): which assistant or
 * graph works on the thread, and what it is given. Members that are not named here go through as they are.
 */
export const CreateRun = z.looseObject({
  assistant_id: z.string().min(1),
  input: z.unknown().optional(),
  metadata: FreeForm.optional(),
  config: FreeForm.optional(),
});
export type CreateRun = z.infer<typeof CreateRun>;

/** Response to `GET /threads/{thread_id}/runs` (the real servers'), newest first. */
export const RunsList = z.array(
  z.object({
    run_id: z.string(),
    /** `pending`, `running`, `success`, `error`, `timeout` or `interrupted`. */
    status: z.string(),
    metadata: FreeForm.nullish(),
  }),
);
export type RunsList = z.infer<typeof RunsList>;

/** The values after a run; `__error__` and `__interrupt__` in them say that it did not come to its end. */
export const RunValues = StateValues.extend({
  __error__: z.unknown().optional(),
  __interrupt__: z.unknown().optional(),
});
export type RunValues = z.infer<typeof RunValues>;

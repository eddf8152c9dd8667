import { z } from "zod";
import { recordOf } from "../../shared/records";

const FreeForm = z.record(z.string(), z.unknown());

/** Nodes of a graph, or `*` for all. */
const Nodes = z.union([z.literal("*"), z.array(z.string())]);

/**
 * Body of `PATCH /runs/crons/{cron_id}` (the real servers'): what is omitted stays. `metadata` is merged one level deep, all
 * other members are replaced. The server answers 200 to members that it does not change.
 */
export const UpdateCron = z.object({
  schedule: z.string().min(1).optional(),
  timezone: z.string().min(1).optional(),
  enabled: z.boolean().optional(),
  input: z.union([FreeForm, z.array(FreeForm)]).optional(),
  config: FreeForm.optional(),
  context: FreeForm.optional(),
  metadata: FreeForm.optional(),
  on_run_completed: z.enum(["delete", "keep"]).optional(),
  interrupt_before: Nodes.optional(),
  interrupt_after: Nodes.optional(),
  durability: z.enum(["sync", "async", "exit"]).optional(),
  webhook: z.string().min(1).optional(),
  end_time: z.iso
    .datetime({ offset: true, error: "must be a time such as 2030-01-31T12:00:00Z" })
    .nullish(),
});
export type UpdateCron = z.infer<typeof UpdateCron>;

/** Body of `POST /runs/crons`, and of `POST /threads/{thread_id}/runs/crons`. A second one makes a second cron. */
export const CreateCron = UpdateCron.extend({
  assistant_id: z.string().min(1),
  schedule: z.string().min(1),
  /** For a cron on a thread. */
  multitask_strategy: z.enum(["reject", "rollback", "interrupt", "enqueue"]).optional(),
});
export type CreateCron = z.infer<typeof CreateCron>;

/** Body of `POST /runs/crons/count`: which crons. Everything set must match. */
export const CountCrons = z.object({
  assistant_id: z.string().optional(),
  thread_id: z.string().optional(),
  metadata: FreeForm.optional(),
});
export type CountCrons = z.infer<typeof CountCrons>;

/** Body of `POST /runs/crons/search`: the newest first. */
export const SearchCrons = CountCrons.extend({
  limit: z.int().min(1).max(1000).default(10),
  offset: z.int().min(0).default(0),
});
export type SearchCrons = z.infer<typeof SearchCrons>;

/** A cron: a schedule by which an agent server runs an assistant. */
export interface Cron {
  readonly cron_id: string;
  readonly assistant_id: string;
  /** Null where each run has a thread of its own. */
  readonly thread_id: string | null;
  readonly schedule: string;
  readonly timezone: string;
  readonly enabled: boolean;
  readonly input: unknown;
  /** Without the id of the cron, which the server adds. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly context: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Null for a cron on a thread. */
  readonly on_run_completed: string | null;
  readonly interrupt_before: unknown;
  readonly interrupt_after: unknown;
  readonly durability: string | null;
  readonly multitask_strategy: string | null;
  readonly webhook: string | null;
  /** ISO 8601; null for none. */
  readonly end_time: string | null;
  /** ISO 8601. */
  readonly next_run_date: string | null;
  /** ISO 8601. */
  readonly created_at: string;
  /** ISO 8601. */
  readonly updated_at: string;
}

const Text = z.string().nullish();

/** A cron as an agent server returns it: most of what was sent is in its `payload`. */
export const CronResponse = z
  .object({
    cron_id: z.string().min(1),
    assistant_id: Text,
    thread_id: Text,
    schedule: z.string(),
    timezone: Text,
    enabled: z.boolean().nullish(),
    metadata: FreeForm.nullish(),
    on_run_completed: Text,
    end_time: Text,
    next_run_date: Text,
    payload: z
      .looseObject({
        assistant_id: Text,
        config: FreeForm.nullish(),
        context: FreeForm.nullish(),
        durability: Text,
        multitask_strategy: Text,
        webhook: Text,
      })
      .nullish(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .transform(({ payload, ...cron }): Cron => {
    const { configurable, ...rest } = payload?.config ?? {};
    const { cron_id: _own, ...others } = recordOf(configurable);
    return {
      ...cron,
      assistant_id: cron.assistant_id ?? payload?.assistant_id ?? "",
      thread_id: cron.thread_id ?? null,
      timezone: cron.timezone ?? "UTC",
      enabled: cron.enabled ?? true,
      metadata: cron.metadata ?? {},
      on_run_completed: cron.on_run_completed ?? null,
      end_time: cron.end_time ?? null,
      next_run_date: cron.next_run_date ?? null,
      input: payload?.["input"] ?? null,
      config: Object.keys(others).length > 0 ? { ...rest, configurable: others } : rest,
      context: payload?.context ?? {},
      interrupt_before: payload?.["interrupt_before"] ?? null,
      interrupt_after: payload?.["interrupt_after"] ?? null,
      durability: payload?.durability ?? null,
      multitask_strategy: payload?.multitask_strategy ?? null,
      webhook: payload?.webhook ?? null,
    };
  });

import { z } from "zod";
import { AssistantId, CreateCron, defaultAssistantId, ThreadId } from "../../sdk/schema";
import { replacementOn } from "../agent-server/deployment";
import { METADATA_OF_RUNS, RUN_CONFIG } from "../agent-server/run-config";
import { ApiKey } from "../arguments/api-key";
import { defineArguments } from "../arguments/arguments";
import { known } from "../arguments/decode";
import { DeploymentUrl } from "../arguments/deployment-url";
import { caseless } from "../arguments/forms";
import { excluded } from "../arguments/problems";
import type { Difference } from "../resource/define-lifecycle";
import { isTimezone, nextFiring, scheduleProblem } from "./schedule";

const text = z.string().min(1);
const wire = CreateCron.shape;
const Schedule = text.refine((given) => scheduleProblem(given) === undefined, {
  error: ({ input }) => scheduleProblem(String(input)),
});
const Timezone = text.refine(isTimezone, {
  error: "is not the name of a time zone, such as Europe/Berlin",
});

/** The arguments of a `Cron`. */
export const cronArguments = defineArguments(
  {
    deploymentUrl: { schema: DeploymentUrl, effect: "replace" },
    assistantId: { schema: AssistantId.optional(), form: caseless, effect: "replace" },
    graphId: { schema: text.optional(), effect: "replace" },
    threadId: { schema: ThreadId.optional(), form: caseless, effect: "replace" },
    schedule: { schema: Schedule, effect: "settings" },
    timezone: { schema: Timezone.optional(), effect: "settings", serviceDefault: "UTC" },
    enabled: { schema: wire.enabled, effect: "settings", serviceDefault: true },
    input: { schema: wire.context, effect: "settings" },
    config: RUN_CONFIG,
    context: { schema: wire.context, effect: "settings" },
    metadata: { schema: wire.metadata, effect: "settings" },
    onRunCompleted: { schema: wire.on_run_completed, effect: "settings", serviceDefault: "delete" },
    interruptBefore: { schema: z.array(text).optional(), effect: "settings" },
    interruptAfter: { schema: z.array(text).optional(), effect: "settings" },
    durability: { schema: wire.durability, effect: "settings", serviceDefault: "async" },
    multitaskStrategy: {
      schema: wire.multitask_strategy,
      effect: "replace",
      serviceDefault: "enqueue",
    },
    webhook: { schema: wire.webhook, effect: "settings" },
    endTime: { schema: wire.end_time, effect: "settings" },
    apiKey: { schema: ApiKey.optional(), effect: "none" },
    deploymentId: { schema: text.optional(), effect: "none" },
    adoptExisting: { schema: z.boolean().optional(), effect: "none" },
  },
  [
    {
      of: ["assistantId", "graphId"],
      property: "assistantId",
      reason: "or graphId is required, and not both",
      isBroken: ({ assistantId, graphId }) =>
        (assistantId === undefined) === (graphId === undefined),
    },
    excluded(
      "config.configurable",
      "cannot be combined with context: the server would take such a cron, and never fire it; put its values into context, its newer form",
      "context",
    ),
    excluded("onRunCompleted", "cannot be combined with threadId: the thread stays", "threadId"),
    {
      of: ["threadId", "multitaskStrategy"],
      property: "multitaskStrategy",
      reason: "needs threadId: without it each run has a thread of its own",
      isBroken: ({ threadId, multitaskStrategy }) =>
        multitaskStrategy !== undefined && threadId === undefined,
    },
    ...METADATA_OF_RUNS,
  ],
);

/** The declared state of a cron, or the recorded one. */
export type Declared = ReturnType<typeof cronArguments.decode>;

/** The effect of a replacement on the existing cron. */
export const LOSS = "deleted first, the threads of its runs stay";

/** What no request can clear: the server has a cron without it only from its create. */
const NOT_CLEARED = ["input", "webhook"] as const;

/**
 * Compares a state with inputs: what the server does not change replaces the cron. One that was not checked before is a
 * dependent, of which the engine asks whether it is to be deleted before its assistant, which is not deleted with crons.
 */
export function difference(
  olds: Declared,
  news: Declared,
  {
    isLost,
    isChecked,
    nowMs,
  }: Readonly<Record<"isLost" | "isChecked", boolean>> & { readonly nowMs: number },
): Difference {
  const changes = cronArguments.changes(olds, news);
  const cleared = NOT_CLEARED.filter((path) => changes.removed.includes(path));
  const goesFirst = changes.mayReplace.filter((path) => path === "assistantId" && !isChecked);
  const isSameAssistant = assistantOf(olds) === assistantOf(news);
  const immutable = changes.replaces.filter(
    (path) => !(isSameAssistant && (path === "assistantId" || path === "graphId")),
  );
  const replaces = [...immutable, ...cleared, ...goesFirst];
  const result = changes.changed.length > 0 ? {} : { changes: false };
  const moves = ["schedule", "timezone", "enabled"].some((path) =>
    changes.changed.some((changed) => changed === path),
  );
  const message = moves ? describeFiring(news, nowMs) : undefined;
  return replacementOn({ ...changes, replaces }, LOSS, isLost) ?? { result, message };
}

/** The id of its assistant: a server shows that of the graph's default assistant in the place of a graph. */
function assistantOf({ assistantId, graphId }: Declared): string | undefined {
  const graph = known(graphId);
  return graph === undefined ? known(assistantId)?.toLowerCase() : defaultAssistantId(graph);
}

/** When it fires next, as far as that is known. */
export function describeFiring(
  { schedule, timezone, enabled }: Declared,
  nowMs: number,
): string | undefined {
  if (known(enabled) === false) return "it is not enabled, so that it does not fire";
  const given = known(schedule);
  const zone = timezone === undefined ? "UTC" : known(timezone);
  if (given === undefined || zone === undefined) return undefined;
  const next = nextFiring(given, zone, nowMs);
  const isOfSix = given.trim().split(/\s+/).length === 6;
  return (
    next &&
    `it fires next on ${next}${isOfSix ? "; the last of its six fields is the seconds" : ""}`
  );
}

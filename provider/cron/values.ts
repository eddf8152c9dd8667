import type { CreateCron, Cron } from "../../sdk";
import { CreateCron as CreateCronBody, defaultAssistantId, UpdateCron } from "../../sdk/schema";
import { isRecord, recordOf } from "../../shared/records";
import { identityOf } from "../../shared/urn";
import { fromConfig, toConfig } from "../agent-server/run-config";
import { camelKeys, snakeKeys } from "../arguments/casing";
import { membersOf, ownMember, present, type Props, sameKnown } from "../arguments/props";
import { reportedOutputs, undeclaredOutputs } from "../arguments/reported";
import type { Context } from "../resource/context";
import { RESOURCE_TYPES } from "../resource-types";
import { cronArguments, type Declared } from "./diff";
import { momentIn } from "../../shared/moment";

/** Its name in messages, and its endpoint on an agent server. */
export const { noun: NOUN, endpoint: ENDPOINT } = RESOURCE_TYPES.Cron;

/**
 * The member of the metadata by which a create finds its own cron: the server chooses the ids. The threads and runs of the
 * cron have it too.
 */
export const MARK = "pulumi_cron";

/** The mark of a resource: its project, its stack, the types of its parents and its name, whatever its arguments are. */
export function markOf({ urn = "" }: Pick<Context, "urn">): string {
  const { project, stack, parentTypes, logicalName } = identityOf(urn);
  return [project, stack, ...parentTypes, logicalName].join("/");
}

/** The arguments that a PATCH takes. */
const SETTINGS: readonly string[] = cronArguments.pathsOf("settings");
const VALUES = ["assistantId", "threadId", "multitaskStrategy", ...SETTINGS];

/** What is sent for an argument that is removed, or that a create leaves out. */
const CLEARED: Props = {
  timezone: "UTC",
  enabled: true,
  config: {},
  context: {},
  interruptBefore: [],
  interruptAfter: [],
  durability: "async",
  endTime: null,
};

function clearedOf(name: string, { threadId }: Props): unknown {
  // A cron on a thread has null.
  const onRunCompleted = (threadId ?? undefined) === undefined ? "delete" : undefined;
  return name === "onRunCompleted" ? onRunCompleted : CLEARED[name];
}

/** The body of the POST: the defaults of what is not declared are sent, since a server's may change. */
export function toCreateRequest(inputs: Props, mark: string): CreateCron {
  const { assistantId, graphId, multitaskStrategy, timezone = "UTC", enabled = true } = inputs;
  const values = present({ ...membersOf(inputs, SETTINGS), timezone, enabled, multitaskStrategy });
  return CreateCronBody.parse({
    ...toWire({ onRunCompleted: clearedOf("onRunCompleted", inputs), ...values }),
    assistant_id: assistantId ?? graphId,
    metadata: { ...present(recordOf(inputs["metadata"])), [MARK]: mark },
  });
}

function toWire({ config, ...values }: Props): Props {
  return { ...snakeKeys(values), ...(config !== undefined && { config: toConfig(config) }) };
}

/** The values of a cron as a program declares them. */
function valuesOf(cron: Cron): Props {
  const { metadata, config, ...values } = camelKeys<Cron>(cron);
  return {
    ...membersOf(values, VALUES),
    config: fromConfig(config),
    metadata: present(metadata),
  };
}

/** The arguments that a cron has otherwise, as far as they are known. Other keys of its metadata do not count. */
export function differences(cron: Cron, inputs: Props): string[] {
  const observed = valuesOf(cron);
  const graphId = inputs["graphId"] ?? undefined;
  const assistantId = typeof graphId === "string" ? defaultAssistantId(graphId) : graphId;
  const declared = present(membersOf(inputs, VALUES));
  return Object.entries({ ...declared, ...(assistantId !== undefined && { assistantId }) })
    .filter(([name, value]) => !hasValue(name, value, observed[name]))
    .map(([name]) => (name === "assistantId" && graphId !== undefined ? "graphId" : name));
}

function hasValue(name: string, declared: unknown, observed: unknown): boolean {
  if (name === "metadata")
    return Object.entries(recordOf(declared)).every(([key, value]) =>
      sameKnown(value, ownMember(recordOf(observed), key)),
    );
  if (name === "endTime" && typeof declared === "string")
    return momentIn(declared) === momentIn(String(observed));
  return sameKnown(withoutEmpty(declared), withoutEmpty(observed));
}

function withoutEmpty(value: unknown): unknown {
  const isEmpty = Array.isArray(value)
    ? value.length === 0
    : isRecord(value) && Object.keys(present(value)).length === 0;
  return isEmpty ? undefined : (value ?? undefined);
}

/**
 * The PATCH that brings a cron to the inputs, and the arguments in it; undefined where it has all of them. `olds` are those
 * that may have been removed since.
 */
export function patchOf(
  cron: Cron,
  olds: Props,
  inputs: Props,
  mark: string,
): { readonly names: readonly string[]; readonly body: UpdateCron } | undefined {
  const removedKeys = Object.keys(recordOf(olds["metadata"]));
  const wanted = {
    ...Object.fromEntries(
      SETTINGS.map((name) => [
        name,
        inputs[name] ?? ((olds[name] ?? null) === null ? undefined : clearedOf(name, inputs)),
      ]),
    ),
    metadata: {
      ...Object.fromEntries(removedKeys.map((key) => [key, null])),
      ...present(recordOf(inputs["metadata"])),
    },
  };
  const observed = valuesOf(cron);
  const differing = Object.entries(wanted).filter(
    ([name, value]) => value !== undefined && !hasValue(name, value, observed[name]),
  );
  if (differing.length === 0) return undefined;
  const { metadata, ...values }: Props = Object.fromEntries(differing);
  const kept = cron.metadata[MARK] ?? mark;
  return {
    names: differing.map(([name]) => name),
    body: UpdateCron.parse({
      ...toWire(values),
      // The server keeps the time of a firing that was missed: a schedule that is sent computes it again.
      ...(values["enabled"] === true && { schedule: inputs["schedule"] }),
      // It merges the cron's own, and replaces that of the runs.
      ...(metadata !== undefined && { metadata: { ...recordOf(metadata), [MARK]: kept } }),
    }),
  };
}

/** The outputs of what is not declared. */
export const UNDECLARED = undeclaredOutputs(cronArguments.names);

/** Names of the outputs that come from the agent server. */
export const OBSERVED_NAMES = [
  "cronId",
  "nextRunDate",
  "lastRunStatus",
  "createdAt",
  "updatedAt",
] as const;

/** Everything that the state keeps: the inputs as they were declared, and what the agent server reports. */
export function toOutputs(inputs: Props, cron: Cron, lastRunStatus?: string): Props {
  return {
    ...UNDECLARED,
    ...inputs,
    ...reportedOutputs(OBSERVED_NAMES, { ...cron, last_run_status: lastRunStatus }),
  };
}

/** The defaults that a create sends: another value on the server is drift, though nothing is declared. */
const DEFAULTS: Props = { timezone: "UTC", enabled: true };

/** The inputs of a state with the server's values: what a refresh shows as drift. */
export function toInputs({ props }: Declared, cron: Cron): Props {
  const declared = cronArguments.given(props);
  const different = differences(cron, { ...DEFAULTS, ...declared });
  const { metadata, ...observed } = membersOf(valuesOf(cron), different);
  const keys = Object.keys(recordOf(declared["metadata"]));
  // What the server shows as null was removed there; what it does not show is as declared.
  return present({
    ...declared,
    ...observed,
    ...(metadata !== undefined && { metadata: membersOf(recordOf(metadata), keys) }),
  });
}

/** Every value that a server reports, as a program may declare it: of an import, and of `get`, nothing was declared. */
export function allInputs(cron: Cron): Props {
  const { metadata, ...values } = valuesOf(cron);
  const { [MARK]: _mark, ...others } = recordOf(metadata);
  const isEmpty = (value: unknown): boolean => withoutEmpty(value) === undefined;
  const all = Object.entries({ ...values, metadata: others });
  return cronArguments.withoutDefaults(
    Object.fromEntries(all.filter(([, value]) => !isEmpty(value))),
  );
}

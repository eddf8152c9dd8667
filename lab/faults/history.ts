import { z } from "zod";

/** A stack: `A`, or `B`, which appears beside it. */
export const StackName = z.enum(["A", "B"]);
export type StackName = z.infer<typeof StackName>;

export const RESOURCE_TYPE_NAMES = [
  "deployment",
  "listener",
  "oauthProvider",
  "thread",
  "assistant",
  "cron",
] as const;
export type ResourceTypeName = (typeof RESOURCE_TYPE_NAMES)[number];

/**
 * The fates of one request; a fault that says `after` comes when the server has done its work. Of a `late` one the client
 * loses the connection, and the server gets it when later ones have passed it. With `not found yet` and `old list` the
 * client reads a replica that lacks what was just created. A gateway answers `404` in the place of the service, or 200 with a
 * `page` to sign in. An `old response` to a PATCH is the thing as it was read before.
 * Errors quote the request, as those of servers do.
 */
export const FAULTS = [
  "lost before",
  "lost after",
  "reset",
  "page",
  "404",
  "429",
  "500",
  "502 before",
  "502 after",
  "503",
  "stale",
  "cut off",
  "half a body",
  "late",
  "not found yet",
  "old list",
  "old response",
  "refused",
] as const;
export type Fault = (typeof FAULTS)[number] | "401" | "kill";

/** Kills of processes of a command: with `kill engine` the provider lives on and does its work to the end. */
export const KILLS = ["kill provider", "kill engine", "kill both"] as const;

/** The same, and what only real processes can meet. */
export const INTERRUPTIONS = [...KILLS, "kill platform", "Ctrl-C", "Ctrl-C twice"] as const;
export type Interruption = (typeof INTERRUPTIONS)[number];

/**
 * Faults that last until the command ends: a key that expires, a service that stays away, or of which the gateway in front of
 * it knows nothing, reads from a slow replica. One of a request begins with it, and one of a write when that is done.
 */
export const LASTING = ["key expired", "service away", "gateway empty", "replicas lag"] as const;

/** Another client creates a revision right after the write. */
export const OTHER_DEPLOYS = "another client deploys";

/** A fault of one request of a command: the request, or the write among the writes, of this number from 0. */
export const PlannedFault = z.strictObject({
  at: z.int().min(0),
  of: z.enum(["request", "write"]),
  what: z.enum([...FAULTS, ...INTERRUPTIONS, ...LASTING, OTHER_DEPLOYS]),
  /** Of an interruption: whether the service has handled the request by then. */
  isAfter: z.boolean().optional(),
});
export type PlannedFault = z.infer<typeof PlannedFault>;

/** What every command of a history meets. */
export const Conditions = z.strictObject({
  /** The number of requests that the services take in a second, and at once. */
  requestsPerSecond: z.int().min(1).optional(),
  /** Whether every other read is of a replica that is late. */
  isLate: z.boolean().optional(),
  /** Threads are copies; the responses to so many are lost. */
  lostCopies: z.int().optional(),
});
export type Conditions = z.infer<typeof Conditions>;

/** A command on a stack. Things are numbers of the program's resources. */
const Command = z.strictObject({
  run: z.enum(["up", "preview", "refresh", "destroy"]),
  of: StackName,
  /** As `--target`. */
  target: z.array(z.int()).optional(),
  /** As `--replace`. */
  replace: z.array(z.int()).optional(),
  continueOnError: z.boolean().optional(),
  /** As `--refresh`. */
  refresh: z.boolean().optional(),
  /** As `refresh --clear-pending-creates`. */
  clearPendingCreates: z.boolean().optional(),
  /** Number of failed creates and updates that a hook of the program has called again. */
  retries: z.int().optional(),
  /** Whether the state of the stack can't be read. */
  hidesState: z.boolean().optional(),
  /** The time since the command before. */
  pauseMs: z.int().optional(),
  faults: z.array(PlannedFault).default([]),
});
export type Command = z.infer<typeof Command>;

const CommandStep = Command.extend({
  /** A command of the other stack that runs when this one's request of this number comes. */
  meanwhile: Command.extend({ at: z.int() }).optional(),
});
export type CommandStep = z.infer<typeof CommandStep>;

/** Changes of a program. */
export const PROGRAM_STEPS = [
  "change",
  "change three things",
  "take a change back",
  "rename",
  "rename with an alias",
  "move to the other front end",
  "move to the other front end with an alias",
  "remove or add",
  "toggle adoptExisting",
  "toggle retainOnDelete",
  "toggle ignoreChanges",
] as const;

/** Things that people do on the service, and that happen there. */
export const SERVICE_STEPS = [
  "change by hand",
  "delete by hand",
  "create by hand",
  "use",
  "fail the next stage",
  "push",
  "rotate what is ignored",
] as const;

/** Names that meet: of two resources, or of a resource and a thing of another client. */
export const NAME_STEPS = [
  "take another's name",
  "hand a name over",
  "meet another client's name",
  "lose a name to another client",
] as const;

/** Things that people do with a state, and with a second stack. */
export const STATE_STEPS = [
  "do what the errors say",
  "state delete",
  "restore an older state",
  "stack rename",
] as const;
export const SECOND_STEPS = ["begin on another backend", "state move", "import an export"] as const;

const ActorStep = z.strictObject({
  does: z.enum([
    ...PROGRAM_STEPS,
    ...SERVICE_STEPS,
    ...STATE_STEPS,
    ...SECOND_STEPS,
    ...NAME_STEPS,
  ]),
  of: StackName,
  /** The number of the resource. */
  thing: z.int().default(0),
  /** Chooses between the ways of doing it. */
  how: z.int().default(0),
});
export type ActorStep = z.infer<typeof ActorStep>;

export type Step = CommandStep | ActorStep;

/** All that happens in a schedule: the same history runs the same way. */
export const History = z.strictObject({
  /** The resources of the first program: its first declaration is the one of this shape. */
  things: z.array(
    z.strictObject({
      kind: z.enum(RESOURCE_TYPE_NAMES),
      frontEnd: z.enum(["dynamic", "native"]),
      shape: z.int(),
    }),
  ),
  /** The provider's clock minus the service's. */
  skewMinutes: z.int().default(0),
  /** Chooses jitter, and which way out of an error people take. */
  chance: z.int().default(0),
  /** Whether the programs call functions before they declare resources. */
  looksUp: z.boolean().default(false),
  conditions: Conditions.default({}),
  steps: z.array(z.union([CommandStep, ActorStep])),
});
export type History = z.infer<typeof History>;

export function isCommand(step: Step): step is CommandStep {
  return "run" in step;
}

/** The history as a program: JSON with a line for each step, which `--history FILE` runs. */
export function printed({ steps, ...rest }: History): string {
  const head = JSON.stringify(rest).slice(1, -1);
  const lines = steps.map((step) => `  ${JSON.stringify(step, withoutNone)}`);
  return `{ ${head}, "steps": [\n${lines.join(",\n")}\n]}`;
}

/** Leaves out an empty list: it is the default. */
function withoutNone(_name: string, value: unknown): unknown {
  return Array.isArray(value) && value.length === 0 ? undefined : value;
}

/** A command and what else it meets, in words. */
export function described({ run, of: _of, faults: _faults, pauseMs: _pauseMs, ...rest }: Command) {
  const flags = Object.entries(rest).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${String(value)}`],
  );
  return flags.length > 0 ? `${run} (${flags.join("; ")})` : run;
}

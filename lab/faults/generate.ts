import fc from "fast-check";
import {
  type ActorStep,
  type Command,
  type CommandStep,
  type Conditions,
  FAULTS,
  type History,
  INTERRUPTIONS,
  KILLS,
  LASTING,
  NAME_STEPS,
  OTHER_DEPLOYS,
  type PlannedFault,
  PROGRAM_STEPS,
  RESOURCE_TYPE_NAMES,
  type ResourceTypeName,
  SECOND_STEPS,
  SERVICE_STEPS,
  type StackName,
  STATE_STEPS,
  type Step,
} from "./history";
import type { FrontEndName } from "./trial";

/** The histories that are made. */
export interface Choice {
  /** The kind of the first resource. @default a deployment, which has most of the rules, in one of two histories */
  readonly kind?: ResourceTypeName | undefined;
  /** Every resource's front end, or `both`. */
  readonly frontEnd: FrontEndName | "both";
  readonly states: "one" | "two";
  /** Whether a command runs on the real engine, and is interrupted. */
  readonly engine?: boolean | undefined;
}

/** Arbitrary histories: fast-check shrinks one to fewer steps and faults, and these to earlier ones. */
export function histories(choice: Choice): fc.Arbitrary<History> {
  const { kind, states, engine } = choice;
  const any = thing(choice, RESOURCE_TYPE_NAMES);
  const first = kind ? thing(choice, [kind]) : fc.oneof(thing(choice, ["deployment"]), any);
  const others = engine
    ? list(any, 0, 7)
    : among([3, list(any, 0, 0)], [3, list(any, 1, 2)], [1, list(any, 3, 7)]);
  return fc
    .record({
      first,
      others,
      steps: engine ? stepsOnEngine() : states === "one" ? stepsOfOne() : stepsOfTwo(),
      chance: fc.nat(999),
      ...(!engine && {
        skewMinutes: fc.constantFrom(0, 0, 0, 4, -4),
        looksUp: fc.boolean(),
        conditions: rarely(conditions(), {}),
        meetings: rarely(list(meeting(), 1, 3), []),
      }),
    })
    .map(({ first: one, others: more, steps, meetings = [], ...environment }) => ({
      skewMinutes: 0,
      looksUp: false,
      conditions: {},
      ...environment,
      things: [one, ...more],
      steps: meetings.reduce(withMeeting, steps),
    }));
}

function thing({ frontEnd }: Choice, kinds: readonly ResourceTypeName[]) {
  const frontEnds = frontEnd === "both" ? (["dynamic", "native"] as const) : [frontEnd];
  return fc.record({
    kind: fc.constantFrom(...kinds),
    frontEnd: fc.constantFrom(...frontEnds),
    shape: fc.nat(99),
  });
}

/** One of these, as often as their weights say. */
function among<Value>(...options: readonly (readonly [weight: number, fc.Arbitrary<Value>])[]) {
  const weighted = options.map(([weight, arbitrary]) => ({ weight, arbitrary }));
  return fc.oneof({ withCrossShrink: true }, ...weighted);
}

function rarely<Value>(one: fc.Arbitrary<Value>, none: Value): fc.Arbitrary<Value> {
  return among([2, fc.constant(none)], [1, one]);
}

function list<Value>(one: fc.Arbitrary<Value>, minLength: number, maxLength: number) {
  return fc.array(one, { minLength, maxLength, size: "max" });
}

function conditions(): fc.Arbitrary<Conditions> {
  return fc.oneof(
    fc.record({ requestsPerSecond: fc.integer({ min: 1, max: 10 }) }),
    fc.constant({ isLate: true }),
    fc.record({ lostCopies: fc.nat(2) }),
  );
}

const UP: Command = { run: "up", of: "A", faults: [] };

function meeting() {
  return fc.tuple(fc.nat(13), actorStep(NAME_STEPS, ["A"]));
}

/** The steps with another one in its place, and an `up`. */
function withMeeting(steps: Step[], [at, step]: readonly [number, ActorStep]): Step[] {
  return [...steps.slice(0, at), step, { ...UP, of: step.of }, ...steps.slice(at)];
}

function stepsOf(stacks: readonly StackName[], minLength: number, maxLength: number) {
  return list(turnOf(stacks), minLength, maxLength).map((steps) => steps.flat());
}

/** In one of two histories the program is up before anything fails. */
function stepsOfOne(): fc.Arbitrary<Step[]> {
  const first = fc.constantFrom<Step[]>([], [UP]);
  return fc.tuple(first, stepsOf(["A"], 1, 14)).map((steps) => steps.flat());
}

/** The second stack appears early. */
function stepsOfTwo(): fc.Arbitrary<Step[]> {
  const begin = actorStep(SECOND_STEPS, ["A"]).map((step): Step[] => [step]);
  const both = stepsOf(["A", "B"], 1, 8);
  return fc.tuple(stepsOf(["A"], 0, 3), begin, both).map((steps) => steps.flat());
}

/** A create, an update or a destroy that is interrupted once. */
function stepsOnEngine(): fc.Arbitrary<Step[]> {
  const fault = fc.record({
    at: among([3, fc.nat(1)], [1, fc.nat(5)]),
    of: fc.constantFrom("request" as const, "write" as const),
    what: fc.constantFrom(...INTERRUPTIONS),
    isAfter: fc.boolean(),
  });
  const onceInterrupted = (run: Command["run"]) =>
    fault.map((one): Step[] => [{ run, of: "A", faults: [one] }]);
  const ups = fc.constant<Step[]>([UP]);
  const changes = list<Step>(actorStep(["change", "change three things"], ["A"]), 2, 5);
  const again = fc.constantFrom<Step[]>([], [{ ...UP, run: "destroy" }]);
  return fc
    .oneof(
      onceInterrupted("up"),
      fc.tuple(ups, changes, onceInterrupted("up")),
      fc.tuple(ups, onceInterrupted("destroy"), again),
    )
    .map((steps) => steps.flat());
}

/** A command, mostly after a change, or something that people do. */
function turnOf(stacks: readonly StackName[]): fc.Arbitrary<Step[]> {
  const next = plain(stacks);
  const change = actorStep(["change", "change", "change three things"], stacks);
  const changed = fc.record({ change, how: fc.nat(99), next });
  const alone = (step: fc.Arbitrary<Step>) => fc.tuple<Step[]>(step);
  const lasting = fc.constantFrom(...LASTING, OTHER_DEPLOYS, OTHER_DEPLOYS);
  return among<Step[]>(
    [6, alone(command(stacks))],
    [6, fc.tuple<Step[]>(change, command(stacks))],
    [2, changed.map(failing)],
    [4, fc.record({ change, how: fc.nat(99), next: fc.constant(UP) }).map(failing)],
    [1, changed.map(ignoring)],
    [2, fc.record({ change, what: lasting, next }).map(interrupted)],
    [1, fc.tuple(fc.record({ change, next }), unheard()).map((args) => takenBack(...args))],
    [2, alone(actorStep(PROGRAM_STEPS, stacks))],
    [1, fc.tuple(actorStep(CARRIES, stacks), next).map(([step, up]) => [step, upOf(step, up)])],
    [1, fc.constantFrom(...stacks).map(hasty)],
    [1, unconfirmed(stacks)],
    [2, alone(actorStep(SERVICE_STEPS, stacks))],
    [2, alone(actorStep(STATE_STEPS, stacks))],
  );
}

interface Changed {
  readonly change: ActorStep;
  readonly how: number;
  readonly next: Command;
}

/** A command as an `up` of a step's stack. */
function upOf({ of }: ActorStep, command_: Command = UP): Command {
  return { ...command_, of, run: "up" };
}

/** A change whose roll-out fails, after a push that builds nothing. */
function failing({ change, how, next }: Changed): Step[] {
  const { of, thing: at } = change;
  const what = { of, thing: at, how };
  const fails: ActorStep = { does: "fail the next stage", ...what };
  return [upOf(change), { does: "push", ...what }, change, fails, upOf(change, next)];
}

/** What the program ignores is changed by a person, and the program changes something else. */
function ignoring({ change, how, next }: Changed): Step[] {
  const what = { of: change.of, thing: change.thing, how };
  return [
    { does: "toggle ignoreChanges", ...what },
    upOf(change),
    { does: "rotate what is ignored", ...what },
    change,
    upOf(change, next),
  ];
}

/** A change whose roll-out is not followed to its end, and the `up` after it. */
function interrupted({
  change,
  what,
  next,
}: Pick<Changed, "change" | "next"> & Pick<PlannedFault, "what">): Step[] {
  const first = { ...upOf(change), faults: [{ at: 0, of: "write" as const, what }] };
  return [change, first, { ...upOf(change, next), faults: [] }];
}

const SILENCES = ["service away", "gateway empty", "key expired"] as const;

/** A write without a response, after which the service answers no more, or a gateway does, or refuses the key. */
function unheard(): fc.Arbitrary<PlannedFault[]> {
  const first = { at: 0, of: "write" } as const;
  return fc.constantFrom(...SILENCES).map((what) => [
    { ...first, what: "lost after" },
    { ...first, what },
  ]);
}

/** A change of which nothing is heard, and which the program takes back. */
function takenBack(
  { change, next }: Pick<Changed, "change" | "next">,
  met: PlannedFault[],
): Step[] {
  const back: ActorStep = { ...change, does: "take a change back" };
  return [upOf(change), change, { ...upOf(change), faults: met }, back, upOf(change, next)];
}

/** What a resource is carried through without a replacement. */
const CARRIES = [
  "rename with an alias",
  "move to the other front end with an alias",
] as const satisfies ActorStep["does"][];

/** What was created a moment before is destroyed, and no replica shows it yet. */
function hasty(of: StackName): Step[] {
  const lag: PlannedFault = { at: 0, of: "request", what: "replicas lag" };
  const destroy: Command = { run: "destroy", of, faults: [] };
  return [destroy, { ...UP, of }, { ...destroy, pauseMs: 10, faults: [lag] }];
}

/** Creates of which nothing is heard, perhaps in the next `up` too, and what people do after them. */
function unconfirmed(stacks: readonly StackName[]): fc.Arbitrary<Step[]> {
  return fc
    .record({
      of: fc.constantFrom(...stacks),
      met: unheard(),
      again: fc.constantFrom<PlannedFault[]>([], [{ at: 0, of: "request", what: "service away" }]),
      end: fc.constantFrom<Partial<Command>[]>(
        {},
        { run: "destroy" },
        { run: "destroy", refresh: true },
      ),
    })
    .map(({ of, met, again, end }) => {
      const destroy: Command = { run: "destroy", of, faults: [] };
      const next = again.length > 0 ? [{ ...UP, of, faults: again }] : [];
      return [destroy, { ...UP, of, faults: met }, ...next, { ...UP, of, ...end }];
    });
}

function actorStep(does: readonly ActorStep["does"][], stacks: readonly StackName[]) {
  return fc.record({
    does: fc.constantFrom(...does),
    of: fc.constantFrom(...stacks),
    thing: fc.nat(7),
    how: fc.nat(99),
  });
}

/** Two creates may come right after one another, within the lag of a replica, or far apart. No two have the same time. */
const PAUSES_MS = [30_000, 30_000, 1_500, 10] as const;

function command(stacks: readonly StackName[]): fc.Arbitrary<CommandStep> {
  if (stacks.length === 1) return plain(stacks);
  const nested = fc.option(fc.tuple(fc.nat(4), plain(stacks)), { freq: 5 });
  return fc
    .tuple(plain(stacks), nested)
    .map(([outer, inner]) =>
      inner === null ? outer : { ...outer, meanwhile: { ...inner[1], at: inner[0] } },
    );
}

type Flags = Pick<
  Command,
  | "target"
  | "replace"
  | "continueOnError"
  | "refresh"
  | "clearPendingCreates"
  | "retries"
  | "hidesState"
>;

function plain(stacks: readonly StackName[]): fc.Arbitrary<Command> {
  const flags: fc.Arbitrary<Flags> = fc.record(
    {
      target: fc.uniqueArray(fc.nat(7), { minLength: 1, maxLength: 3 }),
      replace: fc.uniqueArray(fc.nat(7), { minLength: 1, maxLength: 2 }),
      continueOnError: fc.constant(true),
      refresh: fc.constant(true),
      clearPendingCreates: fc.constant(true),
      retries: fc.integer({ min: 1, max: 2 }),
      hidesState: fc.constant(true),
    },
    { requiredKeys: [] },
  );
  return fc
    .record({
      run: among(
        [6, fc.constant<Command["run"]>("up")],
        [2, fc.constant("refresh")],
        [2, fc.constantFrom("preview", "destroy")],
      ),
      of: fc.constantFrom(...stacks),
      // Most commands have no flag.
      flags: among([3, fc.constant<Flags>({})], [1, flags]),
      pauseMs: fc.constantFrom(...PAUSES_MS),
      faults: faults(),
    })
    .map(({ flags: { target, replace, refresh, clearPendingCreates, ...set }, ...rest }) => ({
      ...rest,
      ...set,
      ...(rest.run === "up" && { ...(target && { target }), ...(replace && { replace }) }),
      ...((rest.run === "up" || rest.run === "destroy") && refresh && { refresh }),
      ...(rest.run === "refresh" && clearPendingCreates && { clearPendingCreates }),
    }));
}

/** None, few or many transient faults, and perhaps a kill. */
function faults(): fc.Arbitrary<PlannedFault[]> {
  // What comes before the first write, such as the program's own requests, is met as often as the rest.
  const place = { at: fc.oneof(fc.nat(3), fc.nat(13)), of: fc.constant("request" as const) };
  const early = { at: fc.nat(2), of: fc.constant("write" as const) };
  const what = fc.constantFrom(...FAULTS);
  const transient = fc.oneof(fc.record({ ...place, what }), fc.record({ ...early, what }));
  // A key that expires is as likely as a kill: both end what a command was about to do.
  const end = { what: fc.constantFrom(...KILLS, ...LASTING), isAfter: fc.boolean() };
  const last = among<PlannedFault>(
    [1, fc.record({ ...place, ...end })],
    [2, fc.record({ ...early, ...end })],
  );
  return among<PlannedFault[]>(
    [4, fc.constant([])],
    [3, list<PlannedFault>(transient, 1, 5)],
    [4, fc.tuple(last)],
    [1, fc.tuple(transient, last)],
    [1, lostBehindLag()],
  );
}

/** A write whose response is lost, and replicas that do not show yet what it has done. */
function lostBehindLag(): fc.Arbitrary<PlannedFault[]> {
  const what = fc.constantFrom(...(["lost after", "502 after", "cut off", "half a body"] as const));
  return fc.tuple(fc.nat(2), what).map(([at, lost]) => [
    { at, of: "write", what: lost },
    { at: 0, of: "request", what: "replicas lag" },
  ]);
}

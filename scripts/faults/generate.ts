import fc from "fast-check";
import type { Climate } from "./climate";
import { type Form, FORMS } from "./forms";
import {
  type Command,
  type CommandStep,
  type History,
  KILLS,
  RESOURCE_TYPE_NAMES,
  type ResourceTypeName,
  LASTING,
  NAME_STEPS,
  OTHER_DEPLOYS,
  type PersonStep,
  type PlannedFault,
  PAGES_SHIFT,
  PROGRAM_STEPS,
  SECOND_STEPS,
  SERVICE_STEPS,
  type StackName,
  STATE_STEPS,
  type Step,
} from "./history";
import { FAULTS } from "./proxy";
import type { FrontEndName } from "./trial";

/** The histories that are made. */
export interface Choice {
  /** The kind of the first resource. @default a deployment, which has most of the rules, in one of two histories */
  readonly kind?: ResourceTypeName | undefined;
  /** Every resource's front end, or `both`. */
  readonly frontEnd: FrontEndName | "both";
  readonly states: "one" | "two";
}

/** Arbitrary histories: fast-check shrinks one to fewer steps and faults, and these to earlier ones. */
export function histories({ kind, frontEnd, states }: Choice): fc.Arbitrary<History> {
  const frontEnds = frontEnd === "both" ? (["dynamic", "native"] as const) : ([frontEnd] as const);
  const thingOf = (among: readonly ResourceTypeName[]) =>
    fc.record({
      kind: fc.constantFrom(...among),
      frontEnd: fc.constantFrom(...frontEnds),
      shape: fc.nat(99),
    });
  const others = fc.oneof(
    { withCrossShrink: true },
    { weight: 3, arbitrary: fc.constant([]) },
    {
      weight: 3,
      arbitrary: fc.array(thingOf(RESOURCE_TYPE_NAMES), { minLength: 1, maxLength: 2 }),
    },
    {
      weight: 1,
      arbitrary: fc.array(thingOf(RESOURCE_TYPE_NAMES), { minLength: 3, maxLength: 7 }),
    },
  );
  const steps = states === "one" ? stepsOfOne() : stepsOfTwo();
  return fc
    .tuple(
      kind === undefined
        ? fc.oneof(thingOf(["deployment"]), thingOf(RESOURCE_TYPE_NAMES.slice(1)))
        : thingOf([kind]),
      others,
      steps,
      fc.record({
        skewMinutes: fc.constantFrom(0, 0, 0, 4, -4),
        chance: fc.nat(999),
        looksUp: fc.boolean(),
        forms: fc.oneof(
          { withCrossShrink: true },
          { weight: 3, arbitrary: fc.constant<Form[]>([]) },
          {
            weight: 1,
            arbitrary: fc.array(fc.constantFrom(...FORMS), { minLength: 1, maxLength: 2 }),
          },
        ),
      }),
      // What comes last leaves the rest of a seed's history as it was.
      rarely(climates(), {}),
      rarely(
        fc.array(fc.tuple(fc.nat(13), person(NAME_STEPS, ["A"])), { minLength: 1, maxLength: 3 }),
        [],
      ),
    )
    .map(([first, rest, all, world, climate, meetings]) => {
      const things = [first, ...rest];
      return { things, ...world, climate, steps: meetings.reduce(withMeeting, all) };
    });
}

function rarely<Value>(arbitrary: fc.Arbitrary<Value>, none: Value): fc.Arbitrary<Value> {
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 2, arbitrary: fc.constant(none) },
    { weight: 1, arbitrary },
  );
}

function climates(): fc.Arbitrary<Climate> {
  return fc.oneof(
    fc.record({ requestsPerSecond: fc.integer({ min: 1, max: 10 }) }),
    fc.constant({ isLate: true }),
    fc.record({ lostCopies: fc.nat(2) }),
  );
}

/** The steps with another one in its place, and an `up`. */
function withMeeting(steps: Step[], [at, meeting]: [number, PersonStep]): Step[] {
  return [...steps.slice(0, at), meeting, { ...UP, of: meeting.of }, ...steps.slice(at)];
}

function stepsOf(stacks: readonly StackName[], minLength: number, maxLength: number) {
  const turns = fc.array(turnOf(stacks), { minLength, maxLength, size: "max" });
  return turns.map((steps) => steps.flat());
}

/** In one of two histories the program is up before anything fails. */
function stepsOfOne(): fc.Arbitrary<Step[]> {
  const up: Step = { run: "up", of: "A", faults: [] };
  return fc
    .tuple(fc.constantFrom<Step[]>([], [up]), stepsOf(["A"], 1, 14))
    .map(([first, then]) => [...first, ...then]);
}

/** The second stack appears early. */
function stepsOfTwo(): fc.Arbitrary<Step[]> {
  const begin = person(SECOND_STEPS, ["A"]);
  return fc
    .tuple(stepsOf(["A"], 0, 3), begin, stepsOf(["A", "B"], 1, 8))
    .map(([before, second, after]) => [...before, second, ...after]);
}

/** A command, mostly after a change, or something that people do. */
function turnOf(stacks: readonly StackName[]): fc.Arbitrary<Step[]> {
  const alone = (step: fc.Arbitrary<Step>) => fc.tuple<Step[]>(step);
  const change = person(["change", "change", "change three things"], stacks);
  return fc.oneof(
    { weight: 6, arbitrary: alone(command(stacks)) },
    { weight: 6, arbitrary: fc.tuple<Step[]>(change, command(stacks)) },
    { weight: 2, arbitrary: fc.tuple(change, fc.nat(99), plain(stacks)).map(failing) },
    { weight: 4, arbitrary: fc.tuple(change, fc.nat(99), fc.constant(UP)).map(failing) },
    { weight: 1, arbitrary: fc.tuple(change, fc.nat(99), plain(stacks)).map(ignoring) },
    { weight: 2, arbitrary: fc.tuple(change, lastingFault(), plain(stacks)).map(interrupted) },
    { weight: 2, arbitrary: alone(person(PROGRAM_STEPS, stacks)) },
    { weight: 1, arbitrary: fc.tuple(person(CARRIES, stacks), plain(stacks)).map(carried) },
    { weight: 1, arbitrary: fc.constantFrom(...stacks).map(hasty) },
    { weight: 2, arbitrary: alone(person(SERVICE_STEPS, stacks)) },
    { weight: 2, arbitrary: alone(person(STATE_STEPS, stacks)) },
  );
}

const UP: Command = { run: "up", of: "A", faults: [] };

/** A change whose roll-out fails, after a push that builds nothing. */
function failing([change, how, next]: [PersonStep, number, Command]): Step[] {
  const { of, thing } = change;
  const what = { of, thing, how };
  const up = { ...next, of, run: "up" as const };
  return [
    { ...UP, of },
    { does: "push", ...what },
    change,
    { does: "fail the next stage", ...what },
    up,
  ];
}

/** What the program ignores is changed by a person, and the program changes something else. */
function ignoring([change, how, next]: [PersonStep, number, Command]): Step[] {
  const { of, thing } = change;
  return [
    { does: "toggle ignoreChanges", of, thing, how },
    { ...UP, of },
    { does: "rotate what is ignored", of, thing, how },
    change,
    { ...next, of, run: "up" },
  ];
}

/** A change whose roll-out is not followed to its end, and the `up` after it. */
function interrupted([change, what, next]: [PersonStep, Lasting, Command]): Step[] {
  const { of } = change;
  const fault: PlannedFault = { at: 0, of: "write", what };
  return [change, { run: "up", of, faults: [fault] }, { ...next, of, run: "up", faults: [] }];
}

/** What a resource is carried through without a replacement. */
const CARRIES = [
  "rename with an alias",
  "move to the other front end with an alias",
] as const satisfies PersonStep["does"][];

function carried([step, next]: [PersonStep, Command]): Step[] {
  return [step, { ...next, of: step.of, run: "up" }];
}

/** What was created a moment before is destroyed, and no replica shows it yet. */
function hasty(of: StackName): Step[] {
  const lag: PlannedFault = { at: 0, of: "request", what: "replicas lag" };
  return [
    { run: "destroy", of, faults: [] },
    { run: "up", of, faults: [] },
    { run: "destroy", of, pauseMs: 10, faults: [lag] },
  ];
}

type Lasting = (typeof LASTING)[number] | typeof OTHER_DEPLOYS;

function lastingFault(): fc.Arbitrary<Lasting> {
  return fc.constantFrom(...LASTING, OTHER_DEPLOYS, OTHER_DEPLOYS);
}

function person(
  does: readonly PersonStep["does"][],
  stacks: readonly StackName[],
): fc.Arbitrary<PersonStep> {
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
  const one = plain(stacks);
  if (stacks.length === 1) return one;
  const nested = fc.option(fc.tuple(fc.nat(4), plain(stacks)), { freq: 5 });
  return fc
    .tuple(one, nested)
    .map(([outer, inner]) =>
      inner === null ? outer : { ...outer, meanwhile: { ...inner[1], at: inner[0] } },
    );
}

type Flags = Pick<
  Command,
  "target" | "replace" | "continueOnError" | "clearPendingCreates" | "retries" | "hidesState"
>;

function plain(stacks: readonly StackName[]): fc.Arbitrary<Command> {
  const run = fc.constantFrom(
    ...(["up", "up", "up", "up", "up", "up", "refresh", "refresh", "preview", "destroy"] as const),
  );
  const flags: fc.Arbitrary<Flags> = fc.record(
    {
      target: fc.uniqueArray(fc.nat(7), { minLength: 1, maxLength: 3 }),
      replace: fc.uniqueArray(fc.nat(7), { minLength: 1, maxLength: 2 }),
      continueOnError: fc.constant(true),
      clearPendingCreates: fc.constant(true),
      retries: fc.integer({ min: 1, max: 2 }),
      hidesState: fc.constant(true),
    },
    { requiredKeys: [] },
  );
  // Most commands have no flag.
  const few = fc.oneof(
    { withCrossShrink: true },
    { weight: 3, arbitrary: fc.constant<Flags>({}) },
    { weight: 1, arbitrary: flags },
  );
  return fc
    .record({
      run,
      of: fc.constantFrom(...stacks),
      flags: few,
      pauseMs: fc.constantFrom(...PAUSES_MS),
      faults: faults(),
    })
    .map(({ flags: { target, replace, clearPendingCreates, ...set }, ...rest }) => ({
      ...rest,
      ...set,
      ...(rest.run === "up" && { ...(target && { target }), ...(replace && { replace }) }),
      ...(rest.run === "refresh" && clearPendingCreates && { clearPendingCreates }),
    }));
}

/** None, few or many transient faults, and perhaps a kill. */
function faults(): fc.Arbitrary<PlannedFault[]> {
  // What comes before the first write, such as the program's own requests, is met as often as the rest.
  const place = { at: fc.oneof(fc.nat(3), fc.nat(13)), of: fc.constant("request" as const) };
  const early = { at: fc.nat(2), of: fc.constant("write" as const) };
  const transient = fc.oneof(
    fc.record({ ...place, what: fc.constantFrom(...FAULTS, PAGES_SHIFT) }),
    fc.record({ ...early, what: fc.constantFrom(...FAULTS) }),
  );
  // A key that expires is as likely as a kill: both end what a command was about to do.
  const grave = fc.constantFrom(...KILLS, ...KILLS, ...LASTING, ...LASTING, ...LASTING);
  const last = fc.oneof(
    fc.record({ ...place, what: grave }),
    fc.record({ ...early, what: grave }),
    fc.record({ ...early, what: grave }),
  );
  const few = (most: number, one: fc.Arbitrary<PlannedFault>) =>
    fc.array(one, { minLength: 1, maxLength: most, size: "max" });
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 4, arbitrary: fc.constant<PlannedFault[]>([]) },
    { weight: 3, arbitrary: few(5, transient) },
    { weight: 4, arbitrary: few(1, last) },
    { weight: 1, arbitrary: fc.tuple(transient, last).map((both) => [...both]) },
    { weight: 1, arbitrary: lostBehindLag() },
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

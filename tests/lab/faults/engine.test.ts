import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CustomResource, type CustomResourceOptions } from "@pulumi/pulumi";
import { expect } from "chai";
import { Engine } from "../../../lab/faults/engine";
import type { Declared } from "../../../lab/faults/provider";
import { TestStack } from "../../support/engine";
import { describeIn } from "../../support/tiers";
import { untyped } from "../../support/values";
import { recorder, type Script } from "./recorder";

const TEXT = `exports.handler = () => require(${JSON.stringify(join(__dirname, "recorder.js"))}).provider;`;
const TYPE = "pulumi-nodejs:dynamic/recorder:Thing";
const urnOf = (name: string) => `urn:pulumi:test::shop::${TYPE}::${name}`;
const URN = urnOf("thing");

interface Thing {
  readonly value?: string;
  readonly does?: Script;
  readonly deleteBeforeReplace?: boolean;
  readonly retainOnDelete?: boolean;
  readonly ignoreChanges?: string[];
  readonly aliases?: string[];
}

/** A command, and what the program declares at it; nothing where the resource is removed from the program. */
interface Step extends Thing {
  readonly run: "up" | "up --replace" | "refresh" | "destroy" | "destroy --refresh";
  readonly other?: Thing;
  /** Whether the program has another name for it. */
  readonly isRenamed?: boolean;
  /** Names, as `--target` takes URNs. */
  readonly target?: readonly string[];
  readonly continueOnError?: boolean;
}

const up = (value: string, does: Script = {}, options: Partial<Step> = {}): Step => ({
  run: "up",
  value,
  does,
  ...options,
});
const destroy: Step = { run: "destroy" };
const REPLACED = { replaces: ["value"] };

/** What a diff answers where it does not compare. */
const DIFFS: Readonly<Record<string, Script["diff"]>> = {
  last: REPLACED,
  first: { ...REPLACED, deleteBeforeReplace: true },
  same: { changes: false },
};

/** Commands that a line has in one word. */
const COMMANDS: Readonly<Record<string, Step["run"]>> = {
  replace: "up --replace",
  "destroy-refreshed": "destroy --refresh",
};

/** The steps of a line: of each the command, the value that is declared, and what the provider does. */
function stepsOf(line: string): Step[] {
  return line.split(", ").map((step) => {
    const [run = "", value, ...happens] = step.split(" ");
    const does = happens.map((what) => (DIFFS[what] ? ["diff", DIFFS[what]] : what.split(":")));
    return untyped({ run: COMMANDS[run] ?? run, value, does: value && Object.fromEntries(does) });
  });
}

const QUICK = {
  "a first failure by half, its update, and a replacement that goes first and fails":
    "up a create:half, up a, up b first create:fails, up b first, destroy",
};

const SCENARIOS = {
  "a create that fails": "up a create:fails, up a, destroy",
  "a failure by half that a refresh forgets":
    "up a create:half, refresh a, up a create:half, destroy",
  "a forced replacement": "up a, replace a, destroy",
  "a failure by half, and a destroy that refreshes": "up a create:half, destroy-refreshed",
  "what is gone": "up a read:gone, refresh a, up a, destroy",
  "a replacement that goes first and fails, and is taken back":
    "up a, up b first create:fails, up a, destroy",
  "a forced replacement that fails while the deletion of an earlier one is still to come":
    "up a delete:fails, up b last, replace b create:fails, up b",
  "a replacement that goes last and fails by half": "up a, up b last create:half, up b, destroy",
};

const OPTIONS: Readonly<Record<string, readonly Step[]>> = {
  "a target beside a new resource, a changed one and one that leaves the program": [
    up("a", {}, { target: ["thing"], other: { value: "x" } }),
    up("a", {}, { other: { value: "x" } }),
    up("b", {}, { target: ["thing"], other: { value: "y" } }),
    up("c", {}, { target: ["other"] }),
    destroy,
  ],
  "errors that the command continues on, with a deletion after them": [
    up("a", { create: "fails" }, { continueOnError: true, other: { value: "x" } }),
    up("a", {}, { other: { value: "x" } }),
    up("b", { update: "fails" }, { continueOnError: true }),
    destroy,
  ],
  "an error that ends the command, before a deletion": [
    up("a", {}, { other: { value: "x" } }),
    up("b", { update: "fails" }),
    destroy,
  ],
  "what is retained": [
    up("a", {}, { retainOnDelete: true, other: { value: "x" } }),
    up("b", { diff: REPLACED }, { retainOnDelete: true, other: { value: "x" } }),
    up("b", {}, { retainOnDelete: true }),
    { run: "up" },
  ],
  "a forced replacement that goes first, by the option": [
    up("a", {}, { deleteBeforeReplace: true }),
    { ...up("a", {}, { deleteBeforeReplace: true }), run: "up --replace" },
    destroy,
  ],
  "a rename with an alias while the deletion of what a replacement has left is still to come": [
    up("a", { delete: "fails" }),
    up("b", { diff: REPLACED }),
    up("b", {}, { isRenamed: true, aliases: [URN] }),
  ],
  "changes that are ignored": [
    up("a"),
    up("b", {}, { ignoreChanges: ["value"] }),
    up("b", {}, { ignoreChanges: ["value", "does"] }),
    up("b"),
    destroy,
  ],
};

const RARE = {
  "an update that fails by half": "up a, up b update:half, up b update:half, up b, destroy",
  "a replacement that goes last, and whose deletion fails":
    "up a delete:fails, up b last, up b last",
  "a refresh that fails": "up a read:fails, refresh a, up a, destroy",
  "an update that fails": "up a, up b update:fails, up b, destroy",
  "a replacement whose deletion fails": "up a delete:fails, up b first, up b first",
  "what drifts": "up a read:drift, refresh a, up a, destroy",
  "a resource that leaves the program, and whose deletion fails":
    "up a delete:fails, up, up a, destroy",
  "no changes, says the diff": "up a, up b same, up b same, destroy",
  "a replacement that goes first and fails, and goes last then":
    "up a, up b first create:fails, up b last, destroy",
  "a replacement that goes first and fails, and a refresh":
    "up a, up b first create:fails, refresh b, up b, destroy",
  "a replacement that goes first and fails, and a destroy":
    "up a, up b first create:fails, destroy",
};

class RecordedThing extends CustomResource {
  constructor(name: string, props: Record<string, unknown>, options: CustomResourceOptions) {
    const outputs = { made: undefined, updated: undefined };
    super(TYPE, name, { ...outputs, ...props, __provider: TEXT }, options);
  }
}

/** The resources of a step, by name, without what is of the step. */
function thingsOf(step: Step): [string, Thing][] {
  const { run: _, target: _target, continueOnError: _continues, other, ...own } = step;
  const { isRenamed = false, ...thing } = own;
  const all: [string, Thing | undefined][] = [
    [isRenamed ? "renamed" : "thing", thing.value === undefined ? undefined : thing],
    ["other", other],
  ];
  return all.flatMap(([name, found]) => (found ? [[name, found]] : []));
}

/** The real engine has several resources at once in an order of its own. */
const orderOf = (steps: readonly Step[], lines: readonly string[]): readonly string[] =>
  steps.some(({ other }) => other) ? lines.toSorted() : lines;

/** The requests of the real engine to its provider, and whether each command succeeded. */
async function onTheEngine(steps: readonly Step[]): Promise<string[]> {
  const stack = await TestStack.create({}, async () => undefined);
  const record = join(stack.project.dir, "record");
  process.env["AGENTSERVER_TEST_RECORD"] = record;
  await writeFile(record, "");
  const asked: string[] = [];
  try {
    for (const step of steps) {
      stack.program = async () => {
        for (const [name, { value, does, ...options }] of thingsOf(step))
          new RecordedThing(name, { value, does }, options);
      };
      const { target, continueOnError = false } = step;
      const options = { continueOnError, ...(target && { target: target.map(urnOf) }) };
      const command = {
        up: () => stack.up(options),
        "up --replace": () => stack.up({ replace: [URN] }),
        refresh: () => stack.refresh(),
        destroy: () => stack.destroy(),
        "destroy --refresh": () => stack.destroy({ refresh: true }),
      }[step.run];
      const { ok } = await command();
      const lines = (await readFile(record, "utf8")).split("\n").filter((line) => line !== "");
      await writeFile(record, "");
      asked.push(`== ${step.run}`, ...orderOf(steps, lines), ok ? "green" : "failed");
    }
    return asked;
  } finally {
    await stack.remove();
  }
}

async function onTheModel(steps: readonly Step[]): Promise<string[]> {
  const asked: string[] = [];
  const lines: string[] = [];
  const provider = recorder((line) => lines.push(line));
  const engine = new Engine(async () => ({ providerOf: () => provider, isLost: () => false }));
  for (const step of steps) {
    const program = thingsOf(step).map(([name, { value, does, ...options }]): Declared => {
      const inputs = { value, does, __provider: TEXT };
      return { urn: urnOf(name), kind: "thing", inputs, ...options };
    });
    const { target, continueOnError = false } = step;
    asked.push(`== ${step.run}`);
    const command = {
      up: () => engine.up(program, { continueOnError, target: target?.map(urnOf) }),
      "up --replace": () => engine.up(program, { replace: [URN] }),
      refresh: () => engine.refresh(),
      destroy: () => engine.destroy(),
      "destroy --refresh": () => engine.destroy({ refresh: true }),
    }[step.run];
    const { isGreen } = await command();
    asked.push(...orderOf(steps, lines.splice(0)), isGreen ? "green" : "failed");
  }
  return asked;
}

const TIERS = { short: QUICK, long: { ...SCENARIOS, ...OPTIONS }, nightly: RARE };

for (const tier of ["short", "long", "nightly"] as const)
  describeIn(tier, "the model of the engine asks a provider what the real one asks, for", () => {
    for (const [name, given] of Object.entries<string | readonly Step[]>(TIERS[tier]))
      it(name, async () => {
        const steps = typeof given === "string" ? stepsOf(given) : given;
        expect(await onTheModel(steps)).to.deep.equal(await onTheEngine(steps));
      });
  });

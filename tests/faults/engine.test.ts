import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CustomResource, type CustomResourceOptions } from "@pulumi/pulumi";
import { expect } from "chai";
import { Engine } from "../../scripts/faults/engine";
import type { Declared } from "../../scripts/faults/provider";
import { TestStack } from "../support/engine";
import { describeLong, describeNightly } from "../support/tiers";
import { recorder, type Script } from "./recorder";

const TEXT = `exports.handler = () => require(${JSON.stringify(join(__dirname, "recorder.js"))}).provider;`;
const TYPE = "pulumi-nodejs:dynamic/recorder:Thing";
const URN = `urn:pulumi:test::shop::${TYPE}::thing`;

/** A command, and what the program declares at it; nothing where the resource is removed from the program. */
interface Step {
  readonly run: "up" | "up --replace" | "refresh" | "destroy";
  readonly value?: string;
  readonly does?: Script;
  readonly deleteBeforeReplace?: boolean;
}

const up = (value: string, does: Script = {}, options: Partial<Step> = {}): Step => ({
  run: "up",
  value,
  does,
  ...options,
});
const refresh = (value: string, does: Script = {}): Step => ({ run: "refresh", value, does });
const destroy: Step = { run: "destroy" };
const REPLACED = { replaces: ["value"] };
const REPLACED_FIRST = { replaces: ["value"], deleteBeforeReplace: true };

const QUICK: Readonly<Record<string, readonly Step[]>> = {
  "a first failure by half, its update, and a replacement that goes first and fails": [
    up("a", { create: "half" }),
    up("a"),
    up("b", { diff: REPLACED_FIRST, create: "fails" }),
    up("b", { diff: REPLACED_FIRST }),
    destroy,
  ],
};

const SCENARIOS: Readonly<Record<string, readonly Step[]>> = {
  "a create that fails": [up("a", { create: "fails" }), up("a"), destroy],
  "a failure by half that a refresh forgets": [
    up("a", { create: "half" }),
    refresh("a"),
    up("a", { create: "half" }),
    destroy,
  ],
  "a forced replacement": [up("a"), { ...up("a"), run: "up --replace" }, destroy],
  "what is gone": [up("a", { read: "gone" }), refresh("a"), up("a"), destroy],
  "a replacement that goes first and fails, and is taken back": [
    up("a"),
    up("b", { diff: REPLACED_FIRST, create: "fails" }),
    up("a"),
    destroy,
  ],
  "a forced replacement that fails while the deletion of an earlier one is still to come": [
    up("a", { delete: "fails" }),
    up("b", { diff: REPLACED }),
    { ...up("b", { create: "fails" }), run: "up --replace" },
    up("b"),
  ],
  "a replacement that goes last and fails by half": [
    up("a"),
    up("b", { diff: REPLACED, create: "half" }),
    up("b"),
    destroy,
  ],
};

const RARE: Readonly<Record<string, readonly Step[]>> = {
  "a life": [up("a"), up("a"), up("b"), refresh("b"), destroy],
  "an update that fails by half": [
    up("a"),
    up("b", { update: "half" }),
    up("b", { update: "half" }),
    up("b"),
    destroy,
  ],
  "a replacement that goes last, and whose deletion fails": [
    up("a", { delete: "fails" }),
    up("b", { diff: REPLACED }),
    up("b", { diff: REPLACED }),
  ],
  "changes, says the diff": [up("a"), up("a", { diff: { changes: true } }), destroy],
  "a refresh that fails": [up("a", { read: "fails" }), refresh("a"), up("a"), destroy],
  "an update that fails": [up("a"), up("b", { update: "fails" }), up("b"), destroy],
  "an update that fails by half and a refresh": [
    up("a"),
    up("b", { update: "half" }),
    refresh("b"),
    up("b", { update: "half" }),
    destroy,
  ],
  "a replacement that goes last": [up("a"), up("b", { diff: REPLACED }), destroy],
  "a replacement whose deletion fails": [
    up("a", { delete: "fails" }),
    up("b", { diff: REPLACED_FIRST }),
    up("b", { diff: REPLACED_FIRST }),
  ],
  "a forced replacement that goes first, by the option": [
    up("a", {}, { deleteBeforeReplace: true }),
    { ...up("a", {}, { deleteBeforeReplace: true }), run: "up --replace" },
    destroy,
  ],
  "what drifts": [up("a", { read: "drift" }), refresh("a"), up("a"), destroy],
  "a resource that leaves the program, and whose deletion fails": [
    up("a", { delete: "fails" }),
    { run: "up" },
    up("a"),
    destroy,
  ],
  "no changes, says the diff": [
    up("a"),
    up("b", { diff: { changes: false } }),
    up("b", { diff: { changes: false } }),
    destroy,
  ],
  "a replacement that goes first by the option and fails, and is taken back": [
    up("a", {}, { deleteBeforeReplace: true }),
    up("b", { diff: REPLACED_FIRST, create: "fails" }, { deleteBeforeReplace: true }),
    up("a", {}, { deleteBeforeReplace: true }),
    destroy,
  ],
  "a replacement that goes first and fails, and goes last then": [
    up("a"),
    up("b", { diff: REPLACED_FIRST, create: "fails" }),
    up("b", { diff: REPLACED }),
    destroy,
  ],
  "a replacement that goes first and fails, and a refresh": [
    up("a"),
    up("b", { diff: REPLACED_FIRST, create: "fails" }),
    refresh("b"),
    up("b"),
    destroy,
  ],
  "a replacement that goes first and fails, and a destroy": [
    up("a"),
    up("b", { diff: REPLACED_FIRST, create: "fails" }),
    destroy,
  ],
};

class Thing extends CustomResource {
  constructor(props: Record<string, unknown>, options: CustomResourceOptions) {
    const outputs = { made: undefined, updated: undefined };
    super(TYPE, "thing", { ...outputs, ...props, __provider: TEXT }, options);
  }
}

/** The requests of the real engine to its provider, and whether each command succeeded. */
async function onTheEngine(steps: readonly Step[]): Promise<string[]> {
  const stack = await TestStack.create({}, async () => undefined);
  const record = join(stack.project.dir, "record");
  process.env["AGENTSERVER_TEST_RECORD"] = record;
  await writeFile(record, "");
  const asked: string[] = [];
  try {
    for (const { run, value, does, deleteBeforeReplace } of steps) {
      stack.program = async () => {
        const options = deleteBeforeReplace === undefined ? {} : { deleteBeforeReplace };
        if (value !== undefined) new Thing({ value, does }, options);
      };
      const command = {
        up: () => stack.up(),
        "up --replace": () => stack.up({ replace: [URN] }),
        refresh: () => stack.refresh(),
        destroy: () => stack.destroy(),
      }[run];
      const { ok } = await command();
      const lines = (await readFile(record, "utf8")).split("\n").filter((line) => line !== "");
      await writeFile(record, "");
      asked.push(`== ${run}`, ...lines, ok ? "green" : "failed");
    }
    return asked;
  } finally {
    await stack.remove();
  }
}

/** The same of the model. */
async function onTheModel(steps: readonly Step[]): Promise<string[]> {
  const asked: string[] = [];
  const provider = recorder((line) => asked.push(line));
  const engine = new Engine(async () => ({ providerOf: () => provider, isLost: () => false }));
  for (const { run, value, does, deleteBeforeReplace } of steps) {
    const inputs = { value, does, __provider: TEXT };
    const thing: Declared = { urn: URN, kind: "thing", inputs, deleteBeforeReplace };
    const program = value === undefined ? [] : [thing];
    asked.push(`== ${run}`);
    const command = {
      up: () => engine.up(program),
      "up --replace": () => engine.up(program, { replace: [URN] }),
      refresh: () => engine.refresh(),
      destroy: () => engine.destroy(),
    }[run];
    asked.push((await command()).isGreen ? "green" : "failed");
  }
  return asked;
}

function compare(scenarios: Readonly<Record<string, readonly Step[]>>): void {
  for (const [name, steps] of Object.entries(scenarios))
    it(name, async () => expect(await onTheModel(steps)).to.deep.equal(await onTheEngine(steps)));
}

describe("the model of the engine asks a provider what the real one asks, for", () =>
  compare(QUICK));

describeLong("the model of the engine asks a provider what the real one asks, for", () =>
  compare(SCENARIOS),
);

describeNightly("the model of the engine asks a provider what the real one asks, for", () =>
  compare(RARE),
);

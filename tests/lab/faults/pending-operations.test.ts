import { expect } from "chai";
import { parseStackState } from "../../../provider/resource/stack-state";
import { Engine } from "../../../lab/faults/engine";
import { urnOf } from "../../../lab/faults/trial";
import { until } from "../../local/children";
import { CliStack } from "../../support/cli";
import { startTestPlatform, type TestPlatform } from "../../support/platform";
import { gitArgs } from "../../support/program";
import { describeLong } from "../../support/tiers";

/** Longer than the test: neither a create nor a delete ends until the clock is moved. */
const STAGE_SECONDS = 600;
const UP = ["up", "--yes", "--skip-preview"];
const PLACE = { stack: "test", frontEnd: "dynamic", logicalName: "support" } as const;
const URN = urnOf(PLACE, "deployment");

/** The content of an export: the resources of the kind, and the inputs of each create that has not ended. */
function shown(text: string) {
  const { resources, creating } = parseStackState(text);
  return {
    resources: resources.filter(({ urn }) => urn === URN).length,
    creating: creating.map(({ urn, inputs }) => [urn, inputs?.["name"]]),
  };
}

type Shown = Record<string, ReturnType<typeof shown>>;

/** The command line is killed in a create, and the next `up` adopts what that has left. */
async function onTheEngine(test: TestPlatform): Promise<Shown> {
  const stack = await CliStack.create(test.platform);
  const exported = async () => shown((await stack.run("stack", "export")).text);
  const run = async (...words: string[]): Promise<void> => {
    const { code, text } = await stack.run(...words);
    expect(code, text).to.equal(0);
  };
  try {
    await stack.declare({ support: { ...gitArgs(test), name: "support" } });
    const killed = stack.start(...UP);
    await until("a deployment", async () => (await test.deployments()).length > 0);
    killed.kill();
    await killed.finished;
    await stack.endProcesses();
    await run("cancel", "--yes");
    const afterKill = await exported();
    const next = stack.start(...UP);
    await until("two creates", async () => (await exported()).creating.length > 1);
    const during = await exported();
    await test.platform.admin.advanceClock(3 * STAGE_SECONDS);
    const { code, text } = await next.finished;
    expect(code, text).to.equal(0);
    const afterUp = await exported();
    await run("refresh", "--yes", "--skip-preview");
    const afterRefresh = await exported();
    const destroy = stack.start("destroy", "--yes", "--skip-preview");
    await until(
      "a deletion",
      async () => (await test.deployments())[0]?.status === "AWAITING_DELETE",
    );
    await test.platform.admin.advanceClock(STAGE_SECONDS);
    const destroyed = await destroy.finished;
    expect(destroyed.code, destroyed.text).to.equal(0);
    const afterDestroy = await exported();
    await run("refresh", "--yes", "--skip-preview", "--clear-pending-creates");
    return { afterKill, during, afterUp, afterRefresh, afterDestroy, cleared: await exported() };
  } finally {
    await stack.remove();
  }
}

/** The same of the model. */
async function onTheModel(): Promise<Shown> {
  const lost = { engine: false };
  let during: ReturnType<typeof shown> | undefined;
  const provider = {
    check: async (_olds: unknown, inputs: Record<string, unknown>) => ({ inputs }),
    async create(inputs: Record<string, unknown>) {
      lost.engine = during === undefined;
      during = exported();
      return { id: "0f3c", outs: inputs };
    },
    read: async (id = "", props: Record<string, unknown> = {}) => ({ id, props }),
  };
  const process = {
    providerOf: () => provider,
    isLost: () => lost.engine,
    hasLostEngine: () => lost.engine,
  };
  const engine = new Engine(async () => {
    lost.engine = false;
    return process;
  });
  const exported = () => shown(engine.exported());
  const program = [{ urn: URN, kind: "deployment", inputs: { name: "support" } }];
  await engine.up(program);
  const afterKill = exported();
  await engine.up(program);
  const afterUp = exported();
  await engine.refresh();
  const afterRefresh = exported();
  await engine.destroy();
  const afterDestroy = exported();
  await engine.refresh(true);
  const cleared = exported();
  return { afterKill, during: during ?? cleared, afterUp, afterRefresh, afterDestroy, cleared };
}

describeLong("creates that have not ended", () => {
  let test: TestPlatform;

  before(async () => {
    test = await startTestPlatform({ stageSeconds: STAGE_SECONDS });
  });
  after(() => test.close());

  it("are recorded by the model of the engine as by the real one", async () =>
    expect(await onTheModel()).to.deep.equal(await onTheEngine(test)));
});

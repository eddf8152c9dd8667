import { expect } from "chai";
import type { DeploymentArgs } from "pulumi-agentserver";
import { until } from "../local/children";
import type { Running } from "../../lab/processes";
import { CliStack } from "../support/cli";
import { describeFrontEnds, DYNAMIC, itOnlyOn, NATIVE } from "../support/front-ends";
import { usePlatform } from "../support/platform";
import { gitArgs } from "../support/program";

/** Longer than the test: nothing gets on until the clock is moved. */
const STAGE_SECONDS = 600;
const UP = ["up", "--yes", "--skip-preview"];
const DESTROY = ["destroy", "--yes", "--skip-preview"];

describeFrontEnds("a command that is killed or interrupted", "short", "long", (frontEnd) => {
  const onDynamic = itOnlyOn(DYNAMIC, frontEnd);
  const onNative = itOnlyOn(NATIVE, frontEnd);
  const test = usePlatform({ stageSeconds: STAGE_SECONDS });
  let stack: CliStack;
  const declared: Record<string, DeploymentArgs> = {};

  const declare = (name: string, repoRef: string, more: Partial<DeploymentArgs> = {}) => {
    declared[name] = { ...gitArgs(test, { repoRef }), adoptExisting: more.adoptExisting };
    return stack.declare(declared);
  };
  const live = () => test.deployments();
  const revisionsOf = async (id = "") => (await test.revisions(id)).map((revision) => revision.id);
  /** Number of requests of this method since the test began. */
  const sent = (method: string) =>
    Object.entries(test.platform.admin.requests())
      .filter(([request]) => request.startsWith(`${method} `))
      .reduce((sum, [, count]) => sum + count, 0);
  const finishRevisions = () => test.platform.admin.advanceClock(3 * STAGE_SECONDS);

  /** A command that changes one deployment and creates another, when the service has accepted both. */
  async function inTheMiddle(created: string): Promise<Running> {
    const { changed } = await stack.ids();
    const counts = async () => [(await live()).length, (await revisionsOf(changed)).length];
    const [deployments = 0, revisions = 0] = await counts();
    await declare("changed", `for-${created}`);
    await declare(created, "main");
    const running = stack.start(...UP);
    await until("a new deployment and a new revision", async () => {
      const [more = 0, newer = 0] = await counts();
      return more > deployments && newer > revisions;
    });
    return running;
  }
  /** The state records no create of which the provider alone was killed: the program has to say that it is its own. */
  async function refused(created: string): Promise<string> {
    const { code, text } = await stack.run(...UP);
    expect(code, text).not.to.equal(0);
    expect(text)
      .to.contain("records neither it nor an interrupted create of this resource")
      .and.contain("adoptExisting: true");
    await declare(created, "main", { adoptExisting: true });
    return text;
  }
  /** The next `up` makes nothing a second time and has everything in its state. */
  async function heals(created: string, isRecorded = true): Promise<void> {
    const before = await stack.ids();
    expect(before).not.to.have.property(created);
    const revisions = await revisionsOf(before["changed"]);
    await finishRevisions();
    const first = isRecorded ? "" : await refused(created);
    const { code, text } = await stack.run(...UP);
    expect(code, text).to.equal(0);
    const ids = await stack.ids();
    expect((await live()).map(({ id }) => id)).to.have.members(Object.values(ids));
    expect(await revisionsOf(ids["changed"])).to.deep.equal(revisions);
    expect(await revisionsOf(ids[created])).to.have.length(1);
    expect({ POST: sent("POST"), PATCH: sent("PATCH") }).to.deep.equal({ POST: 1, PATCH: 1 });
    const clear =
      "; the state still records that create, until you run `pulumi refresh --clear-pending-creates`";
    expect(text).to.contain(
      isRecorded
        ? `    warning: adopted deployment ${ids[created]}, which an interrupted create of this resource made${clear}\n`
        : `    adopted deployment ${ids[created]}\n`,
    );
    expect(first + text).to.contain(
      `    revision ${revisions[0]} has these values already: none was created\n`,
    );
  }

  before(async () => {
    stack = await CliStack.create(test.platform, frontEnd);
    await declare("changed", "main");
    const running = stack.start(...UP);
    await until("POST", () => sent("POST") === 1);
    await finishRevisions();
    const { code, text } = await running.finished;
    expect(code, text).to.equal(0);
  });
  beforeEach(() => test.platform.admin.clearRequests());
  afterEach(() => stack.endProcesses());
  after(() => stack.remove());

  it("is healed by the next up after kill -9 of the command, which ends its provider too", async () => {
    const running = await inTheMiddle("command");
    running.kill();
    await running.finished;
    await until("the provider's end", async () => (await stack.providers()).length === 0);
    const { text } = await stack.run(...UP);
    expect(text).to.contain("the stack is currently locked").and.contain("pulumi cancel");
    await stack.run("cancel", "--yes");
    await heals("command");
    expect(await stack.providers()).to.be.empty;
  });

  it("is healed by the next up after kill -9 of the provider", async () => {
    const running = await inTheMiddle("provider");
    for (const pid of await stack.providers()) process.kill(pid, "SIGKILL");
    const { code, text } = await running.finished;
    expect(code).not.to.equal(0);
    expect(text).to.contain("error: error reading from server: EOF");
    await heals("provider", false);
  });

  onDynamic("waits after one Ctrl-C until the create is through, and loses nothing", async () => {
    await declare("patient", "main");
    const running = stack.start(...UP);
    await until("POST", () => sent("POST") === 1);
    running.interrupt();
    await until("the first Ctrl-C", () => running.text().includes("press ^C again"));
    await finishRevisions();
    const { code, text } = await running.finished;
    expect(code).not.to.equal(0);
    expect(text).to.contain("error: update canceled");
    expect(await stack.ids()).to.have.property("patient");
    const preview = await stack.run("preview", "--expect-no-changes");
    expect(preview.code, preview.text).to.equal(0);
    expect(sent("POST")).to.equal(1);
  });

  onNative(
    "ends the wait of a create at Ctrl-C, keeps id and reasons, and goes on at the next up",
    async () => {
      await declare("ended", "main");
      const running = stack.start(...UP);
      await until("the wait", () => running.text().includes("CREATING"));
      running.interrupt();
      const { code, text } = await running.finished;
      expect(code).not.to.equal(0);
      expect(text)
        .to.match(
          /cancelled after \d+ s: deployment 'ended-test-[0-9a-f]{7}': revision [0-9a-f-]{36} is still/,
        )
        .and.contain("run `pulumi up` again; it waits for the same revision and creates no other");
      const ended = async () => (await stack.deployments()).find(({ name }) => name === "ended");
      const before = await ended();
      expect(before?.outputs).to.include({ ready: false, tenantId: test.platform.workspaceId });
      expect(before?.outputs).to.have.nested.property("rollout.state", "pending");
      expect(before?.initErrors).to.have.length(1);
      await finishRevisions();
      const next = await stack.run(...UP);
      expect(next.code, next.text).to.equal(0);
      expect(await ended())
        .to.include({ id: before?.id })
        .and.have.nested.property("outputs.ready", true);
      expect([sent("POST"), sent("PATCH")]).to.deep.equal([1, 0]);
    },
  );

  it("lets Pulumi forget the creates that it still takes for unfinished", async () => {
    const { code, text } = await stack.run("refresh", "--yes", "--clear-pending-creates");
    expect(code, text).to.equal(0);
    expect(text).not.to.contain("interrupted while creating");
    expect(Object.keys(await stack.ids())).to.have.members(Object.keys(declared));
  });

  it("goes on with a destroy that was killed, deleting nothing twice, and leaves nothing", async () => {
    const deployments = await live();
    const running = stack.start(...DESTROY);
    await until("every DELETE", () => sent("DELETE") === deployments.length);
    running.kill();
    await running.finished;
    await stack.endProcesses();
    await stack.run("cancel", "--yes");
    expect(Object.keys(await stack.ids())).to.have.members(Object.keys(declared));
    test.platform.admin.clearRequests();
    const next = stack.start(...DESTROY);
    await until("a look at each", () => sent("GET") >= deployments.length);
    await test.platform.admin.advanceClock(STAGE_SECONDS);
    const { code, text } = await next.finished;
    expect(code, text).to.equal(0);
    expect(text).not.to.contain("interrupted while creating");
    expect(sent("DELETE")).to.equal(0);
    expect(await live()).to.be.empty;
    expect(await stack.ids()).to.be.empty;
  });
});

import { join } from "node:path";
import { expect } from "chai";
import { copyThreads } from "../../cli/threads/commands";
import { shareCache } from "../../scripts/shared-cache";
import { AgentServer } from "../../sdk";
import { testTerminal } from "../cli/terminal";
import { makeRepository, type Repository } from "../local/repository";
import { agentFiles, contentsOf, skipWithoutRegistry } from "../support/agents";
import { settingsFor, TestStack } from "../support/engine";
import { startTestPlatform, type TestPlatform } from "../support/platform";
import { question } from "../support/runs";
import { gitArgs } from "../support/program";
import { describeLong } from "../support/tiers";

const LIMIT_MS = 900_000;

describeLong("blue and green with the real Python server, as docs/changes.md has it", () => {
  let test: TestPlatform;
  let stack: TestStack;
  let repository: Repository;

  /** A program of deployments by the colours of their names; it exports the URL of the last. */
  const declare = (colours: readonly string[], protectThreads = true) => {
    stack.program = async ({ Deployment }) => {
      const { sourceConfig, ...args } = gitArgs(test);
      const [newest] = colours
        .map((colour) => {
          const own = { sourceConfig: { ...sourceConfig, repoUrl: repository.url } };
          const env = { SHOP: colour };
          const { url } = new Deployment(colour, {
            ...args,
            ...own,
            env,
            name: `support-${colour}`,
            protectThreads,
          });
          return url;
        })
        .toReversed();
      return { url: newest };
    };
  };
  async function up() {
    const { ok, text } = await stack.up();
    expect(ok, text).to.equal(true);
    return new AgentServer({ url: String((await stack.outputs())["url"]?.value) });
  }

  before(async function () {
    this.timeout(LIMIT_MS);
    await skipWithoutRegistry(this, "python");
    test = await startTestPlatform({ driver: "process", agentServer: "real" });
    await shareCache(test.dataDir);
    repository = await makeRepository(join(test.dataDir, "repository"), await agentFiles("python"));
    stack = await TestStack.create(settingsFor(test.platform), async () => undefined);
  });
  after(async () => {
    await stack.remove();
    await test.close();
  });

  it("moves the conversations, and the graph goes on with them", async function () {
    declare(["blue"]);
    const blue = await up();
    const { thread_id: id } = await blue.threads.create();
    const ask = (server: AgentServer, text: string) =>
      server.runs.wait(id, { assistant_id: "agent", input: question(text) });
    await ask(blue, "Where is my order 7?");

    declare(["blue", "green"]);
    const green = await up();

    const terminal = testTerminal();
    const where = { from: "support-blue", to: "support-green", dataDir: test.dataDir };
    await copyThreads({ ...where, unfinished: false, dryRun: false, json: false }, terminal);
    expect(terminal.lines()).to.deep.equal(["copied 1"]);

    declare(["green"]);
    const refused = await stack.up();
    expect(refused.text).to.contain(
      "protectThreads is set, and 1 thread goes with it; nothing was deleted",
    );
    declare(["blue", "green"], false);
    await up();
    declare(["green"]);
    await up();
    expect((await test.deployments()).map(({ name }) => name)).to.deep.equal(["support-green"]);
    expect(contentsOf(await ask(green, "And now?"))).to.deep.equal([
      "Where is my order 7?",
      "Your order 7 is on its way. Answer 1 of blue.",
      "And now?",
      "Your order 7 is on its way. Answer 2 of green.",
    ]);
  }).timeout(LIMIT_MS);
});

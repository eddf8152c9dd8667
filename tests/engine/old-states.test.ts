import { expect } from "chai";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { DeploymentArgs } from "pulumi-agentserver";
import { REPOSITORY } from "../../scripts/project";
import { everyImageArgument } from "../support/every-field";
import { settingsFor, TestStack } from "../support/engine";
import { startTestPlatform, type TestPlatform } from "../support/platform";
import { gitArgs, supportProgram } from "../support/program";

const FOLDER = join(REPOSITORY, "tests/fixtures/states");
const RELEASES = readdirSync(FOLDER);
const THIS_RELEASE: string = JSON.parse(
  readFileSync(join(REPOSITORY, "package.json"), "utf8"),
).version;

/** What is in the states: a fixture each. */
const SHAPES: Readonly<Record<string, (test: TestPlatform) => DeploymentArgs>> = {
  git: (test) => ({
    ...gitArgs(test),
    env: { LOG_LEVEL: "info" },
    secrets: { MODEL_API_KEY: "a secret of a test" },
    wait: { timeoutSeconds: 60 },
    redeployOn: "first",
  }),
  image: everyImageArgument,
};

const fixture = (release: string, shape: string) =>
  readFileSync(join(FOLDER, release, `${shape}.json`), "utf8");

for (const [shape, argsOf] of Object.entries(SHAPES))
  describe(`states of a deployment (${shape}) in users' hands, on the real engine`, () => {
    let test: TestPlatform;
    let stack: TestStack;

    /** What differs each time, by the word that stands for it in a fixture. */
    const particulars = async (): Promise<[word: string, value: string][]> => {
      const { id } = await stack.deployment();
      const live = await test.get(id);
      return [
        ["<id>", id],
        ["<name>", live.name],
        ["<revision>", live.latest_revision_id ?? ""],
        ["<workspace>", live.tenant_id],
        ["<integration>", test.integrationId],
        ["<listener>", test.listenerId],
        ["<base url>", test.platform.url],
        ["<time>", live.created_at],
      ];
    };

    beforeEach(async () => {
      test = await startTestPlatform();
      stack = await TestStack.create(settingsFor(test.platform), supportProgram(argsOf(test)));
      const { ok, text } = await stack.up();
      expect(ok, text).to.equal(true);
    });
    afterEach(async () => {
      await stack.remove();
      await test.close();
    });

    it("have the form that is kept as a fixture of this release: another form needs a new release", async () => {
      const { inputs, outputs } = await stack.deployment();
      const words = await particulars();
      const written = words
        .reduce(
          (text, [word, value]) => text.replaceAll(value, word),
          JSON.stringify({ inputs, outputs }),
        )
        .replace(/"\d{4}-\d\d-\d\dT[^"]*Z"/g, '"<time>"');
      expect(JSON.parse(written)).to.deep.equal(
        JSON.parse(fixture(THIS_RELEASE, shape)),
        `what tests/fixtures/states/${THIS_RELEASE}/${shape}.json should hold: ${written}`,
      );
    });

    for (const release of RELEASES)
      it(`written by ${release} are refreshed without a change, updated in place and destroyed`, async () => {
        const words = await particulars();
        const { id } = await stack.deployment();
        const old = words.reduce(
          (text, [word, value]) => text.replaceAll(word, value),
          fixture(release, shape),
        );
        await stack.rewrite(JSON.parse(old));
        expect((await stack.refresh()).changes).to.deep.equal({ same: 2 });
        expect((await stack.preview()).changes).to.deep.equal({ same: 2 });
        stack.program = supportProgram({ ...argsOf(test), env: { LOG_LEVEL: "debug" } });
        expect((await stack.up()).steps).to.deep.equal({ support: "update" });
        expect((await stack.deployment()).id).to.equal(id);
        expect((await stack.destroy()).ok).to.equal(true);
        expect((await test.request("GET", `/v2/deployments/${id}`)).status).to.equal(404);
      });
  });

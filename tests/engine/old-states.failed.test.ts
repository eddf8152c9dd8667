import { expect } from "chai";
import { settingsFor, TestStack } from "../support/engine";
import {
  asWritten,
  expectKeptForm,
  releasesOf,
  THIS_RELEASE,
  type Words,
} from "../support/old-states";
import { startTestPlatform, type TestPlatform } from "../support/platform";
import { gitArgs, supportProgram } from "../support/program";

for (const release of releasesOf("failed"))
  describe(`a state by ${release} of a deployment whose last revision failed, on the real engine`, () => {
    let test: TestPlatform;
    let stack: TestStack;
    let id: string;
    let words: Words;

    const revisions = async () => {
      const { body } = await test.request("GET", `/v2/deployments/${id}/revisions`);
      return Array.from<{ id: string }>(Object(body).resources);
    };
    const rolloutState = async () => Object((await stack.deployment()).outputs["rollout"]).state;

    before(async () => {
      test = await startTestPlatform();
      const args = (repoRef: string) => ({
        ...gitArgs(test),
        sourceRevisionConfig: { repoRef, graphConfigPath: "langgraph.json" },
        secrets: { MODEL_API_KEY: "a secret of a test" },
      });
      stack = await TestStack.create(settingsFor(test.platform), supportProgram(args("main")));
      const { ok, text } = await stack.up();
      expect(ok, text).to.equal(true);
      stack.program = supportProgram(args("broken"));
      const reason = "npm ERR! a module is missing";
      test.platform.admin.addOutcome({ stage: "build", status: "BUILD_FAILED", reason });
      expect((await stack.up()).ok).to.equal(false);
      ({ id } = await stack.deployment());
      const live = await test.get(id);
      words = [
        ["<id>", id],
        ["<name>", live.name],
        ["<active>", live.active_revision_id ?? ""],
        ["<failed>", live.latest_revision_id ?? ""],
        ["<workspace>", live.tenant_id],
        ["<integration>", test.integrationId],
        ["<base url>", test.platform.url],
        ["<time>", live.created_at],
      ];
    });
    after(async () => {
      await stack.remove();
      await test.close();
    });

    if (release === THIS_RELEASE)
      it("has the form that is kept as a fixture: another form needs a new release", async () =>
        expectKeptForm("failed", await stack.resources(), words));

    it("keeps the failure at a refresh, which makes no revision", async () => {
      await stack.rewrite(asWritten(release, "failed", words));
      expect((await stack.refresh()).ok).to.equal(true);
      expect(await rolloutState()).to.equal("failed");
      expect(await revisions()).to.have.length(2);
    });

    it("leads to exactly one new revision at the next up", async () => {
      await stack.rewrite(asWritten(release, "failed", words));
      const { ok, text, steps } = await stack.up();
      expect(ok, text).to.equal(true);
      expect(steps).to.deep.equal({ support: "update" });
      expect(await stack.deployment()).to.deep.include({ id, initErrors: [] });
      expect(await rolloutState()).to.equal("done");
      expect(await revisions()).to.have.length(3);
    });

    it("is destroyed", async () => {
      await stack.rewrite(asWritten(release, "failed", words));
      expect((await stack.destroy()).ok).to.equal(true);
      expect((await test.request("GET", `/v2/deployments/${id}`)).status).to.equal(404);
    });
  });

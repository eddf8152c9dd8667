import { expect } from "chai";
import { derivedName } from "../support/deployment";
import { until } from "../local/children";
import { describeDoors } from "../support/doors";
import { settingsFor, TestStack } from "../support/engine";
import { anImageDeployment, startTestPlatform, type TestPlatform } from "../support/platform";
import { gitArgs, supportProgram } from "../support/program";

const POST = { method: "POST", path: "/v2/deployments" };
const STAGE_SECONDS = 600;

describeDoors("creating on the real engine", (door) => {
  let test: TestPlatform;
  let stack: TestStack;

  const start = async (stageSeconds?: number) => {
    test = await startTestPlatform({ stageSeconds });
    stack = await TestStack.create(settingsFor(test.platform), supportProgram(gitArgs(test)), door);
  };
  const end = async () => {
    await stack.remove();
    await test.close();
  };
  const live = async () => (await test.deployments()).map(({ id }) => id);
  const posts = () => test.platform.admin.requests()["POST /v2/deployments"];

  describe("under a derived name", () => {
    before(() => start());
    after(end);

    it("makes nothing and says so when the POST did not arrive", async () => {
      test.platform.admin.addFault({ match: POST, times: 1, action: "drop-before" });
      expect((await stack.up()).ok).to.equal(false);
      expect(await test.deployments()).to.be.empty;
    });

    it("finds the deployment again that a POST without an answer made", async () => {
      test.platform.admin.clearRequests();
      test.platform.admin.addFault({ match: POST, times: 1, action: "drop-after" });
      const { ok, text } = await stack.up();
      expect(ok, text).to.equal(true);
      const { id } = await stack.deployment();
      expect(await live()).to.deep.equal([id]);
      expect(posts()).to.equal(1);
    });

    it("keeps a provisional id where nobody can tell whether the POST arrived, and goes on with what it made", async () => {
      await stack.destroy();
      test.platform.admin.clearRequests();
      const hidden = {
        match: { method: "GET", path: "/v2/deployments" },
        action: "status",
      } as const;
      test.platform.admin.addFault({
        ...hidden,
        times: 1,
        status: 200,
        body: { resources: [], offset: 0 },
      });
      test.platform.admin.addFault({ ...hidden, times: 99, status: 403 });
      test.platform.admin.addFault({ match: POST, times: 1, action: "drop-after" });
      const first = await stack.up();
      expect(first.ok).to.equal(false);
      expect(first.text).to.contain("it may have created").and.contain("run `pulumi up` again");
      test.platform.admin.clearFaults();
      expect((await stack.deployment()).id).to.match(/^unconfirmed:support-/);
      expect(await stack.refresh()).to.include({ ok: true });
      const { ok, text } = await stack.up();
      expect(ok, text).to.equal(true);
      const [made, ...others] = await test.deployments();
      expect(others).to.be.empty;
      expect((await stack.deployment()).id).to.equal(made?.id);
      expect(posts()).to.equal(1);
      expect((await stack.preview()).changes).to.deep.equal({ same: 2 });
    });

    it("makes another deployment of the same name after a destroy", async () => {
      const { id, outputs } = await stack.deployment();
      expect((await stack.destroy()).ok).to.equal(true);
      const { ok, text } = await stack.up();
      expect(ok, text).to.equal(true);
      const again = await stack.deployment();
      expect(again.id).not.to.equal(id);
      expect(again.outputs["name"]).to.equal(outputs["name"]);
      expect(await live()).to.deep.equal([again.id]);
    });

    it("moves the name on when a deleted deployment left it behind", async () => {
      const { outputs } = await stack.deployment();
      await stack.destroy();
      test.platform.admin.addLeftoverName(String(outputs["name"]));
      const { ok, text } = await stack.up();
      expect(ok, text).to.equal(true);
      const moved = await stack.deployment();
      expect(moved.outputs["name"]).to.equal(derivedName(stack.urn(), gitArgs(test), 1));
      expect((await stack.preview()).changes).to.deep.equal({ same: 2 });
    });

    it("leaves one that another backend's stack of the same name and program has, also when that is destroyed", async () => {
      const { id } = await stack.deployment();
      const other = await TestStack.create(
        settingsFor(test.platform),
        supportProgram(gitArgs(test)),
        door,
      );
      try {
        const { ok, text } = await other.up();
        expect(ok).to.equal(false);
        expect(text)
          .to.contain(`deployment ${id} has this name already`)
          .and.contain("records neither it nor an interrupted create of this resource");
        expect(await other.destroy()).to.include({ ok: true });
        expect(await live()).to.deep.equal([id]);
      } finally {
        await other.remove();
      }
    });

    it("leaves one that its stack had before it was renamed", async () => {
      const { id } = await stack.deployment();
      await stack.rename("prod");
      const again = await stack.beside(
        "test",
        settingsFor(test.platform),
        supportProgram(gitArgs(test)),
      );
      const { ok, text } = await again.up();
      expect(ok).to.equal(false);
      expect(text).to.contain(`deployment ${id} has this name already`);
      expect(await again.destroy()).to.include({ ok: true });
      expect(await live()).to.deep.equal([id]);
    });
  });

  describe("under a given name", () => {
    before(() => start());
    after(end);

    it("refuses one that another deployment has, naming its id and the way out", async () => {
      const { id } = await test.create({ name: "taken" });
      await test.untilRevision(id, "DEPLOYED");
      stack.program = supportProgram({ ...gitArgs(test), name: "taken" });
      const { ok, text } = await stack.up();
      expect(ok).to.equal(false);
      expect(text).to.contain(id).and.contain("adoptExisting");
      expect(await test.deployments()).to.have.length(1);
    });

    it("takes the deployment over when it may, and brings it to the declared state", async () => {
      const [taken] = await test.deployments();
      stack.program = supportProgram({
        ...gitArgs(test),
        name: "taken",
        adoptExisting: true,
        sourceRevisionConfig: { repoRef: "next", graphConfigPath: "langgraph.json" },
      });
      const { ok, text } = await stack.up();
      expect(ok, text).to.equal(true);
      const { id } = await stack.deployment();
      expect(id).to.equal(taken?.id);
      expect((await test.get(id)).source_revision_config.repo_ref).to.equal("next");
    });
  });

  describe("from an image", () => {
    before(() => start());
    after(end);

    it("deploys it with its size, and changes the size with one revision", async () => {
      const declare = (cpu: number) => {
        const { source_revision_config: revision } = anImageDeployment();
        stack.program = supportProgram({
          source: "external_container",
          sourceConfig: { resourceSpec: { cpu, minScale: 1, labels: { team_name: "a" } } },
          sourceRevisionConfig: { imageUri: revision.image_uri },
        });
      };
      declare(0.25);
      const first = await stack.up();
      expect(first.ok, first.text).to.equal(true);
      const { id, outputs } = await stack.deployment();
      const size = async () => (await test.get(id)).source_config.resource_spec;
      expect(await size()).to.include({ cpu: 0.3, min_scale: 1 });
      expect(outputs["imageVersion"]).to.equal("1.2");
      declare(2);
      expect((await stack.up()).ok).to.equal(true);
      expect(await size()).to.deep.include({ cpu: 2, min_scale: 1, labels: { team_name: "a" } });
      expect(await test.revisions(id)).to.have.length(2);
      await stack.refresh();
      expect((await stack.preview()).changes).to.deep.equal({ same: 2 });
    });
  });

  describe("while the deployment that has the name is on its way out", () => {
    before(() => start(STAGE_SECONDS));
    after(end);

    it("waits until it is gone, then creates", async () => {
      const name = derivedName(stack.urn(), gitArgs(test));
      const leaving = await test.create({ name });
      await test.request("DELETE", `/v2/deployments/${leaving.id}`);
      test.platform.admin.clearRequests();
      const up = stack.up();
      const look = "GET /v2/deployments/{deployment_id}";
      await until("a look at it", () => look in test.platform.admin.requests());
      expect(posts()).to.equal(undefined);
      await test.platform.admin.advanceClock(STAGE_SECONDS);
      await until("POST", () => posts() === 1);
      await test.platform.admin.advanceClock(3 * STAGE_SECONDS);
      const { ok, text } = await up;
      expect(ok, text).to.equal(true);
      const { id, outputs } = await stack.deployment();
      expect(outputs["name"]).to.equal(name);
      expect(await live()).to.deep.equal([id]);
    });
  });
});

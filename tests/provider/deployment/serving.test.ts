import { expect } from "chai";
import type { Props } from "../../../provider/arguments/props";
import { deploymentLifecycle as lifecycle } from "../../../provider/deployment/lifecycle";
import { DIALECTS } from "../../../sdk";
import { steppingContext } from "../../support/lifecycle";
import { startTestPlatform, type TestPlatform } from "../../support/platform";
import { gitArgs } from "../../support/program";
import { initializationFailure } from "../../support/rejection";

const PATCH = "PATCH /v2/deployments/{deployment_id}";
const REDEPLOY = "POST /v2/deployments/{deployment_id}/revisions/{revision_id}/redeploy";
const INTERRUPT = "POST /v2/deployments/{deployment_id}/revisions/{revision_id}/interrupt";

// Whatever is deployed has served, so the statuses of all revisions say at the end what ever did.
for (const dialect of DIALECTS)
  describe(`what serves on a branch after a failed update, in the dialect ${dialect}`, () => {
    let test: TestPlatform;
    let said: string[];
    beforeEach(async () => {
      said = [];
      // Time passes in the pauses of a wait alone.
      test = await startTestPlatform({ dialect, stageSeconds: 1, now: () => 1_800_000_000_000 });
    });
    afterEach(() => test.close());

    const context = () => steppingContext(test.platform, said, { "agentserver:dialect": dialect });
    const checked = async (declared: Props): Promise<Props> => {
      const { inputs = {}, failures } = await lifecycle.check({}, declared, context());
      expect(failures).to.be.empty;
      return inputs;
    };
    const branch = (repoRef: string, more: Props = {}) => ({
      ...gitArgs(test),
      sourceRevisionConfig: { repoRef, graphConfigPath: "langgraph.json" },
      onFailure: "rollback",
      ...more,
    });
    const refuse = (path: string, status: number, detail: string) =>
      test.platform.admin.addFault({
        match: { path },
        action: "status",
        status,
        body: { detail },
        times: 9,
      });

    async function failing(before: Props, after: Props) {
      const { id, outs } = await lifecycle.create(await checked(before), context());
      const [good] = await test.revisions(id);
      test.platform.admin.addOutcome({ stage: "deploy", status: "DEPLOY_FAILED", reason: "died" });
      test.platform.admin.clearRequests();
      const update = lifecycle.update(id, outs, await checked(after), context());
      const { message, properties } = await initializationFailure(update);
      const revisions = await test.revisions(id);
      const deployed = revisions.filter(({ status }) => status === "DEPLOYED");
      const requests = test.platform.admin.requests();
      return { good, message, properties, revisions, deployed, requests, live: await test.get(id) };
    }

    it("is the good commit alone, by one new revision, where the ref failed", async () => {
      const { good, deployed, revisions, requests, live, properties } = await failing(
        branch("main", { redeployOn: 1 }),
        branch("next", { redeployOn: 2 }),
      );
      expect(revisions).to.have.length(3);
      expect(requests[PATCH]).to.equal(1);
      expect(requests).not.to.have.property(INTERRUPT);
      expect(deployed.map(({ id }) => id)).to.deep.equal([live.active_revision_id, good?.id]);
      expect(live.source_revision_config).to.deep.equal(good?.source_revision_config);
      expect(properties).to.have.nested.property("sourceRevisionConfig.repoRef", "main");
    });

    it("is the good commit alone where variables failed with it: what a PATCH creates is interrupted", async () => {
      const { good, deployed, revisions, live, message } = await failing(
        branch("main", { env: { A: "1" } }),
        branch("next", { env: { A: "2" } }),
      );
      expect(revisions.map(({ status }) => status)).to.deep.equal([
        "DEPLOYED",
        "INTERRUPTED",
        "DEPLOY_FAILED",
        "DEPLOYED",
      ]);
      expect(deployed.map(({ id }) => id)).to.deep.equal([live.active_revision_id, good?.id]);
      expect(live.secrets).to.deep.equal([{ name: "A", value: "1" }]);
      expect(message).to.contain(`rolled back: revision ${live.active_revision_id} of the old`);
    });

    it("puts commands back without a revision of them", async () => {
      const commanded = (buildCommand: string) => ({
        ...branch("main"),
        sourceConfig: { ...gitArgs(test).sourceConfig, buildCommand },
      });
      const { revisions, live } = await failing(commanded("make"), commanded("make all"));
      expect(revisions).to.have.length(3);
      expect(live.source_config.build_command).to.equal("make");
    });

    it("stays as it is where the control plane can't interrupt, and nothing is sent", async () => {
      refuse("/v2/deployments/*/interrupt", 404, "Not Found");
      const { good, deployed, message, requests, live } = await failing(
        branch("main", { env: { A: "1" } }),
        branch("main", { env: { A: "2" } }),
      );
      expect(deployed.map(({ id }) => id)).to.deep.equal([good?.id]);
      expect(live.active_revision_id).to.equal(good?.id);
      expect(requests[PATCH]).to.equal(1);
      expect(requests).not.to.have.property(REDEPLOY);
      expect(message).to.contain(
        "the rollback could not be requested: only a new revision puts the variables back",
      );
    });

    it("is the good commit in the end where the control plane refuses to interrupt, and a warning says what may serve before", async () => {
      refuse("/v2/deployments/*/interrupt", 400, "not now");
      const { good, live, message } = await failing(
        branch("main", { env: { A: "1" } }),
        branch("main", { env: { A: "2" } }),
      );
      expect(message).to.contain(`rolled back: revision ${live.active_revision_id} of the old`);
      expect(live.source_revision_config.repo_commit_sha).to.equal(
        good?.source_revision_config?.repo_commit_sha,
      );
      const [, patched] = await test.revisions(live.id);
      const warning = said.find((line) => line.includes("could not be interrupted"));
      expect(warning).to.contain(patched?.id).and.contain("may serve").and.contain("not now");
    });
  });

import { expect } from "chai";
import type { Props } from "../../../provider/arguments/props";
import { DIALECTS } from "../../../sdk";
import { useDeployments } from "../../support/deployment-lifecycle";

const REDEPLOY = "POST /v2/deployments/{deployment_id}/revisions/{revision_id}/redeploy";
const INTERRUPT = "POST /v2/deployments/{deployment_id}/revisions/{revision_id}/interrupt";

// Whatever is deployed has served, so the statuses of all revisions say at the end what ever did.
for (const dialect of DIALECTS)
  describe(`what serves on a branch after a failed update, in the dialect ${dialect}`, () => {
    const config = { "agentserver:dialect": dialect };
    const stack = useDeployments({ dialect, config, isStepping: true });
    const branch = (repoRef: string, more: Props = {}, sourceConfig: Props = {}) =>
      stack.git(repoRef, { onFailure: "rollback", ...more }, sourceConfig);
    const refuse = (path: string, status: number, detail: string) =>
      stack.admin.addFault({
        match: { path },
        action: "status",
        status,
        body: { detail },
        times: 9,
      });

    async function failing(before: Props, after: Props) {
      const made = await stack.create(before);
      const [good] = await stack.revisions(made.id);
      stack.fails("DEPLOY_FAILED", "died");
      const { message, outs } = await stack.failed(stack.update(made, after));
      const revisions = await stack.revisions(made.id);
      const deployed = revisions.flatMap(({ id, status }) => (status === "DEPLOYED" ? [id] : []));
      const live = await stack.get(made.id);
      return { good, message, outs, revisions, deployed, live };
    }
    const changingVariables = (ref = "main") =>
      failing(branch("main", { env: { A: "1" } }), branch(ref, { env: { A: "2" } }));

    it("is the good commit alone, by one new revision, where the ref failed", async () => {
      const { good, deployed, revisions, live, outs } = await failing(
        branch("main", { redeployOn: 1 }),
        branch("next", { redeployOn: 2 }),
      );
      expect(revisions).to.have.length(3);
      expect(stack.patches()).to.equal(1);
      expect(stack.admin.requests()).not.to.have.property(INTERRUPT);
      expect(deployed).to.deep.equal([live.active_revision_id, good?.id]);
      expect(live.source_revision_config).to.deep.equal(good?.source_revision_config);
      expect(outs).to.have.nested.property("sourceRevisionConfig.repoRef", "main");
    });

    it("is the good commit alone where variables failed with it: what a PATCH creates is interrupted", async () => {
      const { good, deployed, revisions, live, message } = await changingVariables("next");
      expect(revisions.map(({ status }) => status).join()).to.equal(
        "DEPLOYED,INTERRUPTED,DEPLOY_FAILED,DEPLOYED",
      );
      expect(deployed).to.deep.equal([live.active_revision_id, good?.id]);
      expect(live.secrets).to.deep.equal([{ name: "A", value: "1" }]);
      expect(message).to.contain(`rolled back: revision ${live.active_revision_id} of the old`);
    });

    it("puts commands back without a revision of them", async () => {
      const commanded = (buildCommand: string) => branch("main", {}, { buildCommand });
      const { revisions, live } = await failing(commanded("make"), commanded("make all"));
      expect(revisions).to.have.length(3);
      expect(live.source_config.build_command).to.equal("make");
    });

    it("stays as it is where the control plane can't interrupt, and nothing is sent", async () => {
      refuse("/v2/deployments/*/interrupt", 404, "Not Found");
      const { good, deployed, message, live } = await changingVariables();
      expect(deployed).to.deep.equal([good?.id]);
      expect(live.active_revision_id).to.equal(good?.id);
      expect(stack.patches()).to.equal(1);
      expect(stack.admin.requests()).not.to.have.property(REDEPLOY);
      expect(message).to.contain(
        "the rollback could not be requested: only a new revision puts the variables back",
      );
    });

    it("is the good commit in the end where the control plane refuses to interrupt, and a warning says what may serve before", async () => {
      refuse("/v2/deployments/*/interrupt", 400, "not now");
      const { good, live, message, revisions } = await changingVariables();
      expect(message).to.contain(`rolled back: revision ${live.active_revision_id} of the old`);
      expect(live.source_revision_config.repo_commit_sha).to.equal(
        good?.source_revision_config?.repo_commit_sha,
      );
      const warning = stack.said.find((line) => line.includes("could not be interrupted"));
      expect(warning).to.contain(revisions[1]?.id).and.contain("may serve").and.contain("not now");
    });
  });

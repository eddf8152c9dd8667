import { createHash } from "node:crypto";
import { expect } from "chai";
import type { Props } from "../../../provider/arguments/props";
import { deploymentLifecycle as lifecycle } from "../../../provider/deployment/lifecycle";
import { stateOf } from "../../../provider/deployment/declared/state";
import { lastGoodOf } from "../../../provider/deployment/rollout/advance";
import { RevisionsList } from "../../../sdk/schema";
import { recordOf } from "../../../shared/records";
import { aDeployment, aRevision } from "../../support/builders";
import { movedTo, useDeployments } from "../../support/deployment-lifecycle";
import { afterKill } from "../../support/lifecycle";
import { anOperation } from "../../support/operation";
import { reasonOf } from "../../support/rejection";

const OTHER = "0123456789abcdef0123456789abcdef01234567";
/** The commit that the platform finds at a ref. */
const commitOf = (ref: string) =>
  createHash("sha1").update(`https://git.example.com/acme/support.git${ref}`).digest("hex");
const MAIN = commitOf("main");

describe("the commit that a program expects", () => {
  const stack = useDeployments({ isStepping: true });
  const { create, update, failed, context } = stack;
  const expecting = (repoCommitSha: unknown, more: Props = {}, repoRef = "main") => {
    const config = { repoRef, graphConfigPath: "langgraph.json", repoCommitSha };
    return stack.git("", { sourceRevisionConfig: config, ...more });
  };
  const statuses = async (id: string) =>
    (await stack.revisions(id)).map(({ status }) => status).toReversed();

  it("is compared and not sent: a create of it is done", async () => {
    const { id, outs } = await create(expecting(MAIN));
    expect(outs).to.have.property("ready", true);
    expect(outs).to.have.nested.property("sourceRevisionConfig.repoCommitSha", MAIN);
    expect(await statuses(id)).to.deep.equal(["DEPLOYED"]);
  });

  it("interrupts a revision of another one before it is built, and the error names both", async () => {
    const { id, message, outs } = await failed(create(expecting(OTHER)));
    const [revision] = await stack.revisions(id);
    expect(revision?.status).to.equal("INTERRUPTED");
    expect(message)
      .to.contain(`revision ${revision?.id} is of commit ${MAIN} instead of ${OTHER}, and was int`)
      .and.contain("declare the commit that the ref names now");
    expect(outs).to.have.nested.property("rollout.state", "failed");
    expect(outs).to.have.nested.property("failedRevision.status", "INTERRUPTED");
  });

  it("leaves the revision that serves in place, and the next update of the right one creates one", async () => {
    const made = await create(expecting(MAIN));
    const { message, ...moved } = await failed(update(made, expecting(OTHER)));
    expect(message).to.contain("instead of").and.contain("still serves");
    expect(moved.outs).to.have.nested.property("failedRevision.status", "INTERRUPTED");
    expect(await statuses(made.id)).to.deep.equal(["DEPLOYED", "INTERRUPTED"]);
    expect((await update(moved, expecting(MAIN))).outs).to.have.property("ready", true);
    expect(await statuses(made.id)).to.deep.equal(["DEPLOYED", "INTERRUPTED", "DEPLOYED"]);
  });

  it("says so where a revision of another one can't be interrupted", async () => {
    stack.test.answers({ path: "/v2/deployments/*/interrupt" }, 404, { detail: "Not Found" }, 9);
    const { message } = await failed(create(expecting(OTHER)));
    expect(message).to.contain(`instead of ${OTHER}, and could not be interrupted:`);
  });

  it("is what serves where the service knows it only then", async () => {
    const { id, outs } = await create(expecting(undefined));
    const { latest_revision_id: revisionId } = await stack.get(id);
    const rollout = { revisionId, state: "pending" };
    const olds = { ...outs, ...(await stack.checked(expecting(OTHER))), rollout };
    const { message } = await failed(update({ id, outs: olds }, expecting(OTHER)));
    expect(message)
      .to.contain("could not be interrupted: it is deployed already")
      .and.contain(`revision ${revisionId} serves`);
    const { props } = await stack.read({ id, outs: olds });
    expect(props, "a refresh").to.have.nested.property("rollout.state", "failed");
  });

  it("creates one revision of the ref when it changes, none when the service has it, none when it goes", async () => {
    const made = await create(expecting(undefined));
    const same = await update(made, expecting(MAIN));
    expect(stack.patches(), "the service has it").to.equal(0);
    const none = await update(same, expecting(undefined));
    expect(stack.patches(), "it is no longer expected").to.equal(0);
    expect(none.outs).to.have.property("ready", true);
    // A push that nothing builds has moved the branch: the revision of before has another commit.
    const { outs } = await update(none, expecting(commitOf("next"), {}, "next"));
    expect(stack.patches()).to.equal(1);
    expect(outs).to.have.property("ready", true);
    expect(await statuses(made.id)).to.deep.equal(["DEPLOYED", "DEPLOYED"]);
  });

  it("must be that of a revision which serves by now, for a rollback to go back to it", async () => {
    const [id, before] = ["r-2", { id: "r-1", repoRef: "main", repoCommitSha: MAIN }];
    const revision = aRevision({ id, source_revision_config: { repo_commit_sha: OTHER } });
    const deployment = aDeployment({ active_revision_id: id });
    const rollout = { revisionId: id, state: "pending" };
    const operation = anOperation("https://control.example.com");
    for (const [commit, good] of [
      [MAIN, "r-1"],
      [OTHER, "r-2"],
    ]) {
      const state = stateOf({ ...expecting(commit), rollout, lastGoodRevision: before });
      const lastGood = await lastGoodOf(operation, state, { deployment, revisions: [revision] });
      expect(lastGood.revision?.id).to.equal(good);
    }
  });

  it("is drift where another client's revision has another one", async () => {
    const made = await create(expecting(MAIN));
    await stack.test.request("PATCH", `/v2/deployments/${made.id}`, movedTo("next"));
    await stack.admin.advanceClock(9);
    const { inputs } = await stack.read(made);
    expect(inputs).to.have.nested.property("sourceRevisionConfig.repoCommitSha", commitOf("next"));
  });

  it("is not what a read without inputs declares", async () => {
    const { id } = await create(expecting(undefined));
    const { inputs, props } = await lifecycle.read(id, {}, { ...context(), canImport: true });
    expect(inputs).not.to.have.nested.property("sourceRevisionConfig.repoCommitSha");
    expect(props).to.have.nested.property("revisions[0].repoCommitSha", MAIN);
  });

  it("does not keep a create from adopting what an interrupted one of this resource has created", async () => {
    await create(expecting(undefined));
    const inputs = await stack.checked(expecting(OTHER));
    const work = create(expecting(OTHER), afterKill(context(), inputs, inputs));
    expect(await reasonOf(work))
      .to.contain("instead of")
      .and.not.contain("has this name already");
  });
});

describe("after a failed revision of a branch", () => {
  /** The commits of the revisions, the oldest first: a redeploy has that of another one. */
  let commits: readonly string[] = [];
  const stack = useDeployments({
    meddle: ({ url }, _response, pass) =>
      pass(
        !url.includes("/revisions?")
          ? undefined
          : (list) => ({ ...recordOf(list), resources: built(list) }),
      ),
  });
  const built = (list: unknown) =>
    RevisionsList.parse(list).resources.map((one, at, { length }) => ({
      ...one,
      source_revision_config: {
        ...one.source_revision_config,
        repo_commit_sha: commits[length - 1 - at]?.repeat(40),
      },
    }));

  for (const [what, then, expected] of [
    ["a redeploy of an earlier commit builds nothing of it: another revision is created", "a", 4],
    ["a revision of another commit is followed, and no other is created", "c", 3],
  ] as const)
    it(what, async () => {
      commits = ["a", "b", then, "d"];
      const made = await stack.create(stack.git());
      stack.fails("DEPLOY_FAILED");
      const news = stack.git("main", { env: { A: "1" } });
      const { outs } = await stack.failed(stack.update(made, news));
      const first = String(made.outs["latestRevisionId"]);
      await stack.test.request("POST", `/v2/deployments/${made.id}/revisions/${first}/redeploy`);
      await stack.test.untilRevision(made.id, "DEPLOYED");
      const updated = await stack.update({ id: made.id, outs }, news);
      expect(updated.outs).to.have.property("ready", true);
      expect(await stack.revisions(made.id)).to.have.length(expected);
    });
});

import { createHash } from "node:crypto";
import { expect } from "chai";
import type { Props } from "../../../provider/arguments/props";
import { deploymentLifecycle as lifecycle } from "../../../provider/deployment/lifecycle";
import { IMAGE_INPUTS } from "../../support/inputs";
import { afterKill, steppingContext } from "../../support/lifecycle";
import { startTestPlatform, type TestPlatform } from "../../support/platform";
import { gitArgs } from "../../support/program";
import { initializationFailure, rejection } from "../../support/rejection";

const OTHER = "0123456789abcdef0123456789abcdef01234567";

describe("the commit that a program expects", () => {
  let test: TestPlatform;
  let said: string[];
  beforeEach(async () => {
    said = [];
    test = await startTestPlatform({ stageSeconds: 1, now: () => 1_800_000_000_000 });
  });
  afterEach(() => test.close());

  const context = () => steppingContext(test.platform, said);
  /** The commit that the platform finds at a ref. */
  const commitOf = (ref: string) =>
    createHash("sha1")
      .update(`${gitArgs(test).sourceConfig.repoUrl}${ref}`)
      .digest("hex");
  const expecting = (repoCommitSha: unknown, more: Props = {}, ref = "main"): Props => ({
    ...gitArgs(test),
    sourceRevisionConfig: { repoRef: ref, graphConfigPath: "langgraph.json", repoCommitSha },
    ...more,
  });
  const check = (declared: Props) => lifecycle.check({}, declared, context());
  const checked = async (declared: Props): Promise<Props> => (await check(declared)).inputs ?? {};
  const create = async (declared: Props) => lifecycle.create(await checked(declared), context());
  const statuses = async (id: string) =>
    (await test.revisions(id)).map(({ status }) => status).toReversed();
  const patches = () =>
    test.platform.admin.requests()["PATCH /v2/deployments/{deployment_id}"] ?? 0;

  it("is compared and not sent: a create of it is done", async () => {
    const { id, outs } = await create(expecting(commitOf("main")));
    expect(outs).to.have.property("ready", true);
    expect(outs).to.have.nested.property("sourceRevisionConfig.repoCommitSha", commitOf("main"));
    expect(await statuses(id)).to.deep.equal(["DEPLOYED"]);
  });

  it("interrupts a revision of another one before it is built, and the error names both", async () => {
    const inputs = await checked(expecting(OTHER));
    const failure = await initializationFailure(lifecycle.create(inputs, context()));
    const [revision] = await test.revisions(failure.id);
    expect(revision?.status).to.equal("INTERRUPTED");
    expect(failure.message).to.contain(
      `revision ${revision?.id} is of commit ${commitOf("main")} instead of ${OTHER}, and was interrupted`,
    );
    expect(failure.message).to.contain("declare the commit that the ref names now");
    expect(failure.properties).to.have.nested.property("rollout.state", "failed");
  });

  it("leaves the revision that serves in place, and the next update of the right one creates one", async () => {
    const { id, outs } = await create(expecting(commitOf("main")));
    const moved = await checked(expecting(OTHER));
    const update = lifecycle.update(id, outs, moved, context());
    const { message, properties } = await initializationFailure(update);
    expect(message).to.contain("instead of").and.contain("still serves");
    expect(await statuses(id)).to.deep.equal(["DEPLOYED", "INTERRUPTED"]);
    const right = await checked(expecting(commitOf("main")));
    const { outs: after } = await lifecycle.update(id, properties, right, context());
    expect(after).to.have.property("ready", true);
    expect(await statuses(id)).to.deep.equal(["DEPLOYED", "INTERRUPTED", "DEPLOYED"]);
  });

  it("rolls a revision of another one back", async () => {
    const { id, outs } = await create(expecting(commitOf("main"), { onFailure: "rollback" }));
    const moved = await checked(expecting(OTHER, { onFailure: "rollback" }));
    const { message } = await initializationFailure(lifecycle.update(id, outs, moved, context()));
    expect(message).to.contain("rolled back: revision");
    expect(await statuses(id)).to.deep.equal(["DEPLOYED", "INTERRUPTED", "DEPLOYED"]);
  });

  it("says so where a revision of another one can't be interrupted", async () => {
    const path = "/v2/deployments/*/interrupt";
    const body = { detail: "Not Found" };
    test.platform.admin.addFault({ match: { path }, action: "status", status: 404, body });
    const inputs = await checked(expecting(OTHER));
    const { message } = await initializationFailure(lifecycle.create(inputs, context()));
    expect(message).to.contain(`instead of ${OTHER}, and could not be interrupted:`);
  });

  it("is what serves where the service knows it only then", async () => {
    const { id, outs } = await create(expecting(undefined));
    const { latest_revision_id: latest } = await test.get(id);
    const pending = { rollout: { revisionId: latest, state: "pending" } };
    const declared = await checked(expecting(OTHER));
    const olds = { ...outs, ...declared, ...pending };
    const { message } = await initializationFailure(
      lifecycle.update(id, olds, declared, context()),
    );
    expect(message).to.contain("could not be interrupted: it is deployed already");
    expect(message).to.contain(`revision ${latest} serves`);
    const { props } = await lifecycle.read(id, olds, context());
    expect(props, "a refresh").to.have.nested.property("rollout.state", "failed");
  });

  it("creates one revision of the ref when it changes, none when the service has it, none when it goes", async () => {
    const { id, outs } = await create(expecting(undefined));
    const added = await checked(expecting(commitOf("main")));
    const { outs: same } = await lifecycle.update(id, outs, added, context());
    expect(patches(), "the service has it").to.equal(0);
    const { outs: none } = await lifecycle.update(
      id,
      same,
      await checked(expecting(undefined)),
      context(),
    );
    expect(patches(), "it is no longer expected").to.equal(0);
    expect(none).to.have.property("ready", true);
    // A push that nothing builds has moved the branch: the revision of before has another commit.
    const next = await checked(expecting(commitOf("next"), {}, "next"));
    const { outs: moved } = await lifecycle.update(id, none, next, context());
    expect(patches()).to.equal(1);
    expect(moved).to.have.property("ready", true);
    expect(await statuses(id)).to.deep.equal(["DEPLOYED", "DEPLOYED"]);
  });

  it("is drift where another client's revision has another one", async () => {
    const { id, outs } = await create(expecting(commitOf("main")));
    const body = { source_revision_config: { repo_ref: "next" } };
    await test.request("PATCH", `/v2/deployments/${id}`, body);
    await test.platform.admin.advanceClock(9);
    const { inputs } = await lifecycle.read(id, outs, context());
    expect(inputs).to.have.nested.property("sourceRevisionConfig.repoCommitSha", commitOf("next"));
  });

  it("is not what a read without inputs declares", async () => {
    const { id } = await create(expecting(undefined));
    const { inputs, props } = await lifecycle.read(id, {}, { ...context(), canImport: true });
    expect(inputs).not.to.have.nested.property("sourceRevisionConfig.repoCommitSha");
    expect(props).to.have.nested.property("revisions[0].repoCommitSha", commitOf("main"));
  });

  it("does not keep a create from adopting what an interrupted one of this resource has created", async () => {
    await create(expecting(undefined));
    const inputs = await checked(expecting(OTHER));
    const failure = await rejection(lifecycle.create(inputs, afterKill(context(), inputs, inputs)));
    expect(failure.message).to.contain("instead of").and.not.contain("has this name already");
  });

  for (const [what, declared, problem] of [
    ["a short id", { repoCommitSha: "0123abc" }, "must be the id of a commit in full"],
    ["buildOnPush", { buildOnPush: true }, "can't be set together with buildOnPush"],
    ["a wait that follows no revision", { until: "none" }, "together with wait.until none"],
  ] as const)
    it(`is refused with ${what}`, async () => {
      const { repoCommitSha = OTHER, buildOnPush = false, until = "active" }: Props = declared;
      const { sourceConfig } = gitArgs(test);
      const more = { sourceConfig: { ...sourceConfig, buildOnPush }, wait: { until } };
      const { failures = [] } = await check(expecting(repoCommitSha, more));
      expect(failures.map(({ property, reason }) => `${property} ${reason}`).join()).to.contain(
        problem,
      );
    });

  it("is refused for an image", async () => {
    const sourceRevisionConfig = { imageUri: "registry.example.com/a:1", repoCommitSha: OTHER };
    const { failures } = await check({ ...IMAGE_INPUTS, sourceRevisionConfig });
    expect(JSON.stringify(failures)).to.contain("can't be set for the source external_container");
  });
});

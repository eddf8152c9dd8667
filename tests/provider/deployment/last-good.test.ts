import { expect } from "chai";
import { deploymentLifecycle as lifecycle } from "../../../provider/deployment/lifecycle";
import type { Props } from "../../../provider/arguments/props";
import { recordOf } from "../../../shared/records";
import { contextOf } from "../../support/lifecycle";
import { startTestPlatform, type TestPlatform } from "../../support/platform";
import { gitArgs } from "../../support/program";
import { initializationFailure } from "../../support/rejection";

describe("the last good revision", () => {
  let test: TestPlatform;
  beforeEach(async () => (test = await startTestPlatform()));
  afterEach(() => test.close());

  const context = () => contextOf(test.platform);
  const checked = async (declared: Props): Promise<Props> =>
    (await lifecycle.check({}, declared, context())).inputs ?? {};
  const git = (repoRef: string, more: Props = {}, config: Props = {}) => ({
    ...gitArgs(test),
    sourceConfig: { ...gitArgs(test).sourceConfig, ...config },
    sourceRevisionConfig: { repoRef, graphConfigPath: "langgraph.json" },
    ...more,
  });
  const image = (tag: string, resourceSpec: Props = {}) => ({
    source: "external_container",
    sourceConfig: { resourceSpec },
    sourceRevisionConfig: { imageUri: `registry.example.com/a:${tag}` },
  });
  const create = async (declared: Props) => lifecycle.create(await checked(declared), context());
  const fails = (reason = "it died") =>
    test.platform.admin.addOutcome({ stage: "deploy", status: "DEPLOY_FAILED", reason });
  /** Fails an update; its message, and what the state then holds. */
  const failing = async ({ id, outs }: { id: string; outs: Props }, declared: Props) => {
    fails();
    const { message: text, properties } = await initializationFailure(
      lifecycle.update(id, outs, await checked(declared), context()),
    );
    return { text, kept: { id, outs: properties } };
  };
  const returnIn = (text: string) => /^ *(to go back.*)$/m.exec(text)?.[1];

  it("is the newest that is deployed, with its ref and commit", async () => {
    const { id, outs } = await create(git("refs/tags/v1"));
    const { id: first, repo_commit_sha: repoCommitSha } = await test.untilRevision(id, "DEPLOYED");
    expect(outs["lastGoodRevision"]).to.deep.equal({
      id: first,
      repoRef: "refs/tags/v1",
      repoCommitSha,
      imageUri: null,
    });
    const { outs: later } = await lifecycle.update(
      id,
      outs,
      await checked(git("refs/tags/v2")),
      context(),
    );
    expect(later["lastGoodRevision"]).to.include({ repoRef: "refs/tags/v2" });
    expect(later["lastGoodInputs"]).to.equal(undefined);
  });

  it("is null where none has served", async () => {
    fails();
    const { message, properties } = await initializationFailure(create(git("main")));
    expect(properties).to.include({ lastGoodRevision: null });
    expect(returnIn(message)).to.equal(undefined);
  });

  it("stays through failures, refreshes and more of them than are listed", async () => {
    const first = await create(git("refs/tags/v1"));
    const good = first.outs["lastGoodRevision"];
    let { kept } = await failing(first, git("refs/tags/v2"));
    for (let count = 0; count < 10; count += 1) {
      fails();
      await test.request("PATCH", `/v2/deployments/${first.id}`, {
        source_revision_config: { repo_ref: "refs/tags/v2" },
      });
      await test.untilRevision(first.id, "DEPLOY_FAILED");
    }
    const { props = {} } = await lifecycle.read(kept.id, kept.outs, context());
    expect(props["revisions"]).to.satisfy((all: Props[]) =>
      all.every(({ status }) => status === "DEPLOY_FAILED"),
    );
    expect(props["lastGoodRevision"]).to.deep.equal(good);
    const again = await failing({ id: first.id, outs: props }, git("refs/tags/v3"));
    expect(again.kept.outs["lastGoodRevision"]).to.deep.equal(good);
    expect(again.kept.outs["lastGoodInputs"]).to.deep.include({
      sourceRevisionConfig: { repoRef: "refs/tags/v1", graphConfigPath: "langgraph.json" },
    });
  });

  it("is one that a push created, after a refresh", async () => {
    const { sourceConfig } = gitArgs(test);
    const { id, outs } = await create(git("main", {}, { buildOnPush: true }));
    test.platform.admin.push({ repoUrl: sourceConfig.repoUrl, ref: "main", sha: "a".repeat(40) });
    const { id: pushed } = await test.untilRevision(id, "DEPLOYED");
    const { props = {} } = await lifecycle.read(id, outs, context());
    expect(props["lastGoodRevision"]).to.include({ id: pushed, repoCommitSha: "a".repeat(40) });
  });

  it("is not the revision whose smoke check failed, not even after a newer one failed", async () => {
    const { id, outs } = await create(git("refs/tags/v1"));
    const smokeCheck = { timeoutSeconds: 1 };
    const news = await checked(git("refs/tags/v2", { smokeCheck }));
    const { message, properties } = await initializationFailure(
      lifecycle.update(id, outs, news, context()),
    );
    expect(message).to.contain("smoke check");
    expect(properties["lastGoodRevision"]).to.deep.equal(outs["lastGoodRevision"]);
    expect(returnIn(message)).to.contain('declare repoRef: "refs/tags/v1"');
    const { kept, text } = await failing({ id, outs: properties }, git("refs/tags/v3"));
    expect(kept.outs["lastGoodRevision"]).to.deep.equal(outs["lastGoodRevision"]);
    expect(returnIn(text)).to.contain('declare repoRef: "refs/tags/v1"');
  });

  it("is of a deployment that was adopted what served before", async () => {
    const theirs = await test.create({ name: "theirs" });
    const { id: served } = await test.untilRevision(theirs.id, "DEPLOYED");
    fails();
    const declared = git("refs/tags/v2", { name: "theirs", adoptExisting: true, env: { A: "1" } });
    const { properties, message } = await initializationFailure(create(declared));
    expect(properties["lastGoodRevision"]).to.include({ id: served, repoRef: "main" });
    expect(returnIn(message)).to.match(/tag its commit [0-9a-f]{40} and declare/);
  });

  type Rows = [what: string, before: Props, after: Props, words: RegExp][];
  const [OLD, NEW] = ["before", "after"].map((value) => ({
    env: { OPEN: value },
    secrets: { KEY: `CANARY-${value}`, [value]: "CANARY" },
  }));
  const rows = (): Rows => [
    ["a tag", git("refs/tags/v1"), git("refs/tags/v2"), /declare repoRef: "refs\/tags\/v1"$/],
    [
      "an image, and sizes by their names",
      image("v1", { cpu: 1 }),
      image("v2", { cpu: 2, memoryMb: 64 }),
      /declare imageUri: "\S+:v1" and the former resourceSpec\.cpu, resourceSpec\.memoryMb$/,
    ],
    [
      "the commit of a branch",
      git("main"),
      git("next"),
      /, tag its commit [0-9a-f]{40} and declare/,
    ],
    [
      "variables by their names",
      git("main", OLD),
      git("main", NEW),
      /, declare the former variables KEY, OPEN, after, before$/,
    ],
    [
      "nothing where all that is declared is the same",
      git("main", { redeployOn: 1 }),
      git("main", { redeployOn: 2 }),
      /^undefined$/,
    ],
  ];
  for (const at of Array.from({ length: 5 }).keys())
    it(`is named in the text of a failure by what to declare (${at})`, async () => {
      const [what = "", before = {}, after = {}, words = /^$/] = rows()[at] ?? [];
      const first = await create(before);
      const { text } = await failing(first, after);
      expect(String(returnIn(text)), what).to.match(words);
      expect(text).not.to.contain("CANARY");
    });

  it("is that of the last success after two failures of different values", async () => {
    const first = await create(git("refs/tags/v1", { env: { A: "1" } }));
    const { kept } = await failing(first, git("refs/tags/v2", { env: { A: "2" } }));
    const { text } = await failing(kept, git("refs/tags/v3", { env: { A: "3" } }));
    expect(returnIn(text)).to.match(
      new RegExp(
        `revision ${String(recordOf(first.outs["lastGoodRevision"])["id"])}, declare repoRef: "refs/tags/v1" and the former variable A$`,
      ),
    );
  });
});

import { expect } from "chai";
import type { Props } from "../../../provider/arguments/props";
import { recordOf } from "../../../shared/records";
import { type Made, movedTo, useDeployments } from "../../support/deployment-lifecycle";

describe("the last good revision", () => {
  const stack = useDeployments();
  const { git, create, failed } = stack;
  const tagged = (tag: string, more: Props = {}) => git(`refs/tags/${tag}`, more);
  const FAILED = "DEPLOY_FAILED";
  /** Fails an update; its message, and what the state then holds. */
  const failing = async (made: Made, declared: Props) => {
    stack.fails(FAILED, "it died");
    const { message: text, ...kept } = await failed(stack.update(made, declared));
    return { text, kept };
  };
  const returnIn = (text: string) => /^ *(to go back.*)$/m.exec(text)?.[1];

  it("is the newest that is deployed, with its ref and commit", async () => {
    const made = await create(tagged("v1"));
    const { id, repo_commit_sha: repoCommitSha } = await stack.test.untilRevision(
      made.id,
      "DEPLOYED",
    );
    const first = { id, repoRef: "refs/tags/v1", repoCommitSha, imageUri: null };
    expect(made.outs["lastGoodRevision"]).to.deep.equal(first);
    const { outs } = await stack.update(made, tagged("v2"));
    expect(outs["lastGoodRevision"]).to.include({ repoRef: "refs/tags/v2" });
    expect(outs["lastGoodInputs"]).to.equal(undefined);
  });

  it("is null where none has served", async () => {
    stack.fails(FAILED);
    const { message, outs } = await failed(create(git()));
    expect(outs).to.include({ lastGoodRevision: null });
    expect(returnIn(message)).to.equal(undefined);
  });

  it("stays through failures of different values, refreshes and more of them than are listed", async () => {
    const of = (value: string) => tagged(`v${value}`, { env: { A: value } });
    const first = await create(of("1"));
    const good = first.outs["lastGoodRevision"];
    const { kept } = await failing(first, of("2"));
    for (let count = 0; count < 10; count += 1)
      await stack.changeElsewhere(first.id, movedTo("refs/tags/v2"), FAILED);
    const { props: outs = {} } = await stack.read(kept);
    expect(outs["revisions"]).to.satisfy((all: Props[]) =>
      all.every(({ status }) => status === FAILED),
    );
    expect(outs["lastGoodRevision"]).to.deep.equal(good);
    const again = await failing({ ...first, outs }, of("3"));
    expect(again.kept.outs["lastGoodRevision"]).to.deep.equal(good);
    expect(again.kept.outs["lastGoodInputs"]).to.deep.include({ env: { A: "1" } });
    expect(returnIn(again.text)).to.contain(
      `revision ${String(recordOf(good)["id"])}, declare repoRef: "refs/tags/v1" and the former variable A`,
    );
  });

  it("keeps its values while a later roll-out is not seen to its end", async () => {
    const of = (value: string, more: Props = {}) =>
      tagged(`v${value}`, { env: { A: value }, ...more });
    const made = await create(of("1"));
    const unchecked = await failed(
      stack.update(made, of("2", { smokeCheck: { timeoutSeconds: 1 } })),
    );
    expect(unchecked.outs).to.have.nested.property("rollout.state", "pending");
    const { text, kept } = await failing(unchecked, of("3"));
    expect(kept.outs["lastGoodInputs"]).to.deep.include({ env: { A: "1" } });
    expect(returnIn(text)).to.contain("and the former variable A");
  });

  it("is one that a push created, after a refresh", async () => {
    const made = await create(git("main", {}, { buildOnPush: true }));
    const sha = "a".repeat(40);
    stack.admin.push({ repoUrl: "https://git.example.com/acme/support.git", ref: "main", sha });
    const { id } = await stack.test.untilRevision(made.id, "DEPLOYED");
    const { props = {} } = await stack.read(made);
    expect(props["lastGoodRevision"]).to.include({ id, repoCommitSha: sha });
  });

  it("is not the revision whose smoke check failed, not even after a newer one failed", async () => {
    const made = await create(tagged("v1"));
    const news = tagged("v2", { smokeCheck: { timeoutSeconds: 1 } });
    const { message, ...unchecked } = await failed(stack.update(made, news));
    expect(message).to.contain("smoke check");
    const { text, kept } = await failing(unchecked, tagged("v3"));
    for (const { outs } of [unchecked, kept])
      expect(outs["lastGoodRevision"]).to.deep.equal(made.outs["lastGoodRevision"]);
    for (const said of [message, text])
      expect(returnIn(said)).to.contain('declare repoRef: "refs/tags/v1"');
  });

  it("is of a deployment that was adopted what served before, shown without what has the name of a secret", async () => {
    const theirs = await stack.test.create({ name: "theirs" });
    const { id } = await stack.test.untilRevision(theirs.id, "DEPLOYED");
    stack.fails(FAILED);
    const adopting = { name: "theirs", adoptExisting: true, env: { A: "1" } };
    const { outs, message } = await failed(create(tagged("v2", adopting)));
    expect(outs["lastGoodRevision"]).to.include({ id, repoRef: "main" });
    expect(returnIn(message)).to.match(/tag its commit [0-9a-f]{40} and declare/);
    stack.fails(FAILED);
    const secret = { ...adopting, __secrets: ["repoCommitSha"] };
    const { message: hidden } = await failed(create(tagged("v3", secret)));
    expect(returnIn(hidden)).to.contain("tag its commit [secret] and declare");
  });

  const [OLD, NEW] = ["before", "after"].map((value) => ({
    env: { OPEN: value },
    secrets: { KEY: `CANARY-${value}`, [value]: "CANARY" },
  }));
  const image = (tag: string, resourceSpec?: Props) =>
    stack.image(tag, { sourceConfig: { resourceSpec } });
  const [SMALL, LARGE] = [{ cpu: 1 }, { cpu: 2, memoryMb: 64 }];
  const SIZES =
    /declare imageUri: "\S+:v1" and the former resourceSpec\.cpu, resourceSpec\.memoryMb$/;
  const VARIABLES = /, declare the former variables KEY, OPEN, after, before$/;
  const COMMIT = /, tag its commit [0-9a-f]{40} and declare/;
  const rows: [string, of: (version: 1 | 2) => Props, words: RegExp][] = [
    ["a tag", (of) => tagged(`v${of}`), /declare repoRef: "refs\/tags\/v1"$/],
    ["an image, and sizes by their names", (of) => image(`v${of}`, [SMALL, LARGE][of - 1]), SIZES],
    ["the commit of a branch", (of) => git(["main", "next"][of - 1]), COMMIT],
    ["variables by their names", (of) => git("main", [OLD, NEW][of - 1]), VARIABLES],
    ["nothing where all is the same", (of) => git("main", { redeployOn: of }), /^undefined$/],
  ];
  for (const [what, of, words] of rows)
    it(`is named in the text of a failure by what to declare: ${what}`, async () => {
      const { text } = await failing(await create(of(1)), of(2));
      expect(String(returnIn(text))).to.match(words);
      expect(text).not.to.contain("CANARY");
    });
});

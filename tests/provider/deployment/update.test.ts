import { expect } from "chai";
import type { Props } from "../../../provider/arguments/props";
import { type Made, movedTo, useDeployments } from "../../support/deployment-lifecycle";
import { reasonOf, rejection } from "../../support/rejection";

const FAILED = "BUILD_FAILED";
const withA = (value: string) => ({ secrets: [{ name: "A", value }] });

describe("an update after one that left no record", () => {
  const stack = useDeployments();
  const { git, create, update, failed, fails, changeElsewhere, get, revisions, said } = stack;

  /** A deployment whose first revision failed, as the state holds it. */
  const afterFailure = async (more: Props = {}) => {
    fails();
    const made = await failed(create(git("main", more)));
    expect(made.message).to.contain(FAILED);
    return made;
  };
  const expectThere = async ({ id }: Made, ref: string, count: number) => {
    expect((await get(id)).source_revision_config.repo_ref).to.equal(ref);
    expect(await revisions(id)).to.have.length(count);
  };
  const expectFailed = async (work: Promise<unknown>) => {
    const { message, outs } = await failed(work);
    expect(message).to.contain("ended with BUILD_FAILED");
    expect(outs).to.include({ ready: false }).and.have.nested.property("rollout.state", "failed");
  };

  it("follows the revision that was made after a failed one, and says that it makes none", async () => {
    const made = await afterFailure();
    await update(made, git());
    const { outs } = await update(made, git());
    const { latest_revision_id: latest } = await get(made.id);
    expect(outs).to.deep.include({ rollout: { revisionId: latest, state: "done" } });
    expect(said.join()).to.contain(`revision ${latest} came after the failed one`);
    await expectThere(made, "main", 2);
  });

  it("waits for a revision that no wait had asked for, and fails where it failed", async () => {
    fails();
    const made = await create(git("main", { wait: { until: "none" } }));
    await stack.test.untilRevision(made.id, FAILED);
    await expectFailed(update(made, git()));
    await expectThere(made, "main", 1);
  });

  it("follows the revision that was made, and fails where it failed, though a setting is left to send", async () => {
    const made = await create(git());
    await changeElsewhere(made.id, movedTo("next"), FAILED);
    await expectFailed(update(made, git("next", {}, { buildOnPush: true })));
    expect((await get(made.id)).source_config.build_on_push).to.equal(true);
    await expectThere(made, "next", 2);
  });

  it("sends all that is declared where a revision that it waited for has failed and a killed rollback has taken it back", async () => {
    const { id, outs } = await create(git());
    const { id: revisionId } = await changeElsewhere(id, movedTo("next"), FAILED);
    await changeElsewhere(id, movedTo("main"));
    const waiting = { lastGoodInputs: outs, rollout: { revisionId, state: "pending" } };
    const made = { id, outs: { ...outs, ...(await stack.checked(git("next"))), ...waiting } };
    expect((await update(made, git("next", { env: { A: "1" } }))).outs).to.include({ ready: true });
    await expectThere(made, "next", 4);
  });

  it("creates one new revision when the one after a failed one failed too", async () => {
    const made = await afterFailure();
    fails();
    await rejection(update(made, git()));
    await update(made, git());
    await expectThere(made, "main", 3);
  });

  it("creates one revision of the declared values where another client put others in their place, which failed or not", async () => {
    for (const [name, status] of [
      ["runs", "DEPLOYED"],
      ["fails", FAILED],
    ] as const) {
      const given = { name, env: { A: "1" } };
      const made = await afterFailure(given);
      await changeElsewhere(made.id, { ...movedTo("hotfix"), ...withA("2") }, status);
      const { outs } = await update(made, git("main", given));
      const { secrets, latest_revision_id: revisionId } = await get(made.id);
      expect(secrets).to.deep.equal([{ name: "A", value: "1" }]);
      expect(outs).to.deep.include({ rollout: { revisionId, state: "done" } });
      await expectThere(made, "main", 3);
    }
  });

  it("leaves a command alone that another client set and no program declares", async () => {
    const made = await afterFailure();
    const body = { source_config: { install_command: "npm i" }, ...movedTo("hotfix") };
    await changeElsewhere(made.id, body);
    await update(made, git());
    expect((await get(made.id)).source_config.install_command).to.equal("npm i");
    await expectThere(made, "main", 3);
  });

  it("leaves alone what another client set where ignoreChanges names it, and follows its revision", async () => {
    const news = { __ignored: ["sourceRevisionConfig.repoRef"] };
    const made = await afterFailure(news);
    await changeElsewhere(made.id, movedTo("elsewhere"));
    await update(made, git("main", news));
    await expectThere(made, "elsewhere", 2);
    await changeElsewhere(made.id, movedTo("further"), FAILED);
    await update(made, git("main", news));
    await expectThere(made, "further", 4);
  });

  it("is made once more after a refresh where its revision has failed, which is not ready", async () => {
    const made = await create(git("main", { env: { A: "1" } }));
    await changeElsewhere(made.id, withA("2"), FAILED);
    const { props: outs = {} } = await stack.read(made);
    expect(outs).to.include({ ready: false });
    const news = git("main", { env: { A: "2" } });
    const diff = stack.diff({ ...made, outs }, await stack.checked(news));
    expect(diff).to.deep.equal({ changes: true });
    expect((await update({ ...made, outs }, news)).outs).to.include({ ready: true });
    await expectThere(made, "main", 3);
  });

  it("is waited for after a refresh while its revision is going on, and made no second time", async () => {
    const made = await create(git("main", { env: { A: "1" } }));
    const match = { method: "GET", path: `/v2/deployments/${made.id}/revisions/*` };
    stack.admin.addFault({ match, action: "status", status: 404, times: 1 });
    await stack.test.request("PATCH", `/v2/deployments/${made.id}`, withA("2"));
    const { props: outs = {} } = await stack.read(made);
    const { latest_revision_id: activeRevisionId } = await get(made.id);
    expect(outs).to.have.nested.property("rollout.revisionId", activeRevisionId);
    const updated = await update({ ...made, outs }, git("main", { env: { A: "2" } }));
    expect(updated.outs).to.include({ ready: true, activeRevisionId });
    await expectThere(made, "main", 2);
  });

  it("shows no secret of the time before it in its failure", async () => {
    const made = await create(git("main", { secrets: { KEY: "CANARY-before" } }));
    fails(FAILED, "seen CANARY-before");
    const news = git("main", { secrets: { KEY: "CANARY-after" } });
    expect(await reasonOf(update(made, news))).to.contain("| seen [secret]");
  });
});

describe("a revision that a push made and that failed", () => {
  const stack = useDeployments();
  const { git, create, fails, said } = stack;

  it("is reported at the refresh, at the next preview and in an output, until a newer one runs", async () => {
    const news = git("main", {}, { buildOnPush: true });
    const { id, outs } = await create(news);
    expect(outs["failedRevision"]).to.equal(null);
    const repoUrl = "https://git.example.com/acme/support.git";
    const pushed = async (digit: string, status: string) => {
      stack.admin.push({ repoUrl, ref: "main", sha: digit.repeat(40) });
      return stack.test.untilRevision(id, status);
    };
    fails();
    const failed = await pushed("a", FAILED);
    said.length = 0;
    const { props = {} } = await stack.read({ id, outs });
    const text = `revision ${failed.id} of main ended with BUILD_FAILED; a push or another client created it; revision ${String(outs["activeRevisionId"])} still serves`;
    expect(said).to.deep.equal([text]);
    expect(props["failedRevision"]).to.include({ id: failed.id, status: FAILED });
    expect(props).to.include({ ready: true });
    const inputs = await stack.checked(news);
    expect(stack.diff({ id, outs: props }, inputs)).to.deep.equal({ changes: false });
    expect(said).to.deep.equal([text, text]);

    await pushed("b", "DEPLOYED");
    const { props: healed = {} } = await stack.read({ id, outs: props });
    expect(healed["failedRevision"]).to.equal(null);
    stack.diff({ id, outs: healed }, inputs);
    expect(said).to.deep.equal([text, text]);
  });

  it("is not reported where it is the resource's own, which its failure does", async () => {
    fails();
    const made = await stack.failed(create(git()));
    expect(made.outs["failedRevision"]).to.include({ status: FAILED });
    said.length = 0;
    await stack.read(made);
    expect(said).to.be.empty;
  });
});

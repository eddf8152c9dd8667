import { expect } from "chai";
import { followRevision } from "../../../provider/deployment/rollout/follow";
import { progressOf } from "../../../provider/resource/progress";
import { aDeployment, aRevision } from "../../support/builders";
import { json, startServer, type TestServer } from "../../support/http";
import { anOperation } from "../../support/operation";
import { rejection } from "../../support/rejection";

const OURS = "33333333-3333-4333-8333-333333333333";
const OLDER = "22222222-2222-4222-8222-222222222222";
const NEWER = "44444444-4444-4444-8444-444444444444";

/** The service's answers about a revision, poll by poll; a number is the status of an error. */
type Script = Readonly<Record<string, readonly (string | number)[]>>;

/** More than the client takes in its stride. */
const ERRORS = Array.from({ length: 12 }, () => 503);

describe("following a revision", () => {
  let server: TestServer | undefined;
  afterEach(() => server?.close());

  async function follow(
    script: Script,
    more: { active?: string | null; gone?: boolean; timeoutMs?: number; down?: RegExp } = {},
  ) {
    const errors = [...ERRORS];
    const looks = new Map(Object.entries(script).map(([id, says]) => [id, [...says]]));
    server = await startServer(({ url }, response) => {
      if (more.down?.test(url) && errors.pop()) return json(response, 503, { detail: "down" });
      const revisionId = /revisions\/([^?]+)/.exec(url)?.[1];
      if (revisionId === undefined && url.includes("/revisions"))
        return json(response, 200, {
          resources: [aRevision({ id: NEWER }), aRevision(), aRevision({ id: OLDER })],
        });
      if (revisionId === undefined)
        return more.gone
          ? json(response, 404, { detail: "no such deployment" })
          : json(response, 200, aDeployment({ active_revision_id: more.active ?? null }));
      const says = looks.get(revisionId) ?? [];
      const now = says.length > 1 ? says.shift() : says[0];
      return typeof now === "string"
        ? json(response, 200, aRevision({ id: revisionId, status: now }))
        : json(response, now ?? 404, { detail: "an error" });
    });
    const shown: string[] = [];
    const job = anOperation(server.url, shown);
    const outcome = followRevision(job, OURS, {
      until: "active",
      timeoutMs: more.timeoutMs ?? 600_000,
      lastLine: async ({ status }) => `line of ${status}`,
      progress: progressOf(job),
    });
    return { shown, outcome: await outcome };
  }

  it("goes through the stages and shows what each of them works on", async () => {
    const stages = ["CREATING", "BUILDING", "DEPLOYING"];
    const { outcome, shown } = await follow(
      {
        [OURS]: [...stages.flatMap((stage) => Array.from({ length: 8 }, () => stage)), "DEPLOYED"],
      },
      { active: OURS },
    );
    expect(outcome).to.include({ state: "done", revisionId: OURS });
    expect([...new Set(shown)]).to.deep.equal(stages.map((stage) => `${stage}: line of ${stage}`));
  });

  it("names the status and the stage before it when the revision fails", async () => {
    const { outcome } = await follow({ [OURS]: ["BUILDING", "BUILD_FAILED"] });
    expect(outcome).to.include({ state: "failed", status: "BUILD_FAILED", stage: "BUILDING" });
  });

  it("follows the newer revision when this one is skipped", async () => {
    const { outcome } = await follow(
      { [OURS]: ["QUEUED", "SKIPPED"], [NEWER]: ["BUILDING", "DEPLOYED"] },
      { active: NEWER },
    );
    expect(outcome).to.include({ state: "done", revisionId: NEWER });
  });

  it("is done when a newer revision from elsewhere already serves", async () => {
    const { outcome } = await follow({ [OURS]: ["DEPLOYED"] }, { active: NEWER });
    expect(outcome).to.include({ state: "done", revisionId: OURS });
  });

  it("warns and is done when the revision is never shown as the active one", async () => {
    const { outcome } = await follow({ [OURS]: ["DEPLOYED"] }, { active: null });
    expect(outcome.state).to.equal("done");
    expect(outcome.warning).to.contain("does not show it as the active one");
  });

  it("is not ended by passing errors, nor by a revision that can't be seen yet", async () => {
    const { outcome } = await follow(
      { [OURS]: [404, 404, ...ERRORS, 429, "DEPLOYED"] },
      { active: OURS },
    );
    expect(outcome.state).to.equal("done");
  });

  it("is not ended by passing errors of the deployment while the revision can't be seen yet", async () => {
    const down = /deployments\/[^/]*$/;
    const { outcome } = await follow({ [OURS]: [404, 404, "DEPLOYED"] }, { active: OURS, down });
    expect(outcome.state).to.equal("done");
  });

  it("is not ended by passing errors of the list while it looks for the newer revision", async () => {
    const script = { [OURS]: ["SKIPPED"], [NEWER]: ["DEPLOYED"] };
    const { outcome } = await follow(script, { active: NEWER, down: /\/revisions\?/ });
    expect(outcome).to.include({ state: "done", revisionId: NEWER });
  });

  it("is not done, as long as an older revision is the active one", async () => {
    const { outcome } = await follow(
      { [OURS]: ["DEPLOYED"] },
      { active: OLDER, timeoutMs: 60_000 },
    );
    expect(outcome).to.include({ state: "pending", status: "DEPLOYED" });
  });

  it("ends when the deployment itself is gone", async () => {
    const error = await rejection(follow({ [OURS]: [404] }, { gone: true }));
    expect(error.message).to.contain("no such deployment");
  });

  it("is pending, not failed, at the end of its time", async () => {
    const { outcome } = await follow({ [OURS]: ["QUEUED"] }, { timeoutMs: 60_000 });
    expect(outcome).to.include({ state: "pending", status: "QUEUED", elapsedMs: 60_000 });
  });

  it("is pending at the end of its time also when the revision could never be seen", async () => {
    const { outcome, shown } = await follow({ [OURS]: [404] }, { timeoutMs: 60_000 });
    expect(outcome).to.include({ state: "pending", status: "", elapsedMs: 60_000 });
    expect(shown[0]).to.match(/^waiting for the revision/);
  });
});

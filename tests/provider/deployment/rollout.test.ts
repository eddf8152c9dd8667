import { expect } from "chai";
import { followRevision } from "../../../provider/deployment/rollout/follow";
import { progressOf } from "../../../provider/resource/progress";
import { aRevision } from "../../support/builders";
import { useControlPlane } from "../../support/control-plane";
import { json } from "../../support/http";
import { anOperation } from "../../support/operation";
import { rejection } from "../../support/rejection";

const OURS = aRevision().id;
const OLDER = "22222222-2222-4222-8222-222222222222";
const NEWER = "44444444-4444-4444-8444-444444444444";

/** The service's answers about a revision, poll by poll; a number is the status of an error. */
type Script = Readonly<Record<string, readonly (string | number)[]>>;

/** More than the client takes in its stride. */
const ERRORS = Array.from({ length: 12 }, () => 503);

describe("following a revision", () => {
  const plane = useControlPlane();

  async function follow(
    script: Script,
    more: { active?: string | null; gone?: boolean; timeoutMs?: number; down?: RegExp } = {},
  ) {
    const errors = [...ERRORS];
    const looks = new Map(Object.entries(script).map(([id, says]) => [id, [...says]]));
    const url = await plane.serve({
      deployment: () => (more.gone ? 404 : { active_revision_id: more.active ?? null }),
      revisions: () => [{ id: NEWER }, {}, { id: OLDER }],
      revision(id) {
        const says = looks.get(id) ?? [];
        return (says.length > 1 ? says.shift() : says[0]) ?? 404;
      },
      meddle(request, response) {
        const isDown = more.down?.test(request.url) === true && errors.pop() !== undefined;
        if (isDown) json(response, 503, { detail: "down" });
        return isDown;
      },
    });
    const shown: string[] = [];
    const job = anOperation(url, shown);
    const outcome = await followRevision(job, OURS, {
      until: "active",
      timeoutMs: more.timeoutMs ?? 600_000,
      lastLine: async ({ status }) => `line of ${status}`,
      progress: progressOf(job),
    });
    return { shown, outcome };
  }

  it("goes through the stages and shows what each of them works on", async () => {
    const stages = ["CREATING", "BUILDING", "DEPLOYING"];
    const polls = stages.flatMap((stage) => Array.from({ length: 8 }, () => stage));
    const { outcome, shown } = await follow({ [OURS]: [...polls, "DEPLOYED"] }, { active: OURS });
    expect(outcome).to.include({ state: "done", revisionId: OURS });
    expect([...new Set(shown)]).to.deep.equal(stages.map((stage) => `${stage}: line of ${stage}`));
  });

  const SKIPPED = { [OURS]: ["QUEUED", "SKIPPED"], [NEWER]: ["BUILDING", "DEPLOYED"] };
  const UNSEEN = { [OURS]: [404, 404, "DEPLOYED"] };
  const HIDDEN = { [OURS]: [404, 404, ...ERRORS, 429, "DEPLOYED"] };
  const timeoutMs = 60_000;
  const rows: [string, Parameters<typeof follow>, object][] = [
    [
      "names the status and the stage before it when the revision fails",
      [{ [OURS]: ["BUILDING", "BUILD_FAILED"] }],
      { state: "failed", status: "BUILD_FAILED", stage: "BUILDING" },
    ],
    [
      "is done when a newer revision from elsewhere already serves",
      [{ [OURS]: ["DEPLOYED"] }, { active: NEWER }],
      { state: "done", revisionId: OURS },
    ],
    [
      "is not ended by passing errors, nor by a revision that can't be seen yet",
      [HIDDEN, { active: OURS }],
      { state: "done" },
    ],
    [
      "is not ended by passing errors of the deployment while the revision can't be seen yet",
      [UNSEEN, { active: OURS, down: /deployments\/[^/]*$/ }],
      { state: "done" },
    ],
    [
      "follows the newer revision when this one is skipped, through passing errors of the list",
      [SKIPPED, { active: NEWER, down: /\/revisions\?/ }],
      { state: "done", revisionId: NEWER },
    ],
    [
      "is not done, as long as an older revision is the active one",
      [{ [OURS]: ["DEPLOYED"] }, { active: OLDER, timeoutMs }],
      { state: "pending", status: "DEPLOYED" },
    ],
    [
      "is pending, not failed, at the end of its time",
      [{ [OURS]: ["QUEUED"] }, { timeoutMs }],
      { state: "pending", status: "QUEUED", elapsedMs: timeoutMs },
    ],
  ];
  for (const [what, given, expected] of rows)
    it(what, async () => expect((await follow(...given)).outcome).to.include(expected));

  it("is pending at the end of its time also when the revision could never be seen", async () => {
    const { outcome, shown } = await follow({ [OURS]: [404] }, { timeoutMs });
    expect(outcome).to.include({ state: "pending", status: "", elapsedMs: timeoutMs });
    expect(shown[0]).to.match(/^waiting for the revision/);
  });

  it("warns and is done when the revision is never shown as the active one", async () => {
    const { outcome } = await follow({ [OURS]: ["DEPLOYED"] }, { active: null });
    expect(outcome.state).to.equal("done");
    expect(outcome.warning).to.contain("does not show it as the active one");
  });

  it("ends when the deployment itself is gone", async () => {
    const { message } = await rejection(follow({ [OURS]: [404] }, { gone: true }));
    expect(message).to.match(/^get deployment '[\da-f-]+': 404/);
  });
});

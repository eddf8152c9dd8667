import { expect } from "chai";
import {
  hasEnded,
  IN_PROGRESS,
  nextDeployment,
  nextRevision,
  type RevisionEvent,
} from "../../../local/rollout/machine";
import {
  DEPLOYMENT_STATUSES,
  isBeingDeleted,
  REVISION_STATUSES,
  type RevisionStatus,
} from "../../../sdk/status";

const BEFORE = "2026-01-01T00:00:00.000000Z";
const AT = "2026-01-01T00:00:01.000000Z";

function after(status: RevisionStatus, event: RevisionEvent, source = "git_host") {
  const state = { status, source, source_revision_config: { repo_ref: "main" } };
  return nextRevision({ ...state, updated_at: BEFORE }, event, AT);
}

const EVENTS = ["done", "failed", "proceed", "interrupted", "superseded", "restarted"] as const;
/** What each event makes of a status; no event changes any other. */
const MOVES: Partial<Record<RevisionStatus, readonly (RevisionStatus | 0)[]>> = {
  CREATING: ["QUEUED", "CREATE_FAILED", 0, "INTERRUPTED", "SKIPPED", 0],
  QUEUED: [0, 0, "AWAITING_BUILD", "INTERRUPTED", "SKIPPED", 0],
  AWAITING_BUILD: [0, 0, "BUILDING", "INTERRUPTED", 0, 0],
  BUILDING: ["AWAITING_DEPLOY", "BUILD_FAILED", 0, "INTERRUPTED", 0, "AWAITING_BUILD"],
  AWAITING_DEPLOY: [0, 0, "DEPLOYING", "INTERRUPTED", 0, 0],
  DEPLOYING: ["DEPLOYED", "DEPLOY_FAILED", 0, "INTERRUPTED", 0, "AWAITING_DEPLOY"],
};

describe("local/rollout/machine a revision", () => {
  for (const status of REVISION_STATUSES)
    it(`goes from ${status} where each event leads, and has ended where none does`, () => {
      const next = EVENTS.map((type) => after(status, { type })?.status ?? 0);
      expect(next).to.deep.equal(MOVES[status] ?? [0, 0, 0, 0, 0, 0]);
      expect(hasEnded(status)).to.equal(!(status in MOVES));
    });

  it("is not built when it is an image, keeps the commit that its create stage found, and is in progress where an event leads on", () => {
    for (const source of ["external_container", "internal_container"])
      expect(after("QUEUED", { type: "proceed" }, source)?.status).to.equal("AWAITING_DEPLOY");
    const found = after("CREATING", { type: "done", repoCommitSha: "abc" });
    const config = { repo_ref: "main", repo_commit_sha: "abc" };
    expect(found?.source_revision_config).to.deep.equal(config);
    const built = after("BUILDING", { type: "done" });
    expect(built?.source_revision_config).to.deep.equal({ repo_ref: "main" });
    expect(IN_PROGRESS).to.have.members(Object.keys(MOVES));
  });
});

describe("local/machine: a deployment", () => {
  for (const status of DEPLOYMENT_STATUSES)
    it(`goes from ${status} where a deletion and its preparation lead`, () => {
      const deleted = isBeingDeleted(status) ? undefined : "AWAITING_DELETE";
      expect(nextDeployment(status, "deleted")).to.equal(deleted);
      const prepared = status === "AWAITING_DATABASE" ? "READY" : undefined;
      expect(nextDeployment(status, "prepared")).to.equal(prepared);
    });
});

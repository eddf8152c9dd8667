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

/** Every status, and what each event makes of it; an event that is not named changes nothing. */
const MOVES: Record<RevisionStatus, Partial<Record<RevisionEvent["type"], RevisionStatus>>> = {
  CREATING: {
    done: "QUEUED",
    failed: "CREATE_FAILED",
    superseded: "SKIPPED",
    interrupted: "INTERRUPTED",
  },
  QUEUED: { proceed: "AWAITING_BUILD", superseded: "SKIPPED", interrupted: "INTERRUPTED" },
  AWAITING_BUILD: { proceed: "BUILDING", interrupted: "INTERRUPTED" },
  BUILDING: {
    done: "AWAITING_DEPLOY",
    failed: "BUILD_FAILED",
    interrupted: "INTERRUPTED",
    restarted: "AWAITING_BUILD",
  },
  AWAITING_DEPLOY: { proceed: "DEPLOYING", interrupted: "INTERRUPTED" },
  DEPLOYING: {
    done: "DEPLOYED",
    failed: "DEPLOY_FAILED",
    interrupted: "INTERRUPTED",
    restarted: "AWAITING_DEPLOY",
  },
  DEPLOYED: {},
  CREATE_FAILED: {},
  BUILD_FAILED: {},
  DEPLOY_FAILED: {},
  SKIPPED: {},
  INTERRUPTED: {},
  UNKNOWN: {},
};
const EVENTS = ["done", "failed", "proceed", "interrupted", "superseded", "restarted"] as const;

describe("local/rollout/machine a revision", () => {
  for (const status of REVISION_STATUSES)
    for (const type of EVENTS) {
      const next = MOVES[status][type];
      it(`${status}, ${type}: ${next ?? "no change"}`, () => {
        expect(after(status, { type })?.status).to.equal(next);
      });
    }

  it("is not built when it is an image", () => {
    for (const source of ["external_container", "internal_container"])
      expect(after("QUEUED", { type: "proceed" }, source)?.status).to.equal("AWAITING_DEPLOY");
  });

  it("keeps the commit that its create stage found", () => {
    const next = after("CREATING", { type: "done", repoCommitSha: "abc" });
    expect(next?.source_revision_config).to.deep.equal({
      repo_ref: "main",
      repo_commit_sha: "abc",
    });
    expect(after("BUILDING", { type: "done" })?.source_revision_config).to.deep.equal({
      repo_ref: "main",
    });
  });

  it("has ended in every status that no event leaves", () => {
    for (const status of REVISION_STATUSES)
      expect(hasEnded(status), status).to.equal(Object.keys(MOVES[status]).length === 0);
    expect(IN_PROGRESS).to.have.lengthOf(6);
  });
});

describe("local/machine: a deployment", () => {
  const PREPARED = { AWAITING_DATABASE: "READY" };
  for (const status of DEPLOYMENT_STATUSES) {
    const deleted = isBeingDeleted(status) ? undefined : "AWAITING_DELETE";
    it(`${status}, deleted: ${deleted ?? "no change"}`, () => {
      expect(nextDeployment(status, "deleted")).to.equal(deleted);
    });
    const prepared = Object.entries(PREPARED).find(([from]) => from === status)?.[1];
    it(`${status}, prepared: ${prepared ?? "no change"}`, () => {
      expect(nextDeployment(status, "prepared")).to.equal(prepared);
    });
  }
});

import { expect } from "chai";
import fc from "fast-check";
import { z } from "zod";
import { hasEnded } from "../../local/rollout/machine";
import type { Deployment } from "../../sdk/schema";
import { REVISION_STATUSES } from "../../sdk/status";
import { aGitDeployment, startTestPlatform, type TestPlatform } from "../support/platform";
import { check } from "./check";

const STAGE_SECONDS = 3600;
const WAITING = ["CREATING", "QUEUED"];
const Status = z.enum(REVISION_STATUSES);

/** An operation on a deployment; `at` chooses a revision, or the time that passes. */
const step = fc.record({
  does: fc.constantFrom("patch", "push", "redeploy", "interrupt", "pass"),
  at: fc.nat(),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

interface Seen {
  readonly id: string;
  readonly status: z.infer<typeof Status>;
}

describe("the revisions of a deployment, whatever is done to it", () => {
  let t: TestPlatform;
  let made = 0;
  before(async () => (t = await startTestPlatform({ stageSeconds: STAGE_SECONDS })));
  after(() => t.close());

  const aTrackingDeployment = () => {
    const repo_url = `https://git.example.com/acme/${(made += 1)}.git`;
    const { source_config } = aGitDeployment(t.integrationId);
    return t.create({ source_config: { ...source_config, repo_url, build_on_push: true } });
  };
  /** Oldest first. */
  const revisionsOf = async ({ id }: Deployment): Promise<Seen[]> => {
    const revisions = await t.revisions(id);
    return revisions.map((one) => ({ id: one.id, status: Status.parse(one.status) })).toReversed();
  };

  /** Does it; resolves with how many revisions that makes. */
  async function take({ does, at }: Step, { id, source_config }: Deployment, seen: Seen[]) {
    const chosen = seen[at % seen.length];
    const path = `/v2/deployments/${id}`;
    const expecting = async (status: number, method: string, below: string, body?: unknown) => {
      const answer = await t.request(method, `${path}${below}`, body);
      expect(answer.status, `${method} ${below}`).to.equal(status);
    };
    switch (does) {
      case "patch":
        await expecting(200, "PATCH", "", { source_revision_config: { repo_ref: "main" } });
        return 1;
      case "push":
        return t.platform.admin.push({
          repoUrl: source_config.repo_url ?? "",
          ref: "main",
          sha: "1".repeat(40),
        });
      case "redeploy":
        await expecting(200, "POST", `/revisions/${chosen?.id}/redeploy`);
        return 1;
      case "interrupt": {
        const isLate = chosen && chosen.status !== "INTERRUPTED" && hasEnded(chosen.status);
        await expecting(isLate ? 400 : 200, "POST", `/revisions/${chosen?.id}/interrupt`);
        return 0;
      }
      case "pass":
        await t.platform.admin.advanceClock((at % 4) * STAGE_SECONDS);
        return 0;
    }
  }

  /** One is built or deployed at most; those before it have ended, those after it wait or have ended. */
  async function expectOrder(deployment: Deployment, seen: readonly Seen[]): Promise<void> {
    const open = seen.filter(({ status }) => !hasEnded(status)).map(({ status }) => status);
    expect(open.slice(1).filter((status) => !WAITING.includes(status))).to.deep.equal([]);
    const { latest_revision_id, active_revision_id } = await t.get(deployment.id);
    expect(latest_revision_id).to.equal(seen.at(-1)?.id);
    const deployed = seen.filter(({ status }) => status === "DEPLOYED").at(-1);
    expect(active_revision_id).to.equal(deployed?.id ?? null);
  }

  it("go one at a time and in order, and what has ended stays as it is", () =>
    check(30, fc.array(step, { maxLength: 15 }), async (steps) => {
      const deployment = await aTrackingDeployment();
      let before = await revisionsOf(deployment);
      for (const one of steps) {
        const added = await take(one, deployment, before);
        const now = await revisionsOf(deployment);
        expect(now).to.have.lengthOf(before.length + added);
        for (const [index, old] of before.entries())
          if (hasEnded(old.status)) expect(now[index]).to.deep.equal(old);
        await expectOrder(deployment, now);
        before = now;
      }
      await t.platform.admin.advanceClock(3 * before.length * STAGE_SECONDS);
      const last = await revisionsOf(deployment);
      expect(last.filter(({ status }) => !hasEnded(status))).to.deep.equal([]);
      await expectOrder(deployment, last);
      await t.request("DELETE", `/v2/deployments/${deployment.id}`);
      await t.platform.admin.advanceClock(STAGE_SECONDS);
      await t.untilGone(deployment.id);
    }));
});

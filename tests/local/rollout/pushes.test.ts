import { expect } from "chai";
import { IntegrationsList, type Deployment } from "../../../sdk/schema";
import { aGitDeployment, useFreshPlatform } from "../../support/platform";
import { parsed } from "../../support/values";
import { z } from "zod";

const STAGE_SECONDS = 3600;
const REPOSITORY = "https://git.example.com/acme/support.git";
const sha = (digit: number) => String(digit).repeat(40);

describe("local/rollout/pushes", () => {
  const t = useFreshPlatform({ stageSeconds: STAGE_SECONDS });

  const tracking = (changes: object = {}) => {
    const { source_config } = aGitDeployment(t.integrationId);
    return { source_config: { ...source_config, build_on_push: true, ...changes } };
  };
  const push = async (commit: number, ref = "main", repoUrl = REPOSITORY) => {
    const { status, body } = await t.admin("POST", "/pushes", { repoUrl, ref, sha: sha(commit) });
    expect(status, JSON.stringify(body)).to.equal(200);
    return parsed(z.object({ deployments: z.int() }), body).deployments;
  };
  const stages = (count: number) => t.platform.admin.advanceClock(count * STAGE_SECONDS);
  const statuses = async (made: Deployment) =>
    (await revisions(made)).map(([status]) => status).join(" ");
  /** Status and commit of its revisions, oldest first. */
  const revisions = async ({ id }: Deployment) =>
    (await t.revisions(id)).map((one) => [one.status, one.repo_commit_sha]).toReversed();

  it("builds the pushed commit with the deployment's present settings", async () => {
    const made = await t.create(tracking());
    await stages(3);
    expect(await push(1)).to.equal(1);
    const after = await t.get(made.id);
    expect(after.latest_revision_id).to.not.equal(made.latest_revision_id);
    const { source_revision_config: config } = aGitDeployment("");
    expect(after.source_revision_config).to.deep.include({ ...config, repo_commit_sha: sha(1) });
    expect(after.secrets).to.deep.equal(made.secrets);
    await stages(3);
    expect((await revisions(made))[1]).to.deep.equal(["DEPLOYED", sha(1)]);
    expect((await t.get(made.id)).active_revision_id).to.equal(after.latest_revision_id);
  });

  it("takes the branch's name alone and as a full ref, and nothing else, nor without build_on_push", async () => {
    const made = await t.create(tracking());
    const still = await t.create(tracking({ build_on_push: false }));
    for (const ref of ["refs/tags/main", "refs/tags/v1", "other", "refs/heads/refs/tags/main"])
      expect(await push(1, ref), ref).to.equal(0);
    expect(await push(1, "main", "https://git.example.com/acme/other.git")).to.equal(0);
    expect(await revisions(made)).to.have.lengthOf(1);
    for (const ref of ["main", "refs/heads/main"]) expect(await push(2, ref)).to.equal(1);
    expect(await revisions(still)).to.have.lengthOf(1);
    const body = { repoUrl: REPOSITORY, ref: "main", sha: "main" };
    expect((await t.admin("POST", "/pushes", body)).status).to.equal(422);
  });

  it("follows the branch and the flag as a PATCH leaves them", async () => {
    const made = await t.create(tracking());
    const patch = (body: object) => t.request("PATCH", `/v2/deployments/${made.id}`, body);
    await patch({ source_revision_config: { repo_ref: "next" } });
    expect([await push(1, "main"), await push(1, "next")]).to.deep.equal([0, 1]);
    await patch({ source_config: { build_on_push: false } });
    expect(await push(2, "next")).to.equal(0);
  });

  it("builds the newest of several pushes during a build, and skips those that waited or are queued, and none that is being built", async () => {
    const made = await t.create(tracking());
    await stages(1);
    for (const commit of [1, 2, 3]) await push(commit);
    expect(await statuses(made)).to.equal("BUILDING SKIPPED SKIPPED CREATING");
    await stages(5);
    expect(await statuses(made)).to.equal("DEPLOYED SKIPPED SKIPPED DEPLOYED");
    const pushed = (await revisions(made)).slice(1).map(([, commit]) => commit);
    expect(pushed).to.deep.equal([1, 2, 3].map(sha));
    const { active_revision_id, latest_revision_id } = await t.get(made.id);
    expect(active_revision_id).to.equal(latest_revision_id);
    const other = await t.create(tracking());
    await stages(2);
    for (const commit of [1, 2, 3]) {
      await stages(1);
      await push(commit);
    }
    expect(await statuses(other)).to.equal("DEPLOYED DEPLOYING SKIPPED CREATING");
  });

  it("skips no revision that a request made, and knows after a restart which pushes made", async () => {
    const made = await t.create(tracking());
    const path = `/v2/deployments/${made.id}`;
    await t.request("PATCH", path, { secrets: [{ name: "A", value: "1" }] });
    await push(1);
    await t.restart();
    await t.request("POST", `${path}/revisions`, {});
    await push(2);
    await stages(9);
    expect(await statuses(made)).to.equal("DEPLOYED DEPLOYED SKIPPED DEPLOYED DEPLOYED");
  });

  it("creates a revision in every workspace that tracks the branch, and none of what is being deleted", async () => {
    const mine = await t.create(tracking());
    const gone = await t.create(tracking());
    const other = t.platform.admin.addWorkspace("other");
    const keys = { "X-Api-Key": other.apiKey, "X-Tenant-Id": other.workspaceId };
    const install = await t.request("GET", "/v1/integrations/git_host/install", undefined, keys);
    const integration_id = IntegrationsList.parse(install.body)[0]?.id;
    const body = { ...aGitDeployment(t.integrationId), ...tracking({ integration_id }) };
    expect((await t.request("POST", "/v2/deployments", body, keys)).status).to.equal(201);
    await t.request("DELETE", `/v2/deployments/${gone.id}`);
    expect(await push(1)).to.equal(2);
    expect(await revisions(mine)).to.have.lengthOf(2);
    expect(await revisions(gone)).to.have.lengthOf(1);
  });
});

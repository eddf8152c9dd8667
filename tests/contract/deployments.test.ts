import { expect } from "chai";
import { ControlPlane, NotFound } from "pulumi-agentserver/sdk";
import { DeploymentsList } from "../../sdk/schema";
import { rejection } from "../support/rejection";
import { aGitDeployment, poll, usePlatform } from "../support/platform";
import { parsed } from "../support/values";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)$/;

describe("the contract of deployments", () => {
  const t = usePlatform();
  const own = usePlatform();

  it("is lived through by a client: create, read, wait for DEPLOYED, update, delete", async () => {
    const { url: baseUrl, apiKey, workspaceId } = t.platform;
    const { deployments, revisions } = new ControlPlane({ baseUrl, apiKey, workspaceId });
    const body = { ...aGitDeployment(t.integrationId), name: "whole-life" };
    const { id, latest_revision_id } = await t.create(body);
    expect((await deployments.get(id)).latest_revision_id).to.equal(latest_revision_id);
    await poll("the revision to run", async () => {
      const { status } = await revisions.get(id, latest_revision_id ?? "");
      return { fits: status === "DEPLOYED", seen: status };
    });
    const changed = await deployments.update(id, { source_config: { build_on_push: true } });
    expect(changed.source_config.build_on_push).to.equal(true);
    await deployments.delete(id);
    await t.untilGone(id);
    expect(await rejection(deployments.get(id))).to.be.instanceOf(NotFound);
  });

  it("gives uuids as ids and ISO 8601 as times", async () => {
    const made = await t.create();
    for (const id of [made.id, made.tenant_id, made.latest_revision_id]) expect(id).to.match(UUID);
    for (const time of [made.created_at, made.updated_at]) expect(time).to.match(DATE_TIME);
  });

  it("moves updated_at with each change, and leaves created_at", async () => {
    const { id, created_at, updated_at } = await t.create();
    await t.request("PATCH", `/v2/deployments/${id}`, { secrets: [{ name: "A", value: "b" }] });
    const after = await t.get(id);
    expect(after.created_at).to.equal(created_at);
    expect(after.updated_at > updated_at).to.equal(true);
  });

  it("lets no request say what only the service says", async () => {
    const lies = {
      id: "11111111-1111-4111-8111-111111111111",
      tenant_id: "22222222-2222-4222-8222-222222222222",
      created_at: "1999-01-01T00:00:00Z",
      updated_at: "1999-01-01T00:00:00Z",
      status: "UNUSED",
      latest_revision_id: null,
      active_revision_id: "33333333-3333-4333-8333-333333333333",
      image_version: "99",
    };
    const made = await t.create(lies);
    const patched = await t.request("PATCH", `/v2/deployments/${made.id}`, lies);
    expect(patched.status).to.equal(200);
    for (const answered of [made, patched.body, await t.get(made.id)])
      for (const [name, lie] of Object.entries(lies))
        expect(answered).to.have.property(name).that.is.not.equal(lie);
  });

  it("shows in source_revision_config what the latest revision is made of", async () => {
    const { id, latest_revision_id } = await t.create();
    const next = { source_revision_config: { repo_ref: "refs/tags/v2" } };
    const answer = await t.request("PATCH", `/v2/deployments/${id}`, next);
    expect(answer.body).to.have.nested.property("source_revision_config.repo_ref", "refs/tags/v2");
    const first = await t.untilRevision(id, "DEPLOYED", latest_revision_id ?? "");
    expect(first.repo_ref).to.equal("main");
  });

  it("lists twenty from the first on unless a limit and an offset are given, and a hundred at most", async () => {
    for (let count = 0; count < 21; count += 1) await own.create();
    const page = async (query: string) =>
      parsed(DeploymentsList, (await own.request("GET", `/v2/deployments${query}`)).body);
    const { resources, offset } = await page("");
    expect([resources.length, offset]).to.deep.equal([20, 20]);
    expect((await page("?limit=100")).resources).to.have.lengthOf(21);
    expect((await own.request("GET", "/v2/deployments?limit=101")).status).to.equal(422);
    expect((await page("?offset=0&limit=1")).resources[0]?.id).to.equal(resources[0]?.id);
  });
});

import { expect } from "chai";
import { randomUUID } from "node:crypto";
import { anImageDeployment, startTestPlatform, type TestPlatform } from "../../../support/platform";

describe("local/http/routes/agents", () => {
  let t: TestPlatform;
  afterEach(() => t.close());

  const ok = async (id: string, headers: Record<string, string | undefined> = {}) => {
    const none = { "X-Api-Key": undefined, "X-Tenant-Id": undefined };
    return t.request("GET", `/agents/${id}/ok`, undefined, { ...none, ...headers });
  };

  it("answers what the deployment's server answers, without a key", async () => {
    t = await startTestPlatform({ driver: "process" });
    const { id, url } = await t.create(anImageDeployment());
    expect((await ok(id)).status).to.equal(503);
    await t.untilRevision(id, "DEPLOYED");
    for (const name of [id, id.toUpperCase()]) expect((await ok(name)).status).to.equal(200);
    expect((await fetch(`${url}/info`)).status).to.equal(200);
    expect((await t.request("GET", `/agents/${id}`)).status).to.equal(404);
  });

  it("asks for a key of the deployment's workspace with agentAuth", async () => {
    t = await startTestPlatform({ driver: "process", agentAuth: true });
    const { id } = await t.create(anImageDeployment());
    await t.untilRevision(id, "DEPLOYED");
    const { apiKey } = t.platform;
    const keys = [undefined, "wrong", t.platform.admin.addWorkspace("other").apiKey, apiKey];
    const answers = await Promise.all(keys.map((key) => ok(id, { "X-Api-Key": key })));
    expect(answers.map(({ status }) => status)).to.deep.equal([401, 401, 403, 200]);
    expect((await ok(id, { Authorization: `Bearer ${apiKey}` })).status).to.equal(200);
    const headers = { "X-Api-Key": apiKey };
    const made = await t.request("POST", `/agents/${id}/threads`, { metadata: { a: 1 } }, headers);
    expect(made.body).to.have.nested.property("metadata.a", 1);
  });

  it("answers 501 with the driver's words when no server will ever answer, and 404 without a deployment", async () => {
    t = await startTestPlatform();
    const { id } = await t.create();
    const { status, headers, body } = await ok(id);
    expect([status, headers.get("Retry-After")]).to.deep.equal([501, null]);
    expect(body).to.have.property("detail").that.contains("simulated");
    const unknown = randomUUID();
    const lost = await ok(unknown);
    expect(lost.status).to.equal(404);
    expect(lost.body).to.have.property("detail").that.contains(unknown);
  });
});

import { expect } from "chai";
import { randomUUID } from "node:crypto";
import { DeploymentsList, HTTPValidationError } from "../../../../sdk/schema";
import { rejection } from "../../../support/rejection";
import { anImageDeployment, startTestPlatform, type TestPlatform } from "../../../support/platform";
import { parsed } from "../../../support/values";
import { z } from "zod";

const LIST = "/v2/deployments";
const Made = z.strictObject({ workspaceId: z.string(), apiKey: z.string() });

describe("local/http/routes/admin", () => {
  let t: TestPlatform;
  beforeEach(async () => (t = await startTestPlatform()));
  afterEach(() => t.close());

  const add = async (path: string, body: unknown) => {
    const answer = await t.admin("POST", path, body);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(204);
  };
  const names = async () => {
    const { body } = await t.request("GET", LIST);
    return DeploymentsList.parse(body).resources.map(({ name }) => name);
  };

  it("is opened by the admin key alone", async () => {
    for (const key of [undefined, "wrong", t.platform.apiKey]) {
      const answer = await t.request("GET", "/_local/requests", undefined, { "X-Local-Key": key });
      expect(answer.status).to.equal(401);
    }
    expect((await t.admin("GET", "/requests")).status).to.equal(200);
  });

  it("answers 422 to what it does not understand, with every problem", async () => {
    const { body: problems } = await t.admin("POST", "/faults", { action: "explode", times: 0 });
    expect(problems).to.have.property("detail").with.lengthOf(3);
    const outcome = { stage: "build", status: "DEPLOY_FAILED" };
    for (const [path, body] of [
      ["/outcomes", outcome],
      ["/outcomes", { ...outcome, status: "SKIPPED" }],
      ["/outcomes", { ...outcome, stage: "create" }],
      ["/outcomes", { stage: "build", status: "BUILD_FAILED", when: "now" }],
      ["/faults", { match: { verb: "GET" }, action: "status", state: 500 }],
      ["/faults", { match: { path: "*".repeat(1001) }, action: "status" }],
      ["/clock", {}],
      ["/clock"],
    ] as const)
      expect((await t.admin("POST", path, body)).status, JSON.stringify(body)).to.equal(422);
  });

  describe("requests", () => {
    it("counts the operations of the control plane, by method and route, until they are cleared", async () => {
      expect((await t.admin("DELETE", "/requests")).status).to.equal(204);
      await t.request("GET", `${LIST}?limit=1`);
      await t.request("GET", `/api-host${LIST}`);
      const { id } = await t.create();
      await t.request("GET", `${LIST}/${id}`);
      await t.request("GET", `/agents/${id}/ok`);
      const { body } = await t.admin("GET", "/requests");
      expect(body).to.deep.equal({
        [`GET ${LIST}`]: 2,
        [`POST ${LIST}`]: 1,
        [`GET ${LIST}/{deployment_id}`]: 1,
      });
      await t.admin("DELETE", "/requests");
      expect((await t.admin("GET", "/requests")).body).to.deep.equal({});
    });

    it("counts nothing without a valid key, and one entry for all paths without a route", async () => {
      for (const key of [undefined, "wrong"])
        await t.request("GET", `/v2/${randomUUID()}`, undefined, { "X-Api-Key": key });
      expect(t.platform.admin.requests()).to.not.have.property("GET /v2/*");
      await t.admin("DELETE", "/requests");
      for (const path of [randomUUID(), randomUUID(), `deployments/${randomUUID()}`])
        await t.request("GET", `/v2/${path}`);
      expect(t.platform.admin.requests()).to.deep.equal({
        "GET /v2/*": 2,
        [`GET ${LIST}/{deployment_id}`]: 1,
      });
    });
  });

  describe("faults", () => {
    it("answers with a status, headers and a body so many times, once with 500 unless told otherwise, or with any text", async () => {
      const fault = { status: 429, headers: { "Retry-After": "7" }, body: { detail: "slow down" } };
      const match = { method: "get", path: LIST };
      await add("/faults", { match, times: 2, action: "status", ...fault });
      await add("/faults", { match: {}, action: "status" });
      await add("/faults", { match: {}, action: "status", status: 502, body: "<html>bad gateway" });
      for (let count = 0; count < 2; count += 1) {
        const { status, headers, body } = await t.request("GET", LIST);
        const answered = [status, headers.get("Retry-After"), body];
        expect(answered).to.deep.equal([429, "7", { detail: "slow down" }]);
      }
      expect((await t.request("GET", LIST)).status).to.equal(500);
      const { status, body } = await t.request("GET", LIST);
      expect([status, body]).to.deep.equal([502, "<html>bad gateway"]);
      expect((await t.request("GET", LIST)).status).to.equal(200);
    });

    it("answers without a body where the status has none", async () => {
      for (const status of [204, 205, 304]) {
        await add("/faults", { match: {}, action: "status", status, body: "any" });
        const answer = await t.request("GET", LIST);
        expect([answer.status, answer.body]).to.deep.equal([status, undefined]);
      }
    });

    it("refuses headers that HTTP cannot carry, each at its place", async () => {
      const headers = { "bad name": "x", "X-Value": "a\nb", "X-Euro": "€", "X-Good": "é" };
      const fault = { match: {}, action: "status", headers };
      const { status, body } = await t.admin("POST", "/faults", fault);
      expect(status).to.equal(422);
      const places = HTTPValidationError.parse(body).detail.map(({ loc }) => loc[2]);
      expect(places).to.deep.equal(["bad name", "X-Value", "X-Euro"]);
      expect((await t.request("GET", LIST)).status).to.equal(200);
    });

    it("happens to no request without a valid key nor to the admin API, which use none up, and to agent URLs too", async () => {
      const { id } = await t.create();
      const fault = { match: {}, action: "status", status: 418 };
      for (const _ of ["first", "second"]) await add("/faults", fault);
      const wrong = await t.request("GET", LIST, undefined, { "X-Api-Key": "wrong" });
      expect(wrong.status).to.equal(401);
      for (const path of [LIST, `/agents/${id}/ok`])
        expect((await t.request("GET", path)).status).to.equal(418);
    });

    it("matches the whole path, in which * stands for any text, and the method", async () => {
      const { id } = await t.create();
      await add("/faults", { match: { path: `${LIST}/*` }, action: "status", status: 503 });
      expect((await t.request("GET", LIST)).status).to.equal(200);
      expect((await t.request("GET", `${LIST}/${id}`)).status).to.equal(503);
      await add("/faults", { match: { path: LIST, method: "POST" }, action: "status" });
      expect((await t.request("GET", LIST)).status).to.equal(200);
      await t.admin("DELETE", "/faults");
      await t.create();
    });

    it("delays an answer, and that one only", async () => {
      await add("/faults", { match: { path: LIST }, action: "delay", delayMs: 2000 });
      const answered: number[] = [];
      const ask = async (name: number, path: string) => {
        expect((await t.request("GET", path)).status).to.equal(200);
        answered.push(name);
      };
      await Promise.all([ask(1, LIST), ask(2, "/v2/listeners")]);
      expect(answered).to.deep.equal([2, 1]);
    });

    it("closes or resets the connection before the request is handled, or after it", async () => {
      for (const action of ["drop-before", "reset", "drop-after"]) {
        await add("/faults", { match: { method: "POST" }, action });
        await rejection(t.create({ name: action }));
      }
      expect(await names()).to.deep.equal(["drop-after"]);
    });
  });

  describe("outcomes", () => {
    const endings = [
      { stage: "create", status: "CREATE_FAILED" },
      { stage: "build", status: "BUILD_FAILED" },
      { stage: "deploy", status: "DEPLOY_FAILED" },
      { stage: "create", status: "SKIPPED" },
      { stage: "build", status: "INTERRUPTED" },
    ];
    for (const { stage, status } of endings)
      it(`ends the next ${stage} in ${status}`, async () => {
        await add("/outcomes", { stage, status, reason: "because" });
        const { id } = await t.create();
        await t.untilRevision(id, status);
        const { id: next } = await t.create();
        await t.untilRevision(next, "DEPLOYED");
      });

    it("are refused of a build that a deployment of an image never has", async () => {
      const { id } = await t.create(anImageDeployment());
      const outcome = { stage: "build", status: "BUILD_FAILED" };
      const { status, body } = await t.admin("POST", "/outcomes", { ...outcome, deploymentId: id });
      expect(status).to.equal(400);
      expect(body).to.have.property("detail").that.contains("which has no build");
      const unknown = { ...outcome, deploymentId: randomUUID() };
      expect((await t.admin("POST", "/outcomes", unknown)).status).to.equal(404);
    });

    it("wait for the deployment that they name, and are taken back until they have come to pass", async () => {
      const { id } = await t.create();
      await t.untilRevision(id, "DEPLOYED");
      const outcome = { deploymentId: id, stage: "build", status: "BUILD_FAILED" };
      await add("/outcomes", outcome);
      const other = await t.create();
      await t.untilRevision(other.id, "DEPLOYED");
      const change = { source_revision_config: { repo_ref: "v2" } };
      await t.request("PATCH", `${LIST}/${id}`, change);
      await t.untilRevision(id, "BUILD_FAILED");
      await add("/outcomes", outcome);
      expect((await t.admin("DELETE", "/outcomes")).status).to.equal(204);
      await t.request("PATCH", `${LIST}/${id}`, change);
      await t.untilRevision(id, "DEPLOYED");
    });
  });

  it("moves the clock, and with it stages and timestamps", async () => {
    await t.restart({ stageSeconds: 3600 });
    const { id, created_at } = await t.create();
    const { status, body } = await t.admin("POST", "/clock", { advanceSeconds: 3 * 3600 });
    expect(status).to.equal(200);
    expect(body).to.have.property("now").that.is.a("string");
    const { updated_at } = await t.untilRevision(id, "DEPLOYED");
    const hours = (Date.parse(updated_at ?? "") - Date.parse(created_at)) / 3_600_000;
    expect(hours).to.be.within(2.99, 3.01);
  });

  it("moves the clock to no date that nothing else could live with, at once or step by step", async () => {
    const seconds = 80 * 365 * 86_400;
    expect((await t.admin("POST", "/clock", { advanceSeconds: seconds })).status).to.equal(200);
    expect((await t.admin("POST", "/clock", { advanceSeconds: 0.0001 })).status).to.equal(200);
    for (const advanceSeconds of [9_007_199_254_741, 1e300, 3 * seconds, 1.2 * seconds]) {
      const { status, body } = await t.admin("POST", "/clock", { advanceSeconds });
      expect(status).to.equal(422);
      expect(body).to.have.deep.nested.property("detail[0].loc", ["body", "advanceSeconds"]);
      expect(body).to.have.nested.property("detail[0].msg").that.contains("2200-01-01");
    }
    expect((await rejection(t.platform.admin.advanceClock(-1))).message).to.contain("forward");
    expect((await t.admin("POST", "/clock", { advanceSeconds: 60 })).status).to.equal(200);
    await t.restart();
    expect((await t.create()).created_at).to.match(/^21/);
  });

  it("makes further workspaces, each with an integration and a listener of its own", async () => {
    const { status, body } = await t.admin("POST", "/workspaces", { name: "second" });
    expect(status).to.equal(201);
    const { workspaceId, apiKey } = parsed(Made, body);
    const headers = { "X-Api-Key": apiKey, "X-Tenant-Id": workspaceId };
    const install = "/v1/integrations/git_host/install";
    const listeners = await t.request("GET", "/v2/listeners", undefined, headers);
    expect(listeners.body).to.have.nested.property("resources[0].compute_id", "local");
    const integrations = await t.request("GET", install, undefined, headers);
    expect(integrations.body).to.have.nested.property("[0].name", "local");
    expect(integrations.body).to.have.nested.property("[0].id").that.is.not.equal(t.integrationId);
  });

  it("makes names taken, and tags deployments", async () => {
    for (const _ of ["first", "again"]) await add("/leftover-names", { name: "ghost" });
    expect((await rejection(t.create({ name: "ghost" }))).message).to.contain("tracing project");
    const { id } = await t.create();
    const tag = randomUUID();
    const count = async () => {
      const { body } = await t.request("GET", `${LIST}?tag_value_ids=${tag}`);
      return DeploymentsList.parse(body).resources.length;
    };
    await add("/tags", { deploymentId: id, tagValueIds: [tag, tag] });
    expect(await count()).to.equal(1);
    await add("/tags", { deploymentId: id, tagValueIds: [] });
    expect(await count()).to.equal(0);
    const unknown = { deploymentId: randomUUID(), tagValueIds: [] };
    expect((await t.admin("POST", "/tags", unknown)).status).to.equal(404);
  });
});

import { expect } from "chai";
import { randomUUID } from "node:crypto";
import { DeploymentsList, HTTPValidationError } from "../../../../sdk/schema";
import { reasonOf, rejection } from "../../../support/rejection";
import { anImageDeployment, useFreshPlatform } from "../../../support/platform";
import { parsed } from "../../../support/values";
import { z } from "zod";

const LIST = "/v2/deployments";
const Made = z.strictObject({ workspaceId: z.string(), apiKey: z.string() });

describe("local/http/routes/admin", () => {
  const t = useFreshPlatform();

  const add = async (path: string, body: unknown) => {
    const answer = await t.admin("POST", path, body);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(204);
  };
  const names = async (query = "") => {
    const { body } = await t.request("GET", LIST + query);
    return DeploymentsList.parse(body).resources.map(({ name }) => name);
  };

  it("is opened by the admin key alone, and answers 422 to what it does not understand, with every problem", async () => {
    for (const key of [undefined, "wrong", t.platform.apiKey]) {
      const answer = await t.request("GET", "/_local/requests", undefined, { "X-Local-Key": key });
      expect(answer.status).to.equal(401);
    }
    expect((await t.admin("GET", "/requests")).status).to.equal(200);
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

  it("counts the operations of the control plane, by method and route, until they are cleared; nothing without a valid key, and all paths without a route as one", async () => {
    expect((await t.admin("DELETE", "/requests")).status).to.equal(204);
    await t.request("GET", `${LIST}?limit=1`);
    await t.request("GET", `/api-host${LIST}`);
    const { id } = await t.create();
    await t.request("GET", `${LIST}/${id}`);
    await t.request("GET", `/agents/${id}/ok`);
    const { body } = await t.admin("GET", "/requests");
    const one = `GET ${LIST}/{deployment_id}`;
    expect(body).to.deep.equal({ [`GET ${LIST}`]: 2, [`POST ${LIST}`]: 1, [one]: 1 });
    await t.admin("DELETE", "/requests");
    expect((await t.admin("GET", "/requests")).body).to.deep.equal({});
    for (const key of [undefined, "wrong"])
      await t.request("GET", `/v2/${randomUUID()}`, undefined, { "X-Api-Key": key });
    expect(t.platform.admin.requests()).to.not.have.property("GET /v2/*");
    await t.admin("DELETE", "/requests");
    for (const path of [randomUUID(), randomUUID(), `deployments/${randomUUID()}`])
      await t.request("GET", `/v2/${path}`);
    const counted = { "GET /v2/*": 2, [`GET ${LIST}/{deployment_id}`]: 1 };
    expect(t.platform.admin.requests()).to.deep.equal(counted);
  });

  it("answers with a status, headers and a body so many times, once with 500 unless told otherwise, with any text, or without a body where the status has none", async () => {
    const fault = { status: 429, headers: { "Retry-After": "7" }, body: { detail: "slow down" } };
    const match = { method: "get", path: LIST };
    await add("/faults", { match, times: 2, action: "status", ...fault });
    await add("/faults", { match: {}, action: "status" });
    await add("/faults", { match: {}, action: "status", status: 502, body: "<html>bad gateway" });
    const answers: unknown[] = [];
    for (let count = 0; count < 5; count += 1) {
      const { status, headers, body } = await t.request("GET", LIST);
      answers.push([status, headers.get("Retry-After"), status === 500 || body]);
    }
    const slow = [429, "7", fault.body];
    const others = [
      [500, null, true],
      [502, null, "<html>bad gateway"],
    ];
    const good = [200, null, { resources: [], offset: 0 }];
    expect(answers).to.deep.equal([slow, slow, ...others, good]);
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

  it("happens to requests with a valid key whose method and whole path match, in which * stands for any text, and to agent URLs", async () => {
    const { id } = await t.create();
    const fault = { match: {}, action: "status", status: 418 };
    for (const _ of ["first", "second"]) await add("/faults", fault);
    const wrong = await t.request("GET", LIST, undefined, { "X-Api-Key": "wrong" });
    expect(wrong.status).to.equal(401);
    for (const path of [LIST, `/agents/${id}/ok`])
      expect((await t.request("GET", path)).status).to.equal(418);
    await add("/faults", { match: { path: `${LIST}/*` }, action: "status", status: 503 });
    expect((await t.request("GET", LIST)).status).to.equal(200);
    expect((await t.request("GET", `${LIST}/${id}`)).status).to.equal(503);
    await add("/faults", { match: { path: LIST, method: "POST" }, action: "status" });
    expect((await t.request("GET", LIST)).status).to.equal(200);
    await t.admin("DELETE", "/faults");
    await t.create();
  });

  it("delays one answer alone, and closes or resets the connection before the request is handled, or after it", async () => {
    await add("/faults", { match: { path: LIST }, action: "delay", delayMs: 2000 });
    const answered: string[] = [];
    const ask = async (path: string) => {
      expect((await t.request("GET", path)).status).to.equal(200);
      answered.push(path);
    };
    await Promise.all([ask(LIST), ask("/v2/listeners")]);
    expect(answered).to.deep.equal(["/v2/listeners", LIST]);
    for (const action of ["drop-before", "reset", "drop-after"]) {
      await add("/faults", { match: { method: "POST" }, action });
      await rejection(t.create({ name: action }));
    }
    expect(await names()).to.deep.equal(["drop-after"]);
  });

  describe("outcomes", () => {
    for (const [stage, status] of [
      ["create", "CREATE_FAILED"],
      ["build", "BUILD_FAILED"],
      ["deploy", "DEPLOY_FAILED"],
      ["create", "SKIPPED"],
      ["build", "INTERRUPTED"],
    ] as const)
      it(`ends the next ${stage} in ${status}, and not the one after it`, async () => {
        await add("/outcomes", { stage, status, reason: "because" });
        await add("/outcomes", { stage: "deploy", status: "DEPLOY_FAILED" });
        for (const end of [status, "DEPLOY_FAILED", "DEPLOYED"])
          await t.untilRevision((await t.create()).id, end);
      });

    it("wait for the deployment that they name, are taken back until they have come to pass, and refused of a build that an image never has", async () => {
      const { id } = await t.create();
      await t.untilRevision(id, "DEPLOYED");
      const outcome = { deploymentId: id, stage: "build", status: "BUILD_FAILED" };
      await add("/outcomes", outcome);
      await t.untilRevision((await t.create()).id, "DEPLOYED");
      const change = { source_revision_config: { repo_ref: "v2" } };
      await t.request("PATCH", `${LIST}/${id}`, change);
      await t.untilRevision(id, "BUILD_FAILED");
      await add("/outcomes", outcome);
      expect((await t.admin("DELETE", "/outcomes")).status).to.equal(204);
      await t.request("PATCH", `${LIST}/${id}`, change);
      await t.untilRevision(id, "DEPLOYED");
      const impossible = { stage: "build", status: "BUILD_FAILED" };
      const of = (deploymentId: string) =>
        t.admin("POST", "/outcomes", { ...impossible, deploymentId });
      const bare = { source_config: {}, source_revision_config: {} };
      const internal = { source: "internal_container", ...bare };
      for (const image of [anImageDeployment(), internal]) {
        const { status, body } = await of((await t.create(image)).id);
        expect(status).to.equal(400);
        expect(body).to.have.property("detail").that.contains("which has no build");
      }
      expect((await of(randomUUID())).status).to.equal(404);
    });
  });

  it("moves the clock, and with it stages and timestamps, but to no date that nothing else could live with, at once or step by step", async () => {
    await t.restart({ stageSeconds: 3600 });
    const { id, created_at } = await t.create();
    const { status, body } = await t.admin("POST", "/clock", { advanceSeconds: 3 * 3600 });
    expect(status).to.equal(200);
    expect(body).to.have.property("now").that.is.a("string");
    const { updated_at } = await t.untilRevision(id, "DEPLOYED");
    const hours = (Date.parse(updated_at ?? "") - Date.parse(created_at)) / 3_600_000;
    expect(hours).to.be.within(2.99, 3.01);
    const seconds = 80 * 365 * 86_400;
    const advance = (advanceSeconds: number) => t.admin("POST", "/clock", { advanceSeconds });
    for (const moved of [seconds, 0.0001]) expect((await advance(moved)).status).to.equal(200);
    for (const refused of [9_007_199_254_741, 1e300, 3 * seconds, 1.2 * seconds]) {
      const answer = await advance(refused);
      expect(answer.status).to.equal(422);
      expect(answer.body).to.have.deep.nested.property("detail[0].loc", ["body", "advanceSeconds"]);
      expect(answer.body).to.have.nested.property("detail[0].msg").that.contains("2200-01-01");
    }
    expect(await reasonOf(t.platform.admin.advanceClock(-1))).to.contain("forward");
    expect((await advance(60)).status).to.equal(200);
    await t.restart();
    expect((await t.create()).created_at).to.match(/^21/);
  });

  it("makes further workspaces, each with an integration and a listener of its own, makes names taken, and tags deployments", async () => {
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
    for (const _ of ["first", "again"]) await add("/leftover-names", { name: "ghost" });
    expect(await reasonOf(t.create({ name: "ghost" }))).to.contain("tracing project");
    const { id } = await t.create();
    const tag = randomUUID();
    for (const tagValueIds of [[tag, tag], []]) {
      await add("/tags", { deploymentId: id, tagValueIds });
      expect(await names(`?tag_value_ids=${tag}`)).to.have.length(tagValueIds.length / 2);
    }
    const unknown = { deploymentId: randomUUID(), tagValueIds: [] };
    expect((await t.admin("POST", "/tags", unknown)).status).to.equal(404);
  });
});

import { expect } from "chai";
import { Listener, ListenersList } from "../../../sdk/schema";
import { startTestPlatform, type TestPlatform } from "../../support/platform";
import { recordOf } from "../../../shared/records";

describe("local/http/app", () => {
  let t: TestPlatform;
  before(async () => (t = await startTestPlatform()));
  after(() => t.close());

  it("serves every path with and without /api-host", async () => {
    const { id } = await t.create();
    for (const path of ["/v2/deployments", `/v2/deployments/${id}`, "/v2/listeners"])
      expect((await t.request("GET", `/api-host${path}`)).status, path).to.equal(200);
    expect((await t.request("GET", "/api-host/api-host/v2/deployments")).status).to.equal(404);
  });

  it("describes what it serves, with its version and how requests are authenticated", async () => {
    const { body } = await t.request("GET", "/openapi.json", undefined, { "X-Api-Key": undefined });
    expect(body).to.have.nested.property("info.version", "0.1.0");
    const { paths } = recordOf(body);
    expect(paths).to.have.property("/v2/deployments").with.keys("get", "post");
    expect(body).to.have.nested.property("components.securitySchemes").with.property("X-Api-Key");
    expect(JSON.stringify(body), "of another dialect").to.not.match(/dev_zero|display_name/);
  });

  it("lets nobody keep a copy of any answer, for those carry variables and keys", async () => {
    const { id } = await t.create();
    const { body } = await t.request("GET", "/openapi.json");
    const operations = Object.entries(recordOf(recordOf(body)["paths"])).flatMap(
      ([path, methods]) =>
        Object.keys(recordOf(methods)).map((method) => [method.toUpperCase(), path] as const),
    );
    expect(operations).to.have.length.above(20);
    const answered = [["POST", "/_local/workspaces"], ["GET", "/openapi.json"], ...operations];
    for (const [method = "", path = ""] of answered) {
      const filled = path.replaceAll("{deployment_id}", id).replace(/\{\w+\}/g, id);
      const headers = { "X-Api-Key": t.platform.apiKey, "X-Local-Key": t.platform.adminKey };
      const content = { "Content-Type": "application/json" };
      const answer = await fetch(t.platform.url + filled, {
        method,
        headers: { ...headers, ...(method === "GET" ? {} : content) },
        ...(method === "GET" || method === "DELETE" ? {} : { body: '{"name":"other"}' }),
      });
      await answer.arrayBuffer();
      expect(answer.status, `${method} ${path}`).to.be.below(500);
      expect(answer.headers.get("cache-control"), `${method} ${path}`).to.equal("no-store");
    }
    const anonymous = await fetch(`${t.platform.url}/v2/deployments`);
    expect([anonymous.status, anonymous.headers.get("cache-control")]).to.deep.equal([
      401,
      "no-store",
    ]);
  });

  it("leads browsers to the page, and from the link to a deployment that published clients print", async () => {
    const page = new URL(t.platform.pageUrl ?? "").origin;
    const { id } = await t.create();
    for (const [path, to] of [
      ["/", "/"],
      [`/o/${t.platform.workspaceId}/host/deployments/${id}`, `/deployments/${id}`],
    ]) {
      const { status, headers } = await fetch(t.platform.url + path, { redirect: "manual" });
      expect([status, headers.get("location")]).to.deep.equal([302, page + to]);
    }
  });

  it("answers 404 in the contract's form to what it does not serve", async () => {
    for (const path of ["/o", "/v2/auth/token-events", "/v3/deployments", "/agents"]) {
      const { status, body } = await t.request("GET", path);
      expect([status, body], path).to.deep.equal([404, { detail: "Not Found" }]);
    }
  });

  it("answers 405 with the methods that a path has", async () => {
    const { id } = await t.create();
    const allowed: [string, string, string][] = [
      ["PUT", "/v2/deployments", "GET, POST"],
      ["DELETE", "/api-host/v2/deployments", "GET, POST"],
      ["POST", `/v2/deployments/${id}`, "DELETE, GET, PATCH"],
      ["PUT", "/v2/listeners", "GET, POST"],
      ["GET", `/v2/deployments/${id}/revisions/${id}/redeploy`, "POST"],
    ];
    for (const [method, path, allow] of allowed) {
      const { status, headers } = await t.request(method, path);
      expect([status, headers.get("Allow")], `${method} ${path}`).to.deep.equal([405, allow]);
    }
  });

  it("has an integration and a listener named local in a new folder", async () => {
    const { body } = await t.request("GET", "/v1/integrations/git_host/install");
    expect(body).to.have.lengthOf(1);
    expect(body).to.have.nested.property("[0].name", "local");
    const { body: listeners } = await t.request("GET", "/v2/listeners?limit=5");
    const { resources, offset } = ListenersList.parse(listeners);
    expect([resources.length, offset]).to.deep.equal([1, 1]);
    const one = Listener.parse((await t.request("GET", `/v2/listeners/${t.listenerId}`)).body);
    expect(one).to.deep.equal(resources[0]);
    expect(one).to.include({ compute_type: "k8s", compute_id: "local" });
    expect(one.compute_config.k8s_namespaces).to.deep.equal(["default", "agents"]);
  });
});

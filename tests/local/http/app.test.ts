import { expect } from "chai";
import { usePlatform } from "../../support/platform";
import { recordOf } from "../../../shared/records";

describe("local/http/app", () => {
  const t = usePlatform();

  it("describes itself, with its version, without a key, and serves every path with and without /api-host", async () => {
    const { body } = await t.request("GET", "/openapi.json", undefined, { "X-Api-Key": undefined });
    expect(body).to.have.nested.property("info.version", "0.1.0");
    const { id } = await t.create();
    for (const path of ["/v2/deployments", `/v2/deployments/${id}`, "/v2/listeners"])
      expect((await t.request("GET", `/api-host${path}`)).status, path).to.equal(200);
    expect((await t.request("GET", "/api-host/api-host/v2/deployments")).status).to.equal(404);
  });

  it("lets nobody keep a copy of any answer, for those carry variables and keys", async () => {
    const { id } = await t.create();
    const { body } = await t.request("GET", "/openapi.json");
    const operations = Object.entries(recordOf(recordOf(body)["paths"])).flatMap(
      ([path, methods]) =>
        Object.keys(recordOf(methods)).map((method) => [method.toUpperCase(), path] as const),
    );
    expect(operations).to.have.length.above(20);
    const keys = { "X-Local-Key": t.platform.adminKey };
    const answered = [["POST", "/_local/workspaces"], ["GET", "/openapi.json"], ...operations];
    for (const [method = "", path = ""] of answered) {
      const sent = method === "GET" || method === "DELETE" ? undefined : { name: "other" };
      const { status, headers } = await t.request(method, path.replace(/\{\w+\}/g, id), sent, keys);
      expect(status, `${method} ${path}`).to.be.below(500);
      expect(headers.get("cache-control"), `${method} ${path}`).to.equal("no-store");
    }
    const { status, headers } = await fetch(`${t.platform.url}/v2/deployments`);
    expect([status, headers.get("cache-control")]).to.deep.equal([401, "no-store"]);
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

  it("answers 404 in the contract's form to what it does not serve, and 405 with the methods that a path has", async () => {
    for (const path of ["/o", "/v2/auth/token-events", "/v3/deployments", "/agents"]) {
      const { status, body } = await t.request("GET", path);
      expect([status, body], path).to.deep.equal([404, { detail: "Not Found" }]);
    }
    const { id } = await t.create();
    for (const [method, path, allow] of [
      ["PUT", "/v2/deployments", "GET, POST"],
      ["DELETE", "/api-host/v2/deployments", "GET, POST"],
      ["POST", `/v2/deployments/${id}`, "DELETE, GET, PATCH"],
      ["GET", `/v2/deployments/${id}/revisions/${id}/redeploy`, "POST"],
    ] as const) {
      const { status, headers } = await t.request(method, path);
      expect([status, headers.get("Allow")], `${method} ${path}`).to.deep.equal([405, allow]);
    }
  });
});

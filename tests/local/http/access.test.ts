import { expect } from "chai";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { isLoopback } from "../../../shared/net";
import { startTestPlatform, type TestPlatform } from "../../support/platform";

const LIST = "/v2/deployments";

describe("local/http/access", () => {
  let t: TestPlatform;
  before(async () => (t = await startTestPlatform()));
  after(() => t.close());

  const answers = async (headers: Record<string, string | undefined>) => {
    const { status, body } = await t.request("GET", LIST, undefined, headers);
    return { status, body };
  };

  it("opens with X-Api-Key, which names the workspace too, and with the same key as a bearer token", async () => {
    const bearer = { "X-Api-Key": undefined, Authorization: `Bearer ${t.platform.apiKey}` };
    for (const headers of [{}, bearer, { "X-Tenant-Id": undefined }])
      expect((await answers(headers)).status).to.equal(200);
  });

  it("answers 401 without a key, and with one that is not known", async () => {
    for (const key of [undefined, "", "wrong", `${t.platform.apiKey}x`]) {
      const { status, body } = await answers({ "X-Api-Key": key });
      expect(status).to.equal(401);
      const missing = "missing API key; send it in the header X-Api-Key";
      expect(body).to.deep.equal({ detail: key === undefined ? missing : "unknown API key" });
    }
  });

  it("answers 403 to a key that is not one of X-Tenant-Id", async () => {
    const tenantId = randomUUID();
    const { status, body } = await answers({ "X-Tenant-Id": tenantId });
    expect(status).to.equal(403);
    expect(body).to.have.property("detail").that.contains(tenantId);
  });

  it("hides what belongs to another workspace behind 404", async () => {
    const other = t.platform.admin.addWorkspace("other");
    const mine = await t.create();
    const headers = { "X-Api-Key": other.apiKey, "X-Tenant-Id": other.workspaceId };
    const send = (method: string, path: string, body?: object) =>
      t.request(method, LIST + path, body, headers);
    for (const answer of [
      await send("GET", `/${mine.id}`),
      await send("DELETE", `/${mine.id}`),
      await send("PATCH", `/${mine.id}`, {}),
      await send("GET", `/${mine.id}/revisions`),
    ])
      expect(answer.status).to.equal(404);
    expect((await send("GET", "")).body).to.deep.equal({ resources: [], offset: 0 });
    const { name } = mine;
    const source = { source: "internal_container", source_config: {}, source_revision_config: {} };
    expect((await send("POST", "", { name, secrets: [], ...source })).status).to.equal(201);
  });

  it("sends the time of the platform with every response", async () => {
    await t.platform.admin.advanceClock(3600);
    for (const key of [t.platform.apiKey, "wrong"]) {
      const beforeMs = Date.now();
      const { headers } = await t.request("GET", LIST, undefined, { "X-Api-Key": key });
      const toldMs = Date.parse(headers.get("Date") ?? "") - 3_600_000;
      expect(toldMs).to.be.within(beforeMs - 1000, Date.now()); // in whole seconds
    }
  });

  it("refuses requests that name another host", async () => {
    const { port, apiKey } = t.platform;
    const statusFor = async (host: string) => {
      const headers = { host, "x-api-key": apiKey };
      const [response] = await once(httpRequest({ port, path: LIST, headers }).end(), "response");
      response.resume();
      return response.statusCode;
    };
    const foreign = [
      "evil.example.com",
      `evil.example.com:${port}`,
      "10.0.0.1",
      "127.0.0.1.example.com",
    ];
    for (const host of foreign) expect(await statusFor(host), host).to.equal(403);
    for (const host of ["localhost", `127.0.0.1:${port}`, `[::1]:${port}`, "platform.localhost"])
      expect(await statusFor(host), host).to.equal(200);
  });

  it("listens on loopback alone unless it is asked to, and its page always", async () => {
    const reached = ({ platform: { url, pageUrl = "" } }: TestPlatform) =>
      Promise.all(
        [url, pageUrl].map((at) =>
          fetch(at.replace("127.0.0.1", "127.0.0.2"), { redirect: "manual" }).then(
            () => true,
            () => false,
          ),
        ),
      );
    expect(await reached(t)).to.deep.equal([false, false]);
    const open = await startTestPlatform({ listen: "0.0.0.0", agentAuth: true });
    try {
      expect(await reached(open)).to.deep.equal([true, false]);
    } finally {
      await open.close();
    }
  });

  it("knows which addresses only this machine reaches", () => {
    for (const address of ["localhost", "127.0.0.1", "127.1.2.3", "::1"])
      expect(isLoopback(address), address).to.equal(true);
    for (const address of ["0.0.0.0", "::", "10.0.0.1", "example.com"])
      expect(isLoopback(address), address).to.equal(false);
  });
});

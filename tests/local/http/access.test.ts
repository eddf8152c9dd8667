import { expect } from "chai";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { Hono } from "hono";
import { requireAllowedHost } from "../../../local/http/access";
import { isLoopback } from "../../../shared/net";
import { type TestPlatform, usePlatform } from "../../support/platform";

const LIST = "/v2/deployments";

describe("local/http/access", () => {
  const t = usePlatform();
  const open = usePlatform({ listen: "0.0.0.0", agentAuth: true });

  const answers = async (headers: Record<string, string | undefined>) => {
    const { status, body } = await t.request("GET", LIST, undefined, headers);
    return { status, body };
  };

  it("opens with X-Api-Key, which names the workspace too, and with the same key as a bearer token; 401 answers others, and 403 a key that is not of X-Tenant-Id", async () => {
    const bearer = { "X-Api-Key": undefined, Authorization: `Bearer ${t.platform.apiKey}` };
    const inCapitals = { "X-Tenant-Id": t.platform.workspaceId.toUpperCase() };
    for (const headers of [{}, bearer, { "X-Tenant-Id": undefined }, inCapitals])
      expect((await answers(headers)).status).to.equal(200);
    for (const key of [undefined, "", "wrong", `${t.platform.apiKey}x`]) {
      const { status, body } = await answers({ "X-Api-Key": key });
      expect(status).to.equal(401);
      const missing = "missing API key; send it in the header X-Api-Key";
      expect(body).to.deep.equal({ detail: key === undefined ? missing : "unknown API key" });
    }
    const { workspaceId: others } = t.platform.admin.addWorkspace("others");
    for (const tenantId of [randomUUID(), others]) {
      const detail = `the API key does not belong to workspace ${tenantId} (X-Tenant-Id)`;
      const refused = await answers({ "X-Tenant-Id": tenantId });
      expect(refused).to.deep.equal({ status: 403, body: { detail } });
    }
  });

  it("hides what belongs to another workspace behind 404", async () => {
    const other = t.platform.admin.addWorkspace("other");
    const mine = await t.create();
    const headers = { "X-Api-Key": other.apiKey, "X-Tenant-Id": other.workspaceId };
    const send = (method: string, path: string, body?: object) =>
      t.request(method, LIST + path, body, headers);
    for (const method of ["GET", "DELETE", "PATCH"]) {
      const { status } = await send(method, `/${mine.id}`, method === "PATCH" ? {} : undefined);
      expect(status, method).to.equal(404);
    }
    expect((await send("GET", `/${mine.id}/revisions`)).status).to.equal(404);
    expect((await send("GET", "")).body).to.deep.equal({ resources: [], offset: 0 });
    const { name } = mine;
    const source = { source: "internal_container", source_config: {}, source_revision_config: {} };
    expect((await send("POST", "", { name, secrets: [], ...source })).status).to.equal(201);
  });

  it("refuses requests that name another host, and knows which addresses only this machine reaches", async () => {
    const { port } = t.platform;
    const statusFor = async (host: string, platform = t.platform) => {
      const headers = { host, "x-api-key": platform.apiKey };
      const sent = httpRequest({ port: platform.port, path: LIST, headers }).end();
      const [response] = await once(sent, "response");
      response.resume();
      return response.statusCode;
    };
    const evil = "evil.example.com";
    for (const host of [evil, `${evil}:${port}`, "10.0.0.1", "127.0.0.1.example.com"])
      expect(await statusFor(host), host).to.equal(403);
    for (const host of ["localhost", `127.0.0.1:${port}`, `[::1]:${port}`, "platform.localhost"])
      expect(await statusFor(host), host).to.equal(200);
    // Who listens beyond loopback is reached at any address, and by no name but its own.
    for (const host of ["10.0.0.1:1", "[2001:db8::5]:1", "[2001:db8::5]"])
      expect(await statusFor(host, open.platform), host).to.equal(200);
    expect(await statusFor(evil, open.platform)).to.equal(403);
    // Clients send a name in lower case.
    const named = new Hono().use(requireAllowedHost("VM.example.com")).all("*", (c) => c.text(""));
    const answer = await named.request("/", { headers: { host: "vm.example.com:1" } });
    expect(answer.status).to.equal(200);
    for (const address of ["localhost", "LOCALHOST", "127.0.0.1", "127.1.2.3", "::1"])
      expect(isLoopback(address), address).to.equal(true);
    const names = ["example.com", "127.example.com", "127.0.0.1.nip.io"];
    for (const address of ["0.0.0.0", "::", "10.0.0.1", ...names])
      expect(isLoopback(address), address).to.equal(false);
  });

  it("listens on loopback alone unless it is asked to, and its page always", async () => {
    const isReached = (at: string) =>
      fetch(at.replace("127.0.0.1", "127.0.0.2"), { redirect: "manual" }).then(
        () => true,
        () => false,
      );
    const reached = ({ platform: { url, pageUrl = "" } }: TestPlatform) =>
      Promise.all([url, pageUrl].map(isReached));
    expect(await reached(t)).to.deep.equal([false, false]);
    expect(await reached(open)).to.deep.equal([true, false]);
  });
});

import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import { join } from "node:path";
import { expect } from "chai";
import { ControlPlane, Forbidden, TlsError, Unauthorized } from "pulumi-agentserver/sdk";
import { REPOSITORY } from "../../scripts/project";
import { aClock, aDeployment } from "../support/builders";
import { always, json, portOf, startServer, type TestServer } from "../support/http";
import { rejection } from "../support/rejection";

describe("the client behind a proxy that the environment names", () => {
  const kept = { ...process.env };
  const NAMES = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy"];
  let proxy: TestServer;
  /** The status of a page that the proxy answers itself. */
  let refusal: number | undefined;

  beforeEach(async () => {
    refusal = undefined;
    proxy = await startServer((_request, response) => {
      if (refusal === undefined) return json(response, 200, aDeployment());
      return response.writeHead(refusal).end("<html><title>Access Denied</title></html>");
    });
    process.env["HTTP_PROXY"] = proxy.url;
    process.env["http_proxy"] = proxy.url;
    delete process.env["NO_PROXY"];
    delete process.env["no_proxy"];
  });
  afterEach(async () => {
    for (const name of NAMES)
      if (kept[name] === undefined) delete process.env[name];
      else process.env[name] = kept[name];
    await proxy.close();
  });

  const get = (baseUrl: string) =>
    new ControlPlane({
      baseUrl,
      clock: aClock(),
      apiKey: "key",
      workspaceId: "w",
      allowInsecureHttp: true,
    }).deployments.get("1", { resource: "urn:pulumi:dev::shop::agentserver:index:Deployment::à" });

  it("asks it for another host's address", async () => {
    await get("http://control.example.test/sub");
    expect(proxy.received[0]?.url).to.equal("http://control.example.test/sub/v2/deployments/1");
    // Another host does not learn the names of projects, stacks and resources.
    expect(proxy.received[0]?.headers).not.to.have.property("x-pulumi-urn");
    expect(JSON.stringify(proxy.received)).not.to.contain("urn:");
  });

  for (const status of [401, 403, 407])
    it(`takes its page with ${status} for no answer of the control plane`, async () => {
      refusal = status;
      const error = await rejection(get("http://control.example.test"));
      expect(error).not.to.be.instanceOf(Forbidden).and.not.instanceOf(Unauthorized);
      expect(error.message).to.contain(
        `${status} an HTML page, 'Access Denied', which a proxy or gateway in between has sent`,
      );
    });

  it("names the scheme that HTTPS_PROXY lacks, after one try", async () => {
    process.env["HTTPS_PROXY"] = process.env["https_proxy"] = new URL(proxy.url).host;
    const error = await rejection(get("https://control.example.test"));
    expect(error).to.be.instanceOf(TlsError).with.property("code", "EPROTO");
    expect(error).to.have.property("advice").that.contains("write HTTPS_PROXY with its scheme");
    expect(proxy.received).to.be.empty;
  });

  it("does not take a proxy that is away for a host that is", async () => {
    const away = "http://127.0.0.1:9";
    for (const name of NAMES.slice(0, 4)) process.env[name] = away;
    for (const [baseUrl, nothingThere] of [
      ["http://control.example.test", false],
      ["https://control.example.test", false],
      [away, true],
    ] as const)
      expect(await rejection(get(baseUrl)), baseUrl).to.include({ neverSent: true, nothingThere });
  });

  it("names a certificate that is not trusted, after one try", async () => {
    const pem = readFileSync(join(REPOSITORY, "tests/fixtures/tls/self-signed.pem"));
    const server = createServer({ key: pem, cert: pem });
    let tries = 0;
    server.on("connection", () => (tries += 1)).listen(0, "127.0.0.1");
    await once(server, "listening");
    const error = await rejection(get(`https://127.0.0.1:${portOf(server.address())}`));
    server.close();
    expect(error).to.be.instanceOf(TlsError).with.property("code", "DEPTH_ZERO_SELF_SIGNED_CERT");
    expect(error).to.have.property("nothingThere", false);
    expect(error.message).to.contain("self-signed certificate");
    expect(error).to.have.property("advice").that.contains("NODE_EXTRA_CA_CERTS");
    expect(tries).to.equal(1);
  });

  it("goes to this machine's own addresses directly", async () => {
    const server = await startServer(always(200, aDeployment()));
    await get(server.url).finally(() => server.close());
    expect(proxy.received).to.be.empty;
    expect(server.received).to.have.length(1);
    const urn = "urn:pulumi:dev::shop::agentserver:index:Deployment::%C3%A0";
    expect(server.received[0]?.headers["x-pulumi-urn"]).to.equal(urn);
  });
});

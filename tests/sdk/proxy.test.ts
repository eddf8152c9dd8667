import { expect } from "chai";
import { ControlPlane } from "pulumi-agentserver/sdk";
import { aDeployment } from "../support/builders";
import { json, startServer, type TestServer } from "../support/http";

describe("the client behind a proxy that the environment names", () => {
  const kept = { ...process.env };
  let proxy: TestServer;

  beforeEach(async () => {
    proxy = await startServer((_request, response) => json(response, 200, aDeployment()));
    process.env["HTTP_PROXY"] = proxy.url;
    process.env["http_proxy"] = proxy.url;
    delete process.env["NO_PROXY"];
    delete process.env["no_proxy"];
  });
  afterEach(async () => {
    for (const name of ["HTTP_PROXY", "http_proxy", "NO_PROXY", "no_proxy"])
      if (kept[name] === undefined) delete process.env[name];
      else process.env[name] = kept[name];
    await proxy.close();
  });

  const get = (baseUrl: string) =>
    new ControlPlane({
      baseUrl,
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

  it("goes to this machine's own addresses directly", async () => {
    const server = await startServer((_request, response) => json(response, 200, aDeployment()));
    await get(server.url).finally(() => server.close());
    expect(proxy.received).to.be.empty;
    expect(server.received).to.have.length(1);
    const urn = "urn:pulumi:dev::shop::agentserver:index:Deployment::%C3%A0";
    expect(server.received[0]?.headers["x-pulumi-urn"]).to.equal(urn);
  });
});

import { RunError, runtime } from "@pulumi/pulumi";
import { expect } from "chai";
import { getIntegration, getListener, listIntegrations, listListeners } from "pulumi-agentserver";
import { callFunction } from "../../../provider/adapters/native/functions";
import { always, type TestServer, useServers } from "../../support/http";
import { usePlatform } from "../../support/platform";
import { HOST } from "../../support/lifecycle";
import { reasonOf, rejection } from "../../support/rejection";
import { configureStack, unconfigureStack } from "./stack-configuration";

const FIRST = "11111111-1111-4111-8111-111111111111";
const SECOND = "22222222-2222-4222-8222-222222222222";

describe("looking up integrations", () => {
  const start = useServers();
  let server: TestServer;
  const serve = async (names: Readonly<Record<string, string>>) => {
    const integrations = Object.entries(names).map(([id, name], installation_id) => ({
      id,
      name,
      installation_id,
    }));
    server = await start(always(200, integrations));
    configureStack({ url: server.url, apiKey: "key", workspaceId: "mine" });
  };
  afterEach(unconfigureStack);

  it("takes the only one there is", async () => {
    await serve({ [FIRST]: "acme" });
    const only = { id: FIRST, name: "acme", installationId: 0 };
    expect(await getIntegration()).to.deep.equal(only);
    expect(await listIntegrations()).to.deep.equal([only]);
  });

  it("takes the one of an id or a whole name", async () => {
    await serve({ [FIRST]: "acme", [SECOND]: "acme-labs" });
    expect(await getIntegration({ name: "acme" })).to.have.property("id", FIRST);
    expect(await getIntegration({ id: SECOND })).to.have.property("name", "acme-labs");
  });

  it("lists them all when there are several to choose from, or none", async () => {
    await serve({ [FIRST]: "acme", [SECOND]: "acme-labs" });
    expect(await reasonOf(getIntegration())).to.equal(
      `get integration: workspace mine has 2 integrations: 'acme' (${FIRST}), 'acme-labs' (${SECOND}); specify the name or the id of one`,
    );
    await serve({ [FIRST]: "same", [SECOND]: "same" });
    expect(await reasonOf(getIntegration({ name: "same" }))).to.match(
      /has 2 integrations with this name: .*; specify the id of one$/,
    );
    await serve({});
    expect(await reasonOf(getIntegration())).to.equal(
      "get integration: workspace mine has no integrations",
    );
  });

  it("names the nearest when none fits", async () => {
    await serve({ [FIRST]: "acme", [SECOND]: "labs" });
    expect(await reasonOf(getIntegration({ name: "acne" }))).to.equal(
      `get integration 'acne': workspace mine has no integrations with this name; the nearest is 'acme' (${FIRST})`,
    );
    expect(await reasonOf(getIntegration({ id: SECOND.replace("8", "9") }))).to.contain(
      `with this id; the nearest is 'labs' (${SECOND})`,
    );
    await serve({ [FIRST]: "acme-labs", [SECOND]: "acme" });
    expect(await reasonOf(getIntegration({ name: "ACME" }))).to.contain(
      `with this name; the nearest is 'acme' (${SECOND})`,
    );
    expect(await reasonOf(getIntegration({ name: "billing" }))).to.equal(
      "get integration 'billing': workspace mine has no integrations with this name",
    );
    // A stack is never shown, and takes long to format.
    const error = await rejection(getIntegration({ id: "1" }));
    expect([RunError.isInstance(error), error.stack]).to.deep.equal([true, ""]);
  });

  it("refuses an id beside a name, and an id that is not a UUID", async () => {
    await serve({ [FIRST]: "acme" });
    expect(await reasonOf(getIntegration({ id: "acme", name: "acme" }))).to.equal(
      "get integration: id must be a UUID; specify id or name, not both",
    );
    expect(server.received).to.be.empty;
  });
});

describe("looking up listeners", () => {
  const test = usePlatform();

  before(() => configureStack(test.platform));
  after(unconfigureStack);

  it("takes the only one there is", async () => {
    const only = await getListener();
    expect(only).to.deep.include({
      id: test.listenerId,
      computeType: "k8s",
      computeId: "local",
      computeConfig: { k8sNamespaces: ["default", "agents"] },
      tenantId: test.platform.workspaceId,
      baseUrl: test.platform.url,
    });
    expect(await getListener({ computeId: "local" })).to.deep.equal(only);
    expect(await listListeners()).to.deep.equal([only]);
    const token = "agentserver:index:listListeners";
    expect(await callFunction(token, {}, runtime.allConfig(), HOST)).to.deep.equal({
      listeners: [only],
    });
  });

  it("takes the one of an id or a compute id", async () => {
    const compute_config = { k8s_namespaces: ["agents"] };
    const body = { compute_type: "k8s", compute_id: "cluster-1", compute_config };
    await test.request("POST", "/v2/listeners", body);
    const cluster = await getListener({ computeId: "cluster-1" });
    expect(cluster.computeConfig).to.deep.equal({ k8sNamespaces: ["agents"] });
    for (const id of [cluster.id, cluster.id.toUpperCase()])
      expect(await getListener({ id })).to.deep.equal(cluster);
    expect(await reasonOf(getListener())).to.contain("specify the computeId or the id");
    const both = getListener({ id: cluster.id, computeId: "local" });
    expect(await reasonOf(both)).to.contain("specify id or computeId, not both");
  });
});

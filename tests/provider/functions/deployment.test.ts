import { isSecret, secret } from "@pulumi/pulumi";
import { expect } from "chai";
import {
  getDeployment,
  getDeploymentOutput,
  listDeployments,
  listDeploymentsOutput,
} from "pulumi-agentserver";
import { aDeployment, variablesOf } from "../../support/builders";
import { always, startServer } from "../../support/http";
import { type TestPlatform, usePlatform } from "../../support/platform";
import { reasonOf, rejection } from "../../support/rejection";
import { configureStack, unconfigureStack, valueOf } from "./stack-configuration";
import { untyped } from "../../support/values";
import { readFileSync } from "node:fs";
import { recordOf } from "../../../shared/records";
import { camelKeys } from "../../../provider/arguments/casing";
import { DeploymentFilters } from "../../../sdk/schema";
import { SCHEMA } from "../../../scripts/schema/package";

const NOWHERE = "99999999-9999-4999-8999-999999999999";

describe("looking up deployments on a platform", () => {
  const test = usePlatform();
  let support: Awaited<ReturnType<TestPlatform["create"]>>;
  let requests: () => unknown;

  before(async () => {
    // The oldest of more than a page of deployments whose names hold its own but for one.
    const { id } = await test.create({
      name: "support",
      secrets: variablesOf({ MODEL_API_KEY: "value-CANARY", LOG_LEVEL: "info" }),
    });
    await test.untilRevision(id, "DEPLOYED");
    for (let count = 1; count <= 100; count += 1) await test.create({ name: `support-${count}` });
    await test.create({ name: "another-suport-desk" });
    support = await test.get(id);
    requests = () => test.platform.admin.requests();
  });
  beforeEach(() => {
    configureStack(test.platform);
    test.platform.admin.clearRequests();
  });
  after(unconfigureStack);

  it("finds one by its id, with what the resource puts out and no value of a variable", async () => {
    expect(await getDeployment({ id: support.id })).to.deep.equal({
      id: support.id,
      name: "support",
      source: "git_host",
      sourceConfig: {
        integrationId: test.integrationId,
        repoUrl: "https://git.example.com/acme/support.git",
        deploymentType: "dev",
        buildOnPush: false,
        customUrl: support.url,
      },
      sourceRevisionConfig: {
        repoRef: "main",
        graphConfigPath: "langgraph.json",
        repoCommitSha: support.source_revision_config.repo_commit_sha,
      },
      variables: ["LOG_LEVEL", "MODEL_API_KEY"],
      tenantId: test.platform.workspaceId,
      baseUrl: test.platform.url,
      status: "READY",
      url: support.url,
      createdAt: support.created_at,
      updatedAt: support.updated_at,
      imageVersion: null,
      latestRevisionId: support.latest_revision_id,
      activeRevisionId: support.active_revision_id,
    });
  });

  it("finds the one whose whole name it is, on whatever page", async () => {
    expect(await getDeployment({ name: "support" })).to.have.property("id", support.id);
    expect(requests()).to.deep.equal({ "GET /v2/deployments": 2 });
  });

  it("names the nearest of all when none has the name, and its id", async () => {
    for (const name of ["suport", "Support"])
      expect(await reasonOf(getDeployment({ name }))).to.equal(
        `get deployment '${name}': workspace ${test.platform.workspaceId} has no deployments with this name; the nearest is 'support' (${support.id}); if this program creates it, use its id, which is unknown until then`,
      );
  });

  it("lists all that pass the filters, newest first, through all pages", async () => {
    const all = await listDeployments();
    expect(all).to.have.length(102);
    expect(all.at(-1)).to.deep.equal(await getDeployment({ id: support.id }));
    const some = await listDeployments({
      nameContains: "RT-1",
      deploymentType: "dev",
      deploymentIds: all.slice(91).map(({ id }) => id),
    });
    expect(some.map(({ name }) => name)).to.deep.equal(["support-10", "support-1"]);
  });

  it("declares every filter that the client sends", () => {
    const { functions } = recordOf(JSON.parse(readFileSync(SCHEMA, "utf8")));
    const { inputs } = recordOf(recordOf(functions)["agentserver:index:listDeployments"]);
    const declared = Object.keys(recordOf(recordOf(inputs)["properties"]));
    expect(declared).to.have.members(Object.keys(camelKeys(DeploymentFilters.shape)));
  });

  it("says where it has looked for an id that is nowhere", async () => {
    const { message } = await rejection(getDeployment({ id: NOWHERE }));
    expect(message).to.match(new RegExp(`^get deployment '${NOWHERE}': 404 `));
    expect(message).to.contain(`workspace ${test.platform.workspaceId} of ${test.platform.url}`);
  });

  it("gives outputs that are secret when an argument is, not because of the key", async () => {
    const open = getDeploymentOutput({ name: "support" });
    const hidden = getDeploymentOutput({ name: secret("support") });
    expect(await valueOf(open.id)).to.equal(support.id);
    expect(await valueOf(hidden.id)).to.equal(support.id);
    expect([await isSecret(open), await isSecret(hidden)]).to.deep.equal([false, true]);
    const list = listDeploymentsOutput({ nameContains: "support", deploymentIds: [open.id] });
    expect(await valueOf(list.apply((all) => all.map(({ name }) => name)))).to.deep.equal([
      "support",
    ]);
  });

  it("refuses wrong arguments, all at once, and asks nobody", async () => {
    const wrong: [Promise<unknown>, RegExp][] = [
      [getDeployment(untyped({})), /^get deployment: specify either id or name$/],
      [
        getDeployment(untyped({ id: "support", name: "support" })),
        /^get deployment: id must be a UUID; specify either id or name$/,
      ],
      [
        getDeployment(untyped({ nmae: "a", id: null })),
        /: unknown argument 'nmae'; .* id or name$/,
      ],
      [
        listDeployments(untyped({ deploymentType: "test", deploymentIds: ["a"], status: "" })),
        /^list deployments: status must .*; deploymentType must .*; deploymentIds\[0\] must be a UUID$/,
      ],
      [
        getDeployment(untyped({ name: secret("support") })),
        /^getDeployment: name has an output or a promise; use getDeploymentOutput, which waits for it$/,
      ],
      [
        listDeployments(untyped({ deploymentIds: [Promise.resolve(NOWHERE)] })),
        /^listDeployments: deploymentIds has .*; use listDeploymentsOutput, which waits for it$/,
      ],
      [
        listDeployments({ deploymentIds: [], tagValueIds: [] }),
        /^list deployments: tagValueIds must be a non-empty array; deploymentIds must be a non-empty array$/,
      ],
    ];
    for (const [asked, message] of wrong) expect(await reasonOf(asked)).to.match(message);
    expect(requests()).to.deep.equal({});
  });

  it("names the setting to look at when the key is wrong", async () => {
    configureStack(test.platform, { "agentserver:apiKey": "key-CANARY-wrong" });
    const { message } = await rejection(getDeployment({ name: "support" }));
    expect(message).to.match(/^get deployment 'support': list deployments: 401 /);
    expect(message).to.contain("check agentserver:apiKey").and.not.to.contain("CANARY");
  });
});

describe("looking up a deployment of which little is shown", () => {
  it("leaves out what is null, and takes the custom URL where it has no other", async () => {
    const custom_url = "https://support.example.com";
    const source_config = { custom_url, repo_url: null, resource_spec: { min_scale: 1 } };
    const shown = aDeployment({ source_config, secrets: undefined, image_version: "1.2" });
    const server = await startServer(always(200, { resources: [shown], offset: 1 }));
    configureStack({ url: server.url, apiKey: "key", workspaceId: "mine" });
    const found = await getDeployment({ name: "support" }).finally(() => server.close());
    unconfigureStack();
    expect(found).to.deep.include({
      sourceConfig: { customUrl: custom_url, resourceSpec: { minScale: 1 } },
      sourceRevisionConfig: {},
      url: custom_url,
      variables: null,
      imageVersion: "1.2",
    });
  });
});

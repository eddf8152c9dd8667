import { expect } from "chai";
import { deploymentLifecycle as lifecycle } from "../../../provider/deployment/lifecycle";
import type { Props } from "../../../provider/arguments/props";
import { json, type TestServer } from "../../support/http";
import { contextOf } from "../../support/lifecycle";
import { startTestPlatform, type TestPlatform } from "../../support/platform";
import { gitArgs } from "../../support/program";
import { rejection, initializationFailure } from "../../support/rejection";
import { startRelay } from "../../support/relay";

describe("the last variable of a deployment", () => {
  let test: TestPlatform;
  let relay: TestServer;
  let keeps = false;

  beforeEach(async () => {
    keeps = false;
    test = await startTestPlatform();
    relay = await startRelay(test.platform.url, async ({ method, url, body }, response, pass) => {
      if (!keeps || method !== "PATCH") return pass();
      // As the public service takes an empty list.
      const { secrets: _, ...rest } = JSON.parse(body);
      const answer = await test.request(method, url, rest);
      return json(response, answer.status, answer.body);
    });
  });
  afterEach(async () => {
    await relay.close();
    await test.close();
  });

  const context = () => contextOf({ ...test.platform, url: relay.url });
  const inputs = (env: Props): Props => ({ ...gitArgs(test), name: "support", env });

  it("is removed by one revision, and the next refresh shows no drift", async () => {
    const { id, outs } = await lifecycle.create(inputs({ KEY: "value" }), context());
    const { outs: updated } = await lifecycle.update(id, outs, inputs({}), context());
    const { secrets, latest_revision_id } = await test.get(id);
    expect(secrets).to.be.empty;
    expect(updated).to.deep.include({ env: {}, ready: true, latestRevisionId: latest_revision_id });
    expect(latest_revision_id).not.to.equal(outs["latestRevisionId"]);
    const { inputs: seen } = await lifecycle.read(id, updated, context());
    expect(seen).to.deep.include({ env: {} });
    expect(test.platform.admin.requests()["PATCH /v2/deployments/{deployment_id}"]).to.equal(1);
  });

  it("is removed though the service keeps those that it adds itself", async () => {
    const { id, outs } = await lifecycle.create(inputs({ KEY: "value", LOG_JSON: "1" }), context());
    keeps = true;
    const added = await test.request("PATCH", `/v2/deployments/${id}`, {
      secrets: [{ name: "LOG_JSON", value: "1" }],
    });
    expect(added.status).to.equal(200);
    await test.untilRevision(id, "DEPLOYED");
    const { outs: updated } = await lifecycle.update(id, outs, inputs({}), context());
    expect(updated).to.deep.include({ env: {} });
  });

  it("is named in an error where the service keeps it after an empty list", async () => {
    const { id, outs } = await lifecycle.create(inputs({ KEY: "value" }), context());
    keeps = true;
    const error = await rejection(lifecycle.update(id, outs, inputs({}), context()));
    expect(error.message).to.contain("the service still has variable KEY after an empty list");
  });
});

describe("the first command of a deployment", () => {
  let test: TestPlatform;
  beforeEach(async () => (test = await startTestPlatform()));
  afterEach(() => test.close());

  it("is refused to be removed at the preview already where it failed, not at a refresh, and the way out works", async () => {
    const context = () => contextOf(test.platform);
    const checked = async (olds: Props, installCommand?: string): Promise<Props> => {
      const { sourceConfig, ...args } = gitArgs(test);
      const config = { ...sourceConfig, ...(installCommand !== undefined && { installCommand }) };
      const news = { ...args, name: "support", sourceConfig: config };
      return (await lifecycle.check(olds, news, context())).inputs ?? {};
    };
    const inputs = await checked({});
    const { id, outs } = await lifecycle.create(inputs, context());
    test.platform.admin.addOutcome({ stage: "build", status: "BUILD_FAILED", reason: "boom" });
    const broken = await checked(inputs, "npm broken");
    const failed = initializationFailure(lifecycle.update(id, outs, broken, context()));
    const { properties } = await failed;

    // The engine keeps the old inputs and the new outputs; a refresh asks no check.
    const processCache = { ...context().processCache, existing: new Map<string, Props>() };
    const refresh = { ...context(), processCache };
    expect(() => lifecycle.diff(id, properties, inputs, refresh)).not.to.throw();

    const reverted = await checked(inputs);
    expect(() => lifecycle.diff(id, properties, reverted, context())).to.throw(
      /installCommand can't be removed.*`npm ci`/,
    );
    const fixed = await checked(inputs, "npm ci");
    lifecycle.diff(id, properties, fixed, context());
    const { outs: updated } = await lifecycle.update(id, properties, fixed, context());
    expect(updated).to.include({ ready: true });
    expect((await test.get(id)).source_config.install_command).to.equal("npm ci");
  });
});

import { expect } from "chai";
import { deploymentLifecycle as lifecycle } from "../../../provider/deployment/lifecycle";
import type { Props } from "../../../provider/arguments/props";
import type { TestServer } from "../../support/http";
import { contextOf } from "../../support/lifecycle";
import { startTestPlatform, type TestPlatform } from "../../support/platform";
import { gitArgs } from "../../support/program";
import { initializationFailure } from "../../support/rejection";
import { startRelay } from "../../support/relay";

describe("a revision that another client creates while an operation waits for its own", () => {
  const FOREIGN = "registry.example.com/foreign:1";
  let test: TestPlatform;
  let relay: TestServer;
  let isMeddling = false;
  let hasWritten = false;
  /** Whether the response to a PATCH shows no deployment. */
  let isSilent = false;
  let lines: string[] = [];
  before(async () => {
    test = await startTestPlatform();
    relay = await startRelay(test.platform.url, async ({ method, url }, _response, pass) => {
      const [, id] = /deployments\/([^/?]+)/.exec(url) ?? [];
      if (method !== "GET") hasWritten = isMeddling;
      else if (hasWritten && id !== undefined) {
        isMeddling = hasWritten = false;
        const { source } = await test.get(id);
        const foreign = source === "git_host" ? { repo_ref: "other" } : { image_uri: FOREIGN };
        const body = { source_revision_config: foreign };
        await test.request("PATCH", `/v2/deployments/${id}`, body);
      }
      await pass(isSilent && method === "PATCH" ? () => ({}) : undefined);
    });
  });
  after(async () => {
    await relay.close();
    await test.close();
  });
  beforeEach(() => {
    lines = [];
    isMeddling = hasWritten = isSilent = false;
  });

  const context = () => contextOf({ ...test.platform, url: relay.url }, lines);
  const image = (name: string, tag: string, more: object = {}): Props => ({
    source: "external_container",
    sourceConfig: {},
    sourceRevisionConfig: { imageUri: `registry.example.com/ours:${tag}` },
    name,
    ...more,
  });
  const warnings = () => lines.filter((line) => line.includes("was created elsewhere"));
  const diff = (id: string, outs: Props, news: Props) => {
    lines = [];
    lifecycle.diff(id, outs, news, context());
    return warnings();
  };
  /** The state keeps the revision that was asked for, and lists the other one. */
  const expectOwn = async (id: string, outs: Props) => {
    const [foreign, own] = await test.revisions(id);
    expect(warnings()).to.have.length(1);
    expect(warnings()[0]).to.contain(foreign?.id);
    expect(outs).to.include({ latestRevisionId: own?.id });
    expect(outs).to.have.nested.property("rollout.revisionId", own?.id);
    expect(outs).to.have.nested.property("revisions[0].id", foreign?.id);
  };

  it("is warned of by a create, by each later preview, and by the next update", async () => {
    isMeddling = true;
    const inputs = image("made", "1");
    const { id, outs } = await lifecycle.create(inputs, context());
    await expectOwn(id, outs);
    expect(diff(id, outs, inputs)).to.have.length(1);
    const refreshed = await lifecycle.read(id, outs, context());
    expect(refreshed.props, "a refresh shows the drift").to.have.nested.property(
      "sourceRevisionConfig.imageUri",
      FOREIGN,
    );
    expect(diff(id, refreshed.props ?? {}, inputs)).to.be.empty;
    lines = [];
    await lifecycle.update(id, outs, { ...inputs, env: { A: "1" } }, context());
    const [warning, ...others] = warnings();
    expect(warning).to.contain("`pulumi refresh` shows what else differs");
    expect(others).to.be.empty;
    const { source_revision_config: source } = await test.get(id);
    expect(source.image_uri, "what it has beside the program's change stays").to.equal(FOREIGN);
  });

  const ANYWHERE = { sourceConfig: { customUrl: "https://agents.example.com" } };
  for (const [name, more, change] of [
    ["active", {}, {}],
    ["deployed", { wait: { until: "deployed" } }, {}],
    ["accepted", { wait: { until: "none" } }, {}],
    ["silent", {}, {}],
    ["settings", {}, { ...image("settings", "1"), ...ANYWHERE }],
  ] as const)
    it(`is warned of by an update of which the wait, the response or the change is another one: ${name}`, async () => {
      const { id, outs } = await lifecycle.create(image(name, "1", more), context());
      isMeddling = true;
      isSilent = name === "silent";
      const news = { ...image(name, "2", more), ...change };
      const { outs: updated } = await lifecycle.update(id, outs, news, context());
      await expectOwn(id, updated);
    });

  it("is warned of where the own one failed", async () => {
    const { id, outs } = await lifecycle.create(image("fails", "1"), context());
    isMeddling = true;
    test.platform.admin.addOutcome({ stage: "deploy", status: "DEPLOY_FAILED", reason: "boom" });
    const failed = lifecycle.update(id, outs, image("fails", "2"), context());
    const { properties } = await initializationFailure(failed);
    await expectOwn(id, properties);
  });

  it("is nothing to warn of where the service builds on push, and the newest one is in the state", async () => {
    const { sourceConfig, ...args } = gitArgs(test);
    const pushed = {
      ...args,
      name: "pushed",
      sourceConfig: { ...sourceConfig, buildOnPush: true },
    };
    const { id, outs } = await lifecycle.create(pushed, context());
    isMeddling = true;
    const news = { ...pushed, env: { A: "1" } };
    const { outs: updated } = await lifecycle.update(id, outs, news, context());
    const [newest, ...others] = await test.revisions(id);
    expect(others).to.have.length(2);
    expect(updated).to.include({ latestRevisionId: newest?.id });
    expect(warnings()).to.be.empty;
    expect(diff(id, updated, news)).to.be.empty;
  });
});

import { expect } from "chai";
import { deploymentLifecycle as lifecycle } from "../../../provider/deployment/lifecycle";
import type { Props } from "../../../provider/arguments/props";
import { Deployment, DeploymentsList } from "../../../sdk/schema";
import { json, type TestServer } from "../../support/http";
import { contextOf } from "../../support/lifecycle";
import { startTestPlatform, type TestPlatform } from "../../support/platform";
import { gitArgs } from "../../support/program";
import { initializationFailure } from "../../support/rejection";
import { startRelay } from "../../support/relay";
import { parsed } from "../../support/values";

describe("a control plane that leaves variables, commands and the source of a revision out of its answers", () => {
  let test: TestPlatform;
  let relay: TestServer;
  let losesPatch = false;

  beforeEach(async () => {
    losesPatch = false;
    let lost = false;
    test = await startTestPlatform();
    relay = await startRelay(test.platform.url, async ({ method, url }, response, pass) => {
      lost ||= losesPatch && method === "PATCH";
      if (losesPatch && method === "PATCH") return response.destroy();
      if (losesPatch && lost) return json(response, 401, { detail: "the key was taken back" });
      if (method !== "GET" || !/^\/v2\/deployments(\?|\/[^/]+$)/.test(url)) return pass();
      const { status, body } = await test.request("GET", url);
      const { data: page } = DeploymentsList.safeParse(body);
      const shown = page
        ? { ...page, resources: page.resources.map(silent) }
        : silent(parsed(Deployment, body));
      return json(response, status, shown);
    });
  });
  afterEach(async () => {
    await relay.close();
    await test.close();
  });

  const silent = (deployment: Deployment) => {
    const { secrets: _, source_config, source_revision_config: _source, ...rest } = deployment;
    const { install_command: _install, build_command: _build, ...config } = source_config;
    return { ...rest, source_config: config };
  };
  const context = () => contextOf({ ...test.platform, url: relay.url });
  const declared = async (more: object, installCommand?: string): Promise<Props> => {
    const { sourceConfig, ...args } = gitArgs(test);
    const config = { ...sourceConfig, ...(installCommand !== undefined && { installCommand }) };
    const news = { ...args, sourceConfig: config, ...more };
    return (await lifecycle.check({}, news, context())).inputs ?? {};
  };
  const expectThere = async (id: string, value: string, command: string) => {
    const { secrets, source_config: config } = await test.get(id);
    expect(secrets).to.deep.equal([{ name: "KEY", value }]);
    expect(config.install_command).to.equal(command);
    expect(await test.revisions(id)).to.have.length(2);
  };

  it("is sent what is declared when a deployment is adopted, in one change", async () => {
    const { id } = await test.create({ name: "theirs" });
    await test.untilRevision(id, "DEPLOYED");
    const more = { name: "theirs", adoptExisting: true, secrets: { KEY: "new" } };
    const { outs } = await lifecycle.create(await declared(more, "npm ci"), context());
    expect(outs).to.have.property("ready", true);
    await expectThere(id, "new", "npm ci");
  });

  it("is sent what is declared once more when a PATCH never arrived, in one change", async () => {
    const first = await declared({ secrets: { KEY: "old" } }, "npm i");
    const { id, outs } = await lifecycle.create(first, context());
    const news = await declared({ secrets: { KEY: "new" } }, "npm ci");
    losesPatch = true;
    const { properties } = await initializationFailure(lifecycle.update(id, outs, news, context()));
    losesPatch = false;
    const { outs: made } = await lifecycle.update(id, properties, news, context());
    expect(made).to.have.property("ready", true);
    await expectThere(id, "new", "npm ci");
  });

  it("is sent nothing of it by an update that changes none of it", async () => {
    const given = [{ secrets: { KEY: "value" } }, "npm ci"] as const;
    const { id, outs } = await lifecycle.create(await declared(...given), context());
    const news = await declared({ ...given[0], redeployOn: 1 }, given[1]);
    await lifecycle.update(id, outs, news, context());
    expect(await test.revisions(id)).to.have.length(1);
  });

  it("shows in its newest revision what another client has set, which an update after a refresh takes back", async () => {
    const news = await declared({});
    const { id, outs } = await lifecycle.create(news, context());
    const theirs = { source_revision_config: { repo_ref: "theirs" } };
    await test.request("PATCH", `/v2/deployments/${id}`, theirs);
    const read = await lifecycle.read(id, outs, context());
    expect(read?.inputs).to.have.nested.property("sourceRevisionConfig.repoRef", "theirs");
    expect(read?.inputs).to.have.nested.property("sourceRevisionConfig.graphConfigPath");
    await lifecycle.update(id, read?.props ?? {}, news, context());
    const { source_revision_config: source } = await test.get(id);
    expect(source.repo_ref).to.equal("main");
  });
});

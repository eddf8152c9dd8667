import { expect } from "chai";
import { deploymentLifecycle as lifecycle } from "../../../provider/deployment/lifecycle";
import { contextOf } from "../../support/lifecycle";
import { aGitDeployment, startTestPlatform, type TestPlatform } from "../../support/platform";
import { gitArgs } from "../../support/program";
import { rejection } from "../../support/rejection";

describe("a deployment's lifecycle against a control plane", () => {
  let test: TestPlatform;
  let said: string[] = [];
  beforeEach(async () => {
    said = [];
    test = await startTestPlatform();
  });
  afterEach(() => test.close());

  const context = () => contextOf(test.platform, said);
  const args = (repoRef = "main", more = {}) => ({
    ...gitArgs(test),
    sourceRevisionConfig: { repoRef, graphConfigPath: "langgraph.json" },
    ...more,
  });
  const checked = async (news: object, olds = {}) =>
    (await lifecycle.check(olds, { ...news }, context())).inputs ?? {};
  const patch = (id: string, body: object) => test.request("PATCH", `/v2/deployments/${id}`, body);

  it("reads what it creates once, when that serves, and no list of the one revision that it has", async () => {
    test.platform.admin.clearRequests();
    const { outs } = await lifecycle.create(await checked(args()), context());
    const {
      "GET /v2/deployments/{deployment_id}": reads,
      "GET /v2/deployments/{deployment_id}/revisions": lists = 0,
    } = test.platform.admin.requests();
    expect({ reads, lists }).to.deep.equal({ reads: 1, lists: 0 });
    expect(outs).to.have.nested.property("revisions[0].id", outs["latestRevisionId"]);
  });
  it("waits for the end of a deployment that has the name and is being deleted", async () => {
    const { id } = await test.create({ name: "leaving" });
    await test.request("DELETE", `/v2/deployments/${id}`);
    const inputs = await checked(args("main", { name: "leaving" }));
    const made = await lifecycle.create(inputs, context());
    expect(made.id).not.to.equal(id);
  });
  it("brings an adopted deployment to what is declared by one PATCH, and by none where it is that already", async () => {
    const { id } = await test.create({ name: "taken" });
    await test.untilRevision(id, "DEPLOYED");
    const adopt = async (repoRef: string, env: object) => {
      test.platform.admin.clearRequests();
      const sourceConfig = { ...gitArgs(test).sourceConfig, buildOnPush: true };
      const more = { name: "taken", adoptExisting: true, env, sourceConfig };
      await lifecycle.create(await checked(args(repoRef, more)), context());
      return test.platform.admin.requests()["PATCH /v2/deployments/{deployment_id}"] ?? 0;
    };
    expect(await adopt("next", { A: "1" })).to.equal(1);
    const { source_revision_config: source, source_config: config, secrets } = await test.get(id);
    expect(source.repo_ref).to.equal("next");
    expect(config.build_on_push).to.equal(true);
    expect(secrets).to.deep.equal([{ name: "A", value: "1" }]);
    expect(await adopt("next", { A: "1" })).to.equal(0);
    expect(await test.revisions(id)).to.have.length(2);
  });
  it("adopts no deployment with a command that is not declared, which the service would keep", async () => {
    const { source_config } = aGitDeployment(test.integrationId);
    const config = { ...source_config, install_command: "npm ci" };
    const { id } = await test.create({ name: "taken", source_config: config });
    const inputs = await checked(args("next", { name: "taken", adoptExisting: true }));
    const { message } = await rejection(lifecycle.create(inputs, context()));
    expect(message).to.contain("installCommand can't be removed");
    expect(await test.revisions(id)).to.have.length(1);
  });
  it("switches building on push off, which was not declared, of a deployment that is adopted", async () => {
    const { source_config } = aGitDeployment(test.integrationId);
    const { id } = await test.create({
      name: "taken",
      source_config: { ...source_config, build_on_push: true },
    });
    await test.untilRevision(id, "DEPLOYED");
    test.platform.admin.clearRequests();
    const inputs = await checked(args("next", { name: "taken", adoptExisting: true }));
    await lifecycle.create(inputs, context());
    expect((await test.get(id)).source_config.build_on_push).to.equal(false);
    expect(test.platform.admin.requests()).to.include({
      "PATCH /v2/deployments/{deployment_id}": 1,
    });
    expect(await test.revisions(id)).to.have.length(2);
  });
  it("waits until a deleted deployment answers 404", async () => {
    const { id, outs } = await lifecycle.create(await checked(args()), context());
    // A deletion takes as long as a stage.
    await test.restart({ stageSeconds: 0.3 });
    await lifecycle.delete(id, outs, context());
    expect((await test.request("GET", `/v2/deployments/${id}`)).status).to.equal(404);
  });

  it("believes no 404 of another address, and no deployment of another tenant there", async () => {
    const { id, outs } = await lifecycle.create(await checked(args()), context());
    const elsewhere = { ...outs, baseUrl: "https://old.example.com" };
    expect((await lifecycle.read(id, elsewhere, context())).props).to.include({
      baseUrl: test.platform.url,
    });
    const other = { ...elsewhere, tenantId: "22222222-2222-4222-8222-222222222222" };
    expect((await rejection(lifecycle.read(id, other, context()))).message).to.contain(
      "https://old",
    );
    await lifecycle.delete(id, outs, context());
    for (const work of [
      lifecycle.read(id, elsewhere, context()),
      lifecycle.delete(id, elsewhere, context()),
    ])
      expect((await rejection(Promise.resolve(work))).message).to.contain("nothing was changed");
  });

  it("keeps id and outputs when an accepted deployment can't be followed, and says what to do now", async () => {
    const inputs = await checked(args("main", { name: "followed" }));
    const match = { method: "GET", path: "/v2/deployments/*/revisions/*" };
    const body = { detail: "the key was taken back" };
    test.platform.admin.addFault({ match, times: 1, action: "status", status: 401, body });
    const failure = await rejection(lifecycle.create(inputs, context()));
    expect(failure).to.have.nested.property("properties.rollout.state", "pending");
    expect(failure).to.have.property("id").that.is.a("string");
    expect(failure.message).to.match(
      /^deployment 'followed' was accepted as \S+, but it could not be followed: get revision '\S+': 401 the key was taken back; check agentserver:apiKey .*\n.*waits for the same revision and creates no other/,
    );
  });

  it("asks for no variable and leaves those of others alone when none is declared", async () => {
    const inputs = await checked(args());
    const { id, outs } = await lifecycle.create(inputs, context());
    await patch(id, { secrets: [{ name: "THEIRS", value: "1" }] });
    await test.untilRevision(id, "DEPLOYED");
    const read = await lifecycle.read(id, outs, context());
    expect(read.inputs).not.to.have.any.keys("env", "secrets");
    await lifecycle.update(id, outs, await checked(args("next"), inputs), context());
    expect((await test.get(id)).secrets).to.deep.equal([{ name: "THEIRS", value: "1" }]);
  });
});

import { expect } from "chai";
import { deploymentLifecycle as lifecycle } from "../../../provider/deployment/lifecycle";
import { contextOf } from "../../support/lifecycle";
import { aGitDeployment, startTestPlatform, type TestPlatform } from "../../support/platform";
import { gitArgs } from "../../support/program";
import { initializationFailure, rejection } from "../../support/rejection";

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
  const ref = (repo_ref: string) => ({ source_revision_config: { repo_ref } });

  it("adopts nothing whose immutable fields differ, and names them", async () => {
    const { id } = await test.create({ name: "taken" });
    const sourceConfig = {
      ...gitArgs(test).sourceConfig,
      repoUrl: "https://git.example.com/x.git",
    };
    const inputs = await checked(
      args("main", { name: "taken", adoptExisting: true, sourceConfig }),
    );
    const { message } = await rejection(lifecycle.create(inputs, context()));
    expect(message).to.contain(id).and.contain("sourceConfig.repoUrl");
  });
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
    const made = await lifecycle.create(
      await checked(args("main", { name: "leaving" })),
      context(),
    );
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
  it("sends the commands that an adopted deployment does not show", async () => {
    const { id } = await test.create({ name: "taken" });
    await test.untilRevision(id, "DEPLOYED");
    const sourceConfig = { ...gitArgs(test).sourceConfig, installCommand: "npm ci" };
    await lifecycle.create(
      await checked(args("main", { name: "taken", adoptExisting: true, sourceConfig })),
      context(),
    );
    expect((await test.get(id)).source_config.install_command).to.equal("npm ci");
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
  it("creates one revision, and follows it, when the response to the PATCH is lost", async () => {
    const inputs = await checked(args());
    const { id, outs } = await lifecycle.create(inputs, context());
    test.platform.admin.addFault({ match: { method: "PATCH" }, times: 1, action: "drop-after" });
    const next = await lifecycle.update(id, outs, await checked(args("next"), inputs), context());
    expect(await test.revisions(id)).to.have.length(2);
    expect(next.outs).to.have.nested.property(
      "rollout.revisionId",
      (await test.get(id)).latest_revision_id,
    );
  });
  it("follows the revision that a killed update had asked for, and makes no second one", async () => {
    const inputs = await checked(args());
    const { id, outs } = await lifecycle.create(inputs, context());
    test.platform.admin.addOutcome({ stage: "build", status: "BUILD_FAILED", reason: "boom" });
    await patch(id, ref("next"));
    const failure = await rejection(
      lifecycle.update(id, outs, await checked(args("next"), inputs), context()),
    );
    expect(failure.message).to.contain("BUILD_FAILED");
    expect(await test.revisions(id)).to.have.length(2);
  });
  it("waits until a deleted deployment answers 404", async () => {
    const { id, outs } = await lifecycle.create(await checked(args()), context());
    // A deletion takes as long as a stage.
    await test.restart({ stageSeconds: 0.3 });
    await lifecycle.delete(id, outs, context());
    expect((await test.request("GET", `/v2/deployments/${id}`)).status).to.equal(404);
  });
  it("deletes nothing twice", async () => {
    const { id, outs } = await lifecycle.create(await checked(args()), context());
    await test.restart({ stageSeconds: 0.3 });
    await test.request("DELETE", `/v2/deployments/${id}`);
    test.platform.admin.clearRequests();
    await lifecycle.delete(id, outs, context());
    expect(test.platform.admin.requests()).not.to.have.property(
      "DELETE /v2/deployments/{deployment_id}",
    );
    expect(Object.keys(test.platform.admin.requests()).join()).not.to.contain("DELETE");
  });
  describe("with a deployment that is in the second of the service's deletions", () => {
    const LEAVING = { status: "AWAITING_FINAL_DELETE" };
    /** The deployment is gone; this is what is read of it so many times before that shows. */
    const leaving = (path: string, body: object, times = 1) => {
      const match = { method: "GET", path };
      test.platform.admin.addFault({ match, times, action: "status", status: 200, body });
      test.platform.admin.clearRequests();
    };
    const deleted = async () => {
      const inputs = await checked(args());
      const { id, outs } = await lifecycle.create(inputs, context());
      const shown = { ...(await test.get(id)), ...LEAVING };
      await test.request("DELETE", `/v2/deployments/${id}`);
      await test.untilGone(id);
      return { id, outs, inputs, shown };
    };

    it("waits for its end and deletes nothing twice", async () => {
      const { id, outs, shown } = await deleted();
      leaving("/v2/deployments/*", shown, 2);
      await lifecycle.delete(id, outs, context());
      expect(test.platform.admin.requests()["GET /v2/deployments/{deployment_id}"]).to.equal(3);
      expect(Object.keys(test.platform.admin.requests()).join()).not.to.contain("DELETE");
    });

    it("says that an update comes too late", async () => {
      const { id, outs, inputs, shown } = await deleted();
      leaving("/v2/deployments/*", shown);
      const { message } = await rejection(lifecycle.update(id, outs, inputs, context()));
      expect(message).to.contain("is being deleted on the control plane");
    });

    it("waits for its end before it makes another of the name", async () => {
      const { id, inputs, shown } = await deleted();
      leaving("/v2/deployments", { resources: [shown], offset: 1 });
      const made = await lifecycle.create(inputs, context());
      expect(made.id).not.to.equal(id);
      expect(said).to.include(`waiting for the end of deployment ${id}, which has this name`);
    });
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
  it("moves a pending rollout on when it is read, by its own revision", async () => {
    const wait = { until: "none" };
    const { id, outs } = await lifecycle.create(await checked(args("main", { wait })), context());
    await test.untilRevision(id, "DEPLOYED");
    const rollout = { revisionId: outs["latestRevisionId"], state: "pending" };
    const { props } = await lifecycle.read(id, { ...outs, rollout, wait: undefined }, context());
    expect(props).to.include({ ready: true });
  });
  it("takes variables that were added elsewhere for secrets, and a silent answer for no drift", async () => {
    const inputs = await checked(args("main", { env: { A: "1" } }));
    const { id, outs } = await lifecycle.create(inputs, context());
    await patch(id, {
      secrets: [
        { name: "A", value: "1" },
        { name: "B", value: "2" },
      ],
    });
    const { props } = await lifecycle.read(id, outs, context());
    expect(props).to.deep.include({ env: { A: "1" }, secrets: { B: "2" } });
  });
  it("reads no argument that nobody gave", async () => {
    const inputs = await checked({
      source: "external_container",
      sourceRevisionConfig: { imageUri: "registry.example.com/a:1" },
    });
    const { id, outs } = await lifecycle.create(inputs, context());
    const read = await lifecycle.read(id, outs, context());
    expect(read.inputs).to.deep.equal(inputs);
  });
  it("refuses to take a failed command away, which the service would keep", async () => {
    const inputs = await checked(args());
    const { id, outs } = await lifecycle.create(inputs, context());
    const bad = await checked(
      { ...args(), sourceConfig: { ...gitArgs(test).sourceConfig, installCommand: "false" } },
      inputs,
    );
    test.platform.admin.addOutcome({ stage: "build", status: "BUILD_FAILED", reason: "boom" });
    const { properties } = await initializationFailure(lifecycle.update(id, outs, bad, context()));
    const message = (
      await rejection(lifecycle.update(id, properties, await checked(args(), inputs), context()))
    ).message;
    expect(message).to.contain("installCommand");
    expect(await test.revisions(id)).to.have.length(2);
  });

  it("keeps id and outputs when an accepted deployment can't be followed", async () => {
    const inputs = await checked(args());
    const match = { method: "GET", path: "/v2/deployments/*/revisions/*" };
    test.platform.admin.addFault({ match, times: 1, action: "status", status: 403 });
    const failure = await rejection(lifecycle.create(inputs, context()));
    expect(failure).to.have.nested.property("properties.rollout.state", "pending");
    expect(failure).to.have.property("id").that.is.a("string");
    expect(failure.message).to.contain("it waits for the same revision and creates no other");
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

  it("ends a wait in its time though the control plane does not answer", async () => {
    const inputs = await checked({ ...args(), wait: { timeoutSeconds: 1 } });
    const match = { method: "GET", path: "/v2/deployments/*/revisions/*" };
    test.platform.admin.addFault({ match, times: 99, action: "delay", delayMs: 60_000 });
    const failure = await rejection(lifecycle.create(inputs, context()));
    expect(failure).to.have.nested.property("properties.rollout.state", "pending");
  });

  it("takes a PATCH for done whose response is not a deployment", async () => {
    const inputs = await checked(args());
    const { id, outs } = await lifecycle.create(inputs, context());
    const match = { method: "PATCH" };
    test.platform.admin.addFault({ match, times: 1, action: "status", status: 200, body: {} });
    const news = await checked(args("main", { redeployOn: 1 }), inputs);
    await lifecycle.update(id, { ...outs, redeployOn: 0 }, news, context());
  });
});

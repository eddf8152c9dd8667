import { expect } from "chai";
import { deploymentLifecycle as lifecycle } from "../../../provider/deployment/lifecycle";
import { useDeployments } from "../../support/deployment-lifecycle";
import { aGitDeployment } from "../../support/platform";
import { reasonOf, rejection } from "../../support/rejection";

describe("a deployment's lifecycle against a control plane", () => {
  const stack = useDeployments();
  const { git, create, update, read, context, get, revisions, patches } = stack;
  const adopting = { name: "taken", adoptExisting: true };
  /** A deployment that another client has created with this configuration beside the least. */
  const takenWith = async (more: object) => {
    const { source_config } = aGitDeployment(stack.test.integrationId);
    const { id } = await stack.test.create({
      name: "taken",
      source_config: { ...source_config, ...more },
    });
    await stack.test.untilRevision(id, "DEPLOYED");
    return id;
  };

  it("reads what it creates once, when that serves, and no list of the one revision that it has", async () => {
    stack.admin.clearRequests();
    const { outs } = await create(git());
    const {
      "GET /v2/deployments/{deployment_id}": reads,
      "GET /v2/deployments/{deployment_id}/revisions": lists = 0,
    } = stack.admin.requests();
    expect({ reads, lists }).to.deep.equal({ reads: 1, lists: 0 });
    expect(outs).to.have.nested.property("revisions[0].id", outs["latestRevisionId"]);
  });

  it("waits for the end of a deployment that has the name and is being deleted", async () => {
    const { id } = await stack.test.create({ name: "leaving" });
    await stack.test.request("DELETE", `/v2/deployments/${id}`);
    expect((await create(git("main", { name: "leaving" }))).id).not.to.equal(id);
  });

  it("brings an adopted deployment to what is declared by one PATCH, and by none where it is that already", async () => {
    const id = await takenWith({});
    for (const _ of [1, 2]) {
      await create(git("next", { ...adopting, env: { A: "1" } }, { buildOnPush: true }));
      const { source_revision_config: source, source_config: config, secrets } = await get(id);
      expect(source.repo_ref).to.equal("next");
      expect(config.build_on_push).to.equal(true);
      expect(secrets).to.deep.equal([{ name: "A", value: "1" }]);
      expect(patches()).to.equal(1);
      expect(await revisions(id)).to.have.length(2);
    }
  });

  it("warns which variables are lost where a program sets its first ones, also where it adopts", async () => {
    await takenWith({});
    const [none, others] = [{ name: "taken" }, { name: "taken", env: { A: "1" } }];
    for (const [before, after, isWarned] of [
      [undefined, { ...others, adoptExisting: true }, true],
      [undefined, others, false],
      [none, others, true],
      [none, { name: "taken", secrets: { LOG_LEVEL: "debug" } }, false],
      [{ ...none, secrets: {} }, others, false],
    ] as const) {
      stack.said.length = 0;
      const olds = before && (await stack.checked(git("main", before)));
      await stack.checked(git("main", after), olds);
      expect(stack.said.join().includes("has variable LOG_LEVEL too")).to.equal(isWarned);
    }
  });

  it("adopts no deployment with a command that is not declared, which the service would keep", async () => {
    const id = await takenWith({ install_command: "npm ci" });
    const { message } = await rejection(create(git("next", adopting)));
    expect(message).to.contain("installCommand can't be removed");
    expect(await revisions(id)).to.have.length(1);
  });

  it("switches building on push off, which was not declared, of a deployment that is adopted", async () => {
    const id = await takenWith({ build_on_push: true });
    await create(git("next", adopting));
    expect((await get(id)).source_config.build_on_push).to.equal(false);
    expect(patches()).to.equal(1);
    expect(await revisions(id)).to.have.length(2);
  });

  it("waits until a deleted deployment answers 404", async () => {
    const { id, outs } = await create(git());
    // A deletion takes as long as a stage.
    await stack.test.restart({ stageSeconds: 0.3 });
    await lifecycle.delete(id, outs, context());
    expect((await stack.test.request("GET", `/v2/deployments/${id}`)).status).to.equal(404);
  });

  it("believes no 404 of another address, and no deployment of another tenant there", async () => {
    const { id, outs } = await create(git());
    const elsewhere = { ...outs, baseUrl: "https://old.example.com" };
    const { url: baseUrl } = stack.test.platform;
    expect((await read({ id, outs: elsewhere })).props).to.include({ baseUrl });
    const other = { ...elsewhere, tenantId: "22222222-2222-4222-8222-222222222222" };
    expect(await reasonOf(read({ id, outs: other }))).to.contain("https://old");
    await lifecycle.delete(id, outs, context());
    for (const work of [read({ id, outs: elsewhere }), lifecycle.delete(id, elsewhere, context())])
      expect(await reasonOf(Promise.resolve(work))).to.contain("nothing was changed");
  });

  it("keeps id and outputs when an accepted deployment can't be followed, and says what to do now", async () => {
    const match = { method: "GET", path: "/v2/deployments/*/revisions/*" };
    stack.test.answers(match, 401, { detail: "the key was taken back" });
    const { id, outs, message } = await stack.failed(create(git("main", { name: "followed" })));
    expect(outs).to.have.nested.property("rollout.state", "pending");
    expect(id).to.equal((await stack.test.deployments())[0]?.id);
    expect(message).to.match(
      /^deployment 'followed' was accepted as \S+, but it could not be followed: get revision '\S+': 401 the key was taken back; check agentserver:apiKey .*\n.*waits for the same revision and creates no other/,
    );
  });

  it("asks for no variable and leaves those of others alone when none is declared", async () => {
    const made = await create(git());
    const secrets = [{ name: "THEIRS", value: "1" }];
    await stack.changeElsewhere(made.id, { secrets });
    expect((await read(made)).inputs).not.to.have.any.keys("env", "secrets");
    await update(made, git("next"));
    expect((await get(made.id)).secrets).to.deep.equal(secrets);
  });
});

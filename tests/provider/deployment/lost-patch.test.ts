import { expect } from "chai";
import { showAnnouncement } from "../../../provider/resource/announcement";
import { deploymentLifecycle as lifecycle } from "../../../provider/deployment/lifecycle";
import type { Props } from "../../../provider/arguments/props";
import { json, type TestServer } from "../../support/http";
import { contextOf } from "../../support/lifecycle";
import { startTestPlatform, type TestPlatform } from "../../support/platform";
import { gitArgs } from "../../support/program";
import { initializationFailure, rejection } from "../../support/rejection";
import { startRelay } from "../../support/relay";

describe("an update whose PATCH has no answer", () => {
  let test: TestPlatform;
  let relay: TestServer;
  let arrives = true;
  let pushed = false;
  let answered = false;
  let refusesLook = false;
  let said: string[] = [];
  const id = () => made.id;
  let made: { id: string; outs: Props };

  beforeEach(async () => {
    [arrives, pushed, answered, refusesLook, said] = [true, false, false, false, []];
    test = await startTestPlatform();
    let patched = false;
    relay = await startRelay(test.platform.url, async (request, response, pass) => {
      if (request.method === "GET" && patched && refusesLook)
        return json(response, 401, { detail: "the key was taken back" });
      if (request.method !== "PATCH") return pass();
      patched = true;
      const path = `/v2/deployments/${id()}`;
      if (arrives) await test.request("PATCH", path, JSON.parse(request.body));
      if (pushed) await test.request("PATCH", path, ref("main"));
      return answered ? json(response, 200, {}) : response.destroy();
    });
    made = await lifecycle.create(await declared({ redeployOn: 1, env: { A: "1" } }), context());
  });
  afterEach(async () => {
    await relay.close();
    await test.close();
  });

  const ref = (repo_ref: string) => ({ source_revision_config: { repo_ref } });
  const context = () => contextOf({ ...test.platform, url: relay.url }, said);
  const declared = async (more: object): Promise<Props> =>
    (await lifecycle.check({}, { ...gitArgs(test), ...more }, context())).inputs ?? {};
  const update = async (more: object, olds: Props = made.outs) =>
    lifecycle.update(id(), olds, await declared(more), context());
  const REDEPLOY = { redeployOn: 2, env: { A: "1" } };
  const CHANGE = { redeployOn: 1, env: { A: "2" } };

  it("is not done by a revision of another client's push", async () => {
    [arrives, pushed] = [false, true];
    const error = await rejection(update(CHANGE));
    expect(error.message).to.contain("no connection");
    expect(error).not.to.have.property("properties");
    expect((await test.get(id())).secrets).to.deep.equal([{ name: "A", value: "1" }]);
  });

  it("is done by the revision that it made, whatever it is of", async () => {
    const commands = { sourceConfig: { ...gitArgs(test).sourceConfig, installCommand: "npm ci" } };
    const { outs } = await update({ ...CHANGE, ...commands });
    expect(outs).to.have.property("ready", true);
    expect((await update({ ...CHANGE, ...commands, redeployOn: 2 }, outs)).outs).to.include({
      ready: true,
    });
    expect(await test.revisions(id())).to.have.length(3);
  });

  for (const [how, isAnswered] of [
    ["lost", false],
    ["of no use", true],
  ] as const)
    it(`keeps what it asked for when the answer is ${how} and nothing can be looked at`, async () => {
      [refusesLook, answered] = [true, isAnswered];
      const { message, properties } = await initializationFailure(update(REDEPLOY));
      expect(message.replaceAll(id(), "<id>")).to.equal(
        `deployment '${String(made.outs["name"])}': requested a new revision but could not confirm that it was created: get deployment '<id>': 401 the key was taken back; check agentserver:apiKey (\`pulumi config set --secret agentserver:apiKey <key>\`, or AGENTSERVER_API_KEY)
      run \`pulumi up\` again; it follows that revision, or creates it if it was not created`,
      );
      refusesLook = false;
      expect((await update(REDEPLOY, properties)).outs).to.have.property("ready", true);
      expect(await test.revisions(id())).to.have.length(2);
    });

  it("is made up for by the next one when it never arrived", async () => {
    [refusesLook, arrives] = [true, false];
    const { properties: kept } = await initializationFailure(update(REDEPLOY));
    [refusesLook, arrives] = [false, true];
    const preview = context();
    const { inputs = {} } = await lifecycle.check(made.outs, await declared(REDEPLOY), preview);
    lifecycle.diff(id(), kept, inputs, preview);
    showAnnouncement(preview);
    expect(said.at(-1)).to.contain("follows the revision that was requested last, or creates it");
    expect((await update(REDEPLOY, kept)).outs).to.have.property("ready", true);
    expect(await test.revisions(id())).to.have.length(2);
  });

  it("is still to be made up for after a refresh, which sees only the revision before", async () => {
    [refusesLook, arrives] = [true, false];
    const { properties: kept } = await initializationFailure(update(REDEPLOY));
    [refusesLook, arrives] = [false, true];
    const { props = {} } = await lifecycle.read(id(), kept, context());
    expect(props).to.deep.include({ rollout: kept["rollout"], ready: false });
    const { changes } = lifecycle.diff(id(), props, await declared(REDEPLOY), context());
    expect(changes).to.equal(true);
    expect((await update(REDEPLOY, props)).outs).to.have.property("ready", true);
    expect(await test.revisions(id())).to.have.length(2);
  });
});

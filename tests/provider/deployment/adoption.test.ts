import { expect } from "chai";
import { deploymentLifecycle as lifecycle } from "../../../provider/deployment/lifecycle";
import type { Context } from "../../../provider/resource/context";
import type { StackState } from "../../../provider/resource/stack-state";
import { type Props, UNKNOWN } from "../../../provider/arguments/props";
import { URN } from "../../support/inputs";
import { afterKill, contextOf } from "../../support/lifecycle";
import { startTestPlatform, type TestPlatform } from "../../support/platform";
import { gitArgs } from "../../support/program";
import { initializationFailure, rejection } from "../../support/rejection";

const PROVIDER = "urn:pulumi:dev::shop::pulumi:providers:pulumi-nodejs::default::1";
const NATIVE_URN = "urn:pulumi:dev::shop::agentserver:index:Deployment::support";

describe("a create that finds a deployment of its name", () => {
  let test: TestPlatform;
  let said: string[] = [];
  beforeEach(async () => {
    said = [];
    test = await startTestPlatform();
  });
  afterEach(() => test.close());

  const context = (url = test.platform.url): Context => contextOf({ ...test.platform, url }, said);
  const checked = async (more: Props = {}): Promise<Props> => {
    const declared = { ...gitArgs(test), wait: { timeoutSeconds: 600 }, ...more };
    return (await lifecycle.check({}, declared, context())).inputs ?? {};
  };
  const inTheState = (state: Partial<StackState>): Context => ({
    ...context(),
    readState: async () => ({ resources: [], creating: [], ...state }),
  });
  /** The thing that a killed command's create made: its inputs, as the state records them. */
  const killed = async (more: Props = {}) => {
    const inputs = await checked(more);
    const { id } = await lifecycle.create(inputs, context());
    return { id, inputs };
  };
  /** The refusal of a later create of the same resource. */
  const refusal = async (news: Props, where: Context = context()): Promise<string> => {
    const before = test.platform.admin.requests()["PATCH /v2/deployments/{deployment_id}"];
    const { message } = await rejection(lifecycle.create(news, where));
    expect(test.platform.admin.requests()["PATCH /v2/deployments/{deployment_id}"]).to.equal(
      before,
    );
    return message;
  };

  it("adopts one whose values are written in another form, and sends nothing", async () => {
    const { source_config, source_revision_config } = {
      source_config: {
        integration_id: test.integrationId.toUpperCase(),
        repo_url: "https://GIT.example.com:443/acme/support",
        deployment_type: "dev",
      },
      source_revision_config: { repo_ref: "main", graph_config_path: "./langgraph.json" },
    };
    const there = { name: "theirs", source_config, source_revision_config, secrets: [] };
    const { id } = await test.create(there);
    await test.untilRevision(id, "DEPLOYED");
    expect(await refusal(await checked({ name: "theirs" }))).to.contain("it has what is declared");
    const inputs = await checked({ name: "theirs", adoptExisting: true });
    const made = await lifecycle.create(inputs, context());
    expect(made.id).to.equal(id);
    expect(made.outs).to.deep.include({ sourceConfig: inputs["sourceConfig"], ready: true });
    expect(await test.revisions(id)).to.have.length(1);
  });

  describe("which an interrupted create of the state would have made", () => {
    it("adopts it, and says how to clear that create", async () => {
      for (const name of [undefined, "given"]) {
        const { id, inputs } = await killed({ name });
        const made = await lifecycle.create(inputs, afterKill(context(), inputs, inputs));
        expect(made.id).to.equal(id);
        expect(await test.revisions(id)).to.have.length(1);
        expect(said.join("\n")).to.match(
          new RegExp(`adopted deployment ${id}, .*; .*\`pulumi refresh --clear-pending-creates\``),
        );
      }
    });

    it("adopts it however old it is and whoever else has added revisions of the same", async () => {
      const { id, inputs } = await killed();
      await test.request("PATCH", `/v2/deployments/${id}`, {
        source_revision_config: { repo_ref: "main" },
      });
      await test.untilRevision(id, "DEPLOYED");
      await test.platform.admin.advanceClock(365 * 86_400);
      const made = await lifecycle.create(inputs, afterKill(context(), inputs, inputs));
      expect(made.id).to.equal(id);
    });

    it("compares no value that the state keeps encrypted", async () => {
      const secrets = { KEY: "secret" };
      const { id, inputs } = await killed({ env: { A: "1" }, secrets });
      const recorded = { ...inputs, secrets: UNKNOWN };
      const made = await lifecycle.create(inputs, afterKill(context(), recorded, recorded));
      expect(made.id).to.equal(id);
      expect(await test.revisions(id)).to.have.length(1);
    });

    it("sends what the program has changed since in one PATCH", async () => {
      const { id, inputs } = await killed();
      const { sourceConfig } = gitArgs(test);
      const changed = { ...sourceConfig, buildOnPush: true, installCommand: "npm ci" };
      const news = await checked({ sourceConfig: changed, env: { A: "2" } });
      const { outs } = await lifecycle.create(news, afterKill(context(), news, inputs));
      expect(outs).to.have.nested.property("rollout.state", "done");
      const { source_config, secrets } = await test.get(id);
      expect(source_config).to.include({ build_on_push: true, install_command: "npm ci" });
      expect(secrets).to.deep.equal([{ name: "A", value: "2" }]);
      expect(await test.revisions(id)).to.have.length(2);
    });

    it("reports the failure of its first revision, which the next update follows up", async () => {
      test.platform.admin.addOutcome({ stage: "build", status: "BUILD_FAILED", reason: "boom" });
      const inputs = await checked();
      const first = await initializationFailure(lifecycle.create(inputs, context()));
      const second = await initializationFailure(
        lifecycle.create(inputs, afterKill(context(), inputs, inputs)),
      );
      expect(second.id).to.equal(first.id);
      expect(second).to.have.nested.property("properties.rollout.state", "failed");
    });
  });

  describe("which nothing in the state shows to be its own", () => {
    it("refuses it, with its id, what differs and the ways out", async () => {
      const { id, inputs } = await killed();
      expect(await refusal(inputs)).to.match(
        new RegExp(
          `^create deployment '${String(inputs["name"])}': deployment ${id} has this name already, and the state .* records neither it nor an interrupted create.*\n +it has what is declared\n +to adopt it, set adoptExisting: true .* a destroy of either then deletes its threads.*\n +else choose another name$`,
        ),
      );
      const native: Context = { ...context(), canImport: true, urn: NATIVE_URN };
      const news = await checked({ env: { A: "2" } });
      expect(await refusal(news, native)).to.contain(
        `\n      it differs in variable A added\n      to manage it here, run \`pulumi import agentserver:index:Deployment support ${id}\`\n`,
      );
    });

    it("takes an interrupted create of another resource for none of its own", async () => {
      const { inputs } = await killed();
      const creating = [URN, NATIVE_URN].map((urn) => ({ urn, inputs }));
      expect(await refusal(inputs, inTheState({ creating }))).to.contain("records neither");
    });

    it("refuses what its interrupted create would have made otherwise", async () => {
      const { inputs } = await killed({ env: { A: "1" } });
      const other = { ...inputs, env: { A: "2" } };
      expect(await refusal(inputs, afterKill(context(), inputs, other))).to.contain(
        "it is not what the interrupted create of this resource, which the state records, would have created\n      it has what is declared\n      to adopt it",
      );
    });

    it("refuses it where the state can't be read, and says why", async () => {
      const { inputs } = await killed();
      const unreadable = async (): Promise<StackState> => {
        throw new Error("no stack named 'dev' found");
      };
      expect(await refusal(inputs, { ...context(), readState: unreadable })).to.contain(
        "could not be read (no stack named 'dev' found)\n      it has what is declared\n      if this program has it under another name or type, set the option aliases\n      to adopt it",
      );
      const adopting = { ...inputs, adoptExisting: true };
      const native: Context = { ...context(), canImport: true, readState: unreadable };
      expect(await refusal({ ...adopting, __createFirst: UNKNOWN }, native)).to.contain(
        "(no stack",
      );
      expect(await refusal({ ...adopting, __createFirst: true }, native)).to.match(
        /when the state can be read, or remove the option deleteBeforeReplace: false\n +else/,
      );
      await lifecycle.create(adopting, { ...context(), readState: unreadable });
      expect(said.join()).to.contain("could not check whether another resource of this stack has");
    });
  });

  describe("which a resource of the state has", () => {
    const held = async (urn: string, provider: string, more: Props = {}) => {
      const { id, inputs } = await killed(more);
      const resources = [{ urn, id, provider: PROVIDER, inputs }];
      const creating = [inputs, inputs].map((recorded) => ({
        urn: URN,
        provider,
        inputs: recorded,
      }));
      return { inputs, where: inTheState({ resources, creating }) };
    };

    it("refuses it also after an interrupted create, and names the alias", async () => {
      for (const adoptExisting of [false, true]) {
        const { inputs, where } = await held(NATIVE_URN, "another process", { adoptExisting });
        expect(await refusal(inputs, where)).to.match(
          /the state has it as urn:\S+agentserver:index:Deployment::support\n {6}it has what is declared\n {6}if this is the same resource under another name or type, set the option aliases: \["urn:pulumi:dev::shop::agentserver:index:Deployment::support"\]\n {6}if it hands the name over, run `pulumi destroy --target '\S+'`, then `pulumi up`\n {6}else choose another name$/,
        );
      }
    });

    it("refuses to adopt what it is to replace, and names the option that deletes it first", async () => {
      const { inputs, where } = await held(URN, PROVIDER, { adoptExisting: true });
      expect(await refusal(inputs, where)).to.contain(
        "the state has it as this resource\n      it has what is declared\n      to replace it, set the option deleteBeforeReplace: true",
      );
      expect(await refusal({ ...inputs, __createFirst: true }, where)).to.contain(
        "remove the option deleteBeforeReplace: false\n      else choose another name",
      );
    });

    it("adopts with adoptExisting what this process serves too, which leaves it then", async () => {
      const { inputs, where } = await held(URN.replace(/support$/, "old"), PROVIDER, {
        adoptExisting: true,
      });
      await lifecycle.create(inputs, where);
      expect(said.join()).to.contain("adopted deployment");
    });
  });

  describe("after its own POST was not answered", () => {
    const list = { method: "GET", path: "/v2/deployments" };
    const loseResponse = (): void =>
      test.platform.admin.addFault({ match: { method: "POST" }, times: 1, action: "drop-after" });
    const hideAll = (): void =>
      test.platform.admin.addFault({
        match: list,
        times: 1,
        action: "status",
        status: 200,
        body: { resources: [], offset: 0 },
      });

    it("takes what is equal and not older for its own, derived or given name alike", async () => {
      for (const name of [undefined, "given"]) {
        loseResponse();
        const { id } = await lifecycle.create(await checked({ name }), context());
        expect((await test.deployments()).map((deployment) => deployment.id)).to.include(id);
      }
    });

    it("refuses what was there before, though a stale list did not show it", async () => {
      const { id, inputs } = await killed();
      await test.platform.admin.advanceClock(60);
      hideAll();
      loseResponse();
      expect(await refusal(inputs)).to.contain(`deployment ${id} has this name already`);
      expect(await test.deployments()).to.have.length(1);
    });

    it("keeps a provisional id where the service says nothing more, which the next create adopts by", async () => {
      const inputs = await checked();
      const name = String(inputs["name"]);
      hideAll();
      loseResponse();
      test.platform.admin.addFault({ match: list, times: 99, action: "status", status: 403 });
      const { id, properties, reasons } = await initializationFailure(
        lifecycle.create(inputs, context()),
      );
      test.platform.admin.clearFaults();
      expect(id).to.equal(`unconfirmed:${name}`);
      expect(reasons.join()).to.match(
        /no connection.*\n.*it may have created.*403.*\n.*run `pulumi up` again/s,
      );
      const resources = [{ urn: URN, id, inputs: properties }];
      const [there] = await test.deployments();
      const diff = lifecycle.diff(id, properties, inputs, context());
      expect(diff).to.include({ changes: true, deleteBeforeReplace: true });
      expect(diff.replaces).to.have.length(1);
      expect(await lifecycle.read(id, properties, context())).to.include({ id });
      await lifecycle.delete(id, properties, context());
      const creating = [{ urn: URN, inputs }];
      const made = await lifecycle.create(inputs, inTheState({ resources, creating }));
      expect(made.id).to.equal(there?.id);
      expect(await test.deployments()).to.have.length(1);
    });
  });

  describe("which it made itself, before a hook of the program retries it", () => {
    it("continues with it, with exactly one new revision after one that failed", async () => {
      test.platform.admin.addOutcome({ stage: "build", status: "BUILD_FAILED", reason: "boom" });
      const inputs = await checked();
      const running = context();
      const first = await rejection(lifecycle.create(inputs, running));
      const { id } = await lifecycle.create(inputs, running);
      expect(first).to.have.property("id", id);
      expect(await test.revisions(id)).to.have.length(2);
      expect(said.join()).to.contain("Pulumi keeps the error of the first attempt in the state");
      await lifecycle.delete(
        id,
        (await lifecycle.read(id, inputs, context())).props ?? {},
        running,
      );
      expect((await lifecycle.create(inputs, running)).id).not.to.equal(id);
    });

    it("keeps the id where the retry ends in another error", async () => {
      test.platform.admin.addOutcome({ stage: "build", status: "BUILD_FAILED", reason: "boom" });
      const inputs = await checked();
      const running = context();
      const first = await initializationFailure(lifecycle.create(inputs, running));
      test.platform.admin.addFault({
        match: { method: "GET" },
        times: 99,
        action: "status",
        status: 403,
      });
      const second = await initializationFailure(lifecycle.create(inputs, running));
      expect(second.id).to.equal(first.id);
      expect(second.message).to.contain("403");
    });

    it("continues an update that failed in the same way", async () => {
      const inputs = await checked();
      const { id, outs } = await lifecycle.create(inputs, context());
      const news = await checked({ env: { A: "1" } });
      const running = context();
      test.platform.admin.addOutcome({ stage: "build", status: "BUILD_FAILED", reason: "boom" });
      await rejection(lifecycle.update(id, outs, news, running));
      const { outs: updated } = await lifecycle.update(id, outs, news, running);
      expect(updated).to.include({ ready: true });
      expect(await test.revisions(id)).to.have.length(3);
    });
  });
});

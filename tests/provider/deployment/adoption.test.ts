import { expect } from "chai";
import { z } from "zod";
import { deploymentLifecycle as lifecycle } from "../../../provider/deployment/lifecycle";
import type { Context } from "../../../provider/resource/context";
import { newProcessCache } from "../../../provider/resource/process-cache";
import type { StackState } from "../../../provider/resource/stack-state";
import { type Props, UNKNOWN } from "../../../provider/arguments/props";
import { type Made, movedTo, useDeployments } from "../../support/deployment-lifecycle";
import { URN } from "../../support/inputs";
import { afterKill } from "../../support/lifecycle";
import { reasonOf, rejection } from "../../support/rejection";
import { parsed } from "../../support/values";

const PROVIDER = "urn:pulumi:dev::shop::pulumi:providers:pulumi-nodejs::default::1";
const NewWorkspace = z.object({ workspaceId: z.string(), apiKey: z.string() });
const NATIVE_URN = "urn:pulumi:dev::shop::agentserver:index:Deployment::support";

describe("a create that finds a deployment of its name", () => {
  const stack = useDeployments();
  const { failed, get, revisions, said } = stack;
  /** Each is of a process of its own. */
  const context = (): Context => ({ ...stack.context(), processCache: newProcessCache() });
  const checked = (more: Props = {}, config: Props = {}) =>
    stack.checked(stack.git("main", { wait: { timeoutSeconds: 600 }, ...more }, config));
  const create = (inputs: Props, where = context()) => lifecycle.create(inputs, where);
  const inTheState = (state: Partial<StackState>): Context => ({
    ...context(),
    readState: async () => ({ resources: [], creating: [], ...state }),
  });
  const unreadable = (): Context => ({
    ...context(),
    readState: () => Promise.reject(new Error("no stack named 'dev' found")),
  });
  /** The thing that a killed command's create made: its inputs, as the state records them. */
  const killed = async (more: Props = {}) => {
    const inputs = await checked(more);
    const { id } = await create(inputs);
    return { id, inputs };
  };
  /** The refusal of a later create of the same resource, which sends nothing. */
  const refusal = async (news: Props, where = context()): Promise<string> => {
    const before = stack.patches();
    const { message } = await rejection(create(news, where));
    expect(stack.patches()).to.equal(before);
    return message;
  };

  it("adopts one whose values are written in another form, and sends nothing", async () => {
    const { id } = await stack.test.create({
      name: "theirs",
      source_config: {
        integration_id: stack.test.integrationId.toUpperCase(),
        repo_url: "https://GIT.example.com:443/acme/support",
        deployment_type: "dev",
      },
      source_revision_config: { repo_ref: "main", graph_config_path: "./langgraph.json" },
      secrets: [],
    });
    await stack.test.untilRevision(id, "DEPLOYED");
    expect(await refusal(await checked({ name: "theirs" }))).to.contain("it has what is declared");
    const inputs = await checked({ name: "theirs", adoptExisting: true });
    const made = await create(inputs);
    expect(made.id).to.equal(id);
    expect(made.outs).to.deep.include({ sourceConfig: inputs["sourceConfig"], ready: true });
    expect(await revisions(id)).to.have.length(1);
  });

  describe("which an interrupted create of the state would have made", () => {
    it("adopts it, derived or given name alike, however old it is and whoever else has added revisions of the same, and says how to clear that create", async () => {
      for (const name of [undefined, "given"]) {
        const { id, inputs } = await killed({ name });
        await stack.changeElsewhere(id, movedTo("main"));
        await stack.admin.advanceClock(365 * 86_400);
        expect((await create(inputs, afterKill(context(), inputs, inputs))).id).to.equal(id);
        expect(await revisions(id)).to.have.length(2);
        expect(said.join("\n")).to.match(
          new RegExp(`adopted deployment ${id}, .*; .*\`pulumi refresh --clear-pending-creates\``),
        );
      }
    });

    it("compares no value that the state keeps encrypted", async () => {
      const { id, inputs } = await killed({ env: { A: "1" }, secrets: { KEY: "secret" } });
      const recorded = { ...inputs, secrets: UNKNOWN };
      expect((await create(inputs, afterKill(context(), recorded, recorded))).id).to.equal(id);
      expect(await revisions(id)).to.have.length(1);
    });

    it("sends what the program has changed since in one PATCH", async () => {
      const { id, inputs } = await killed();
      const news = await checked(
        { env: { A: "2" } },
        { buildOnPush: true, installCommand: "npm ci" },
      );
      const { outs } = await create(news, afterKill(context(), news, inputs));
      expect(outs).to.have.nested.property("rollout.state", "done");
      const { source_config, secrets } = await get(id);
      expect(source_config).to.include({ build_on_push: true, install_command: "npm ci" });
      expect(secrets).to.deep.equal([{ name: "A", value: "2" }]);
      expect(await revisions(id)).to.have.length(2);
    });

    it("reports the failure of its first revision, which the next update follows up", async () => {
      stack.fails();
      const inputs = await checked();
      const first = await failed(create(inputs));
      const second = await failed(create(inputs, afterKill(context(), inputs, inputs)));
      expect(second.id).to.equal(first.id);
      expect(second.outs).to.have.nested.property("rollout.state", "failed");
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
      expect(await refusal(await checked({ env: { A: "2" } }), native)).to.contain(
        `\n      it differs: variable A added\n      to manage it here, run \`pulumi import agentserver:index:Deployment support ${id}\`\n`,
      );
    });

    it("imports it by the parent and the provider of the create", async () => {
      const { id, inputs } = await killed();
      const parent = "urn:pulumi:dev::shop::acme:index:Agent::one";
      const providers = "urn:pulumi:dev::shop::pulumi:providers:agentserver::";
      const [eu, like] = [`${providers}eu`, `${providers}default-eu`];
      const both = ` --parent 'parent=${parent}' --provider 'provider=${eu}'`;
      for (const [running, options] of [
        [{ parent, provider: `${eu}::1` }, both],
        [{ parent: "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev", provider: PROVIDER }, ""],
        [{ provider: `${providers}default_0_1_0::1` }, ""],
        [{ provider: `${like}::1` }, ` --provider 'provider=${like}'`],
        [{ parent: `${parent}'s` }, String.raw` --parent 'parent=${parent}'\''s'`],
      ] as const) {
        const where = inTheState({ creating: [{ urn: URN, inputs, ...running }] });
        expect(await refusal(inputs, { ...where, canImport: true })).to.contain(
          `Deployment support ${id}${options}\``,
        );
      }
    });

    it("names what a replacement has kept or has lost, and no import, which Pulumi refuses in the middle of one", async () => {
      const { id, inputs } = await killed();
      for (const [held, known] of [
        [id, "has it as what this resource replaces, which the option retainOnDelete has kept"],
        ["gone", "records neither it nor an interrupted create of this resource"],
      ] as const) {
        const resources = [{ urn: URN, id: held, pendingReplacement: true }];
        const native: Context = { ...inTheState({ resources }), canImport: true };
        expect(await refusal(inputs, native))
          .to.contain(known)
          .and.contain("to adopt it, set adoptExisting: true")
          .and.not.contain("pulumi import");
      }
    });

    it("takes an interrupted create of another resource, or of other values, for none of its own", async () => {
      const { inputs } = await killed({ env: { A: "1" } });
      const creating = [URN, NATIVE_URN].map((urn) => ({ urn, inputs }));
      expect(await refusal(inputs, inTheState({ creating }))).to.contain("records neither");
      const other = { ...inputs, env: { A: "2" } };
      expect(await refusal(inputs, afterKill(context(), inputs, other))).to.contain(
        "it is not what the interrupted create of this resource, which the state records, would have created\n      it has what is declared\n      to adopt it",
      );
      // A command that it did not send is of another create, or of a person.
      const built = await checked({ name: "built" }, { installCommand: "npm ci" });
      await create(built);
      const without = await checked({ name: "built" });
      expect(await refusal(without, afterKill(context(), without, without))).to.match(
        /it is not what the interrupted create .* would have created\n +it differs: sourceConfig.installCommand\n/,
      );
    });

    it("refuses it where the state can't be read, and says why", async () => {
      const { inputs } = await killed();
      expect(await refusal(inputs, unreadable())).to.contain(
        "could not be read (no stack named 'dev' found)\n      it has what is declared\n      if this program has it under another name or type, set the option aliases\n      to adopt it",
      );
      const adopting = { ...inputs, adoptExisting: true };
      const native: Context = { ...unreadable(), canImport: true };
      expect(await refusal({ ...adopting, __createFirst: UNKNOWN }, native)).to.match(
        /\(no stack .* when the state can be read\n +else/s,
      );
      expect(await refusal({ ...adopting, __createFirst: true }, native)).to.match(
        /when the state can be read, or remove the option deleteBeforeReplace: false\n +else/,
      );
      await create(adopting, unreadable());
      expect(said.join()).to.match(/could not check .* `pulumi state delete` on that one/);
    });
  });

  describe("which a resource of the state has", () => {
    const held = async (urn: string, provider: string, more: Props = {}) => {
      const { id, inputs } = await killed(more);
      const resources = [{ urn, id, provider: PROVIDER, inputs }];
      const running = { urn: URN, provider, inputs };
      return { inputs, where: inTheState({ resources, creating: [running, running] }) };
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
      const old = URN.replace(/support$/, "old");
      const { inputs, where } = await held(old, PROVIDER, { adoptExisting: true });
      await create(inputs, where);
      expect(said.join()).to.contain("adopted deployment");
    });
  });

  describe("after its own POST was not answered", () => {
    const list = { method: "GET", path: "/v2/deployments" };
    const loseResponse = (): void =>
      stack.admin.addFault({ match: { method: "POST" }, times: 1, action: "drop-after" });
    const hideAll = (): void => stack.test.answers(list, 200, { resources: [], offset: 0 });

    it("refuses what was there before, though a stale list did not show it", async () => {
      const { id, inputs } = await killed();
      await stack.admin.advanceClock(60);
      hideAll();
      loseResponse();
      expect(await refusal(inputs)).to.contain(`deployment ${id} has this name already`);
      expect(await stack.test.deployments()).to.have.length(1);
    });

    it("refuses one of other values that another client has made meanwhile", async () => {
      const { id } = await killed({ env: { A: "1" } });
      const inputs = await checked({ env: { A: "2" } });
      const later = { ...(await get(id)), created_at: "2100-01-01T00:00:00.000Z" };
      hideAll();
      loseResponse();
      stack.test.answers(list, 200, { resources: [later], offset: 1 }, 9);
      expect(await refusal(inputs)).to.contain(`deployment ${id} has this name already`);
    });

    /** A create that the service has carried out, and of which it says nothing more. */
    const unconfirmed = async (inputs: Props) => {
      hideAll();
      loseResponse();
      stack.admin.addFault({ match: list, times: 99, action: "status", status: 403 });
      const made = await failed(create(inputs));
      stack.admin.clearFaults();
      return { ...made, resources: [{ urn: URN, id: made.id, inputs: made.outs }] };
    };

    it("keeps a provisional id where the service says nothing more, which the next create adopts by", async () => {
      const inputs = await checked();
      const { message, resources, ...made } = await unconfirmed(inputs);
      expect(made.id).to.equal(`unconfirmed:${String(inputs["name"])}`);
      expect(message).to.match(
        /no connection.*\n.*it may have created.*403.*\n.*run `pulumi up` again/s,
      );
      const replacing = context();
      await lifecycle.check(made.outs, inputs, replacing);
      const diff = stack.diff(made, inputs, replacing);
      expect(diff).to.include({ changes: true, deleteBeforeReplace: true });
      expect(diff.replaces).to.have.length(1);
      expect(await stack.read(made)).to.include({ id: made.id });
      await lifecycle.delete(made.id, made.outs, replacing);
      const where = inTheState({ resources, creating: [{ urn: URN, inputs }] });
      const { id } = await create(inputs, where);
      expect((await stack.test.deployments()).map((one) => one.id)).to.deep.equal([id]);
    });

    /** The context in which the engine replaces it by these inputs. */
    const replacedBy = async (made: Made, news: Props, where = context()) => {
      const { inputs = news } = await lifecycle.check(made.outs, news, where);
      stack.diff(made, inputs, where);
      await lifecycle.check({}, news, where);
      await lifecycle.delete(made.id, made.outs, where);
      return where;
    };

    it("keeps that id where the next create fails too, since the engine has deleted it by then", async () => {
      const inputs = await checked();
      const { message: _, resources, ...made } = await unconfirmed(inputs);
      const replacing = await replacedBy(made, inputs, inTheState({ resources }));
      stack.admin.addFault({ match: list, times: 99, action: "status", status: 403 });
      const again = await failed(create(inputs, replacing));
      stack.admin.clearFaults();
      expect(again).to.deep.equal({ ...made, message: again.message });
      expect(again.message).to.match(/^create deployment '\S+': list deployments: 403/);
    });

    for (const [what, config, urn] of [
      ["another type", { deploymentType: "prod" }, URN],
      ["another name, which a renamed stack derives", {}, URN.replace(":dev:", ":test:")],
    ] as const)
      it(`deletes what the request has created where the create that follows is of ${what}`, async () => {
        const { resources, ...made } = await unconfirmed(await checked());
        const where = { ...inTheState({ resources }), urn };
        await replacedBy(made, stack.git("main", {}, config), where);
        expect(await stack.test.deployments()).to.be.empty;
      });

    it("looks for it where the request was sent: what has its name in another workspace is another one", async () => {
      const sourceRevisionConfig = { imageUri: "registry.example.com/support:1" };
      const image = { name: "support", source: "external_container", sourceRevisionConfig };
      const inputs = await stack.checked(image);
      const { id, outs } = await unconfirmed(inputs);
      const { body } = await stack.test.admin("POST", "/workspaces", { name: "prod" });
      const { workspaceId, apiKey } = parsed(NewWorkspace, body);
      const at = (place: object): Context => {
        const here = inTheState({});
        return { ...here, settings: () => ({ ...here.settings(), ...place }) };
      };
      const theirs = await create(inputs, at({ workspaceId, apiKey }));
      const { inputs: read } = await lifecycle.read(id, outs, context());
      expect(read).not.to.have.any.keys("tenantId", "baseUrl");
      for (const place of [{ workspaceId, apiKey }, { baseUrl: "https://other.example.com" }]) {
        const elsewhere = at(place);
        const { message } = await rejection(lifecycle.delete(id, outs, elsewhere));
        expect(message).to.match(
          /^find 'support', which may have been created: the state records it at .*; nothing was changed; restore /,
        );
        await lifecycle.check(outs, inputs, elsewhere);
        stack.diff({ id, outs }, inputs, elsewhere);
        expect(await reasonOf(lifecycle.delete(id, outs, elsewhere))).to.equal(message);
      }
      const { props } = await lifecycle.read(theirs.id, theirs.outs, at({ workspaceId, apiKey }));
      expect(props).to.include({ tenantId: workspaceId, status: "READY" });
    });

    it("deletes with a provisional id what the request has created, also after a refresh, and nothing else", async () => {
      const { id, outs, resources } = await unconfirmed(await checked());
      const remove = (where: Context) => lifecycle.delete(id, outs, where);
      const [made] = await stack.test.deployments();
      const others = { urn: NATIVE_URN, id: made?.id };
      const changed = { ...outs, env: { A: "1" } };
      expect((await rejection(remove(unreadable()))).message).to.match(
        /^delete deployment '.*': its create was never confirmed, .* could not be read \(no stack named 'dev' found\); nothing was deleted$/,
      );
      stack.admin.addFault({ match: list, times: 2, action: "status", status: 404 });
      expect((await rejection(remove(inTheState({ resources })))).message).to.contain(": 404");
      stack.admin.clearFaults();
      await lifecycle.delete(id, outs, inTheState({ resources: [...resources, others] }));
      await lifecycle.delete(id, changed, inTheState({ resources }));
      expect(said.join("\n"))
        .to.contain(`keeps deployment ${made?.id}: it belongs to ${NATIVE_URN}`)
        .and.contain(`keeps deployment ${made?.id}: it is not what the create`);
      expect(await stack.test.deployments()).to.have.length(1);
      const refreshed = inTheState({ resources });
      stack.diff({ id, outs }, outs, refreshed);
      await remove(refreshed);
      expect(await stack.test.deployments()).to.be.empty;
      await remove(inTheState({ resources }));
    });
  });

  describe("which it made itself, before a hook of the program retries it", () => {
    it("continues with it, with exactly one new revision after one that failed", async () => {
      stack.fails();
      const inputs = await checked();
      const running = context();
      const first = await failed(create(inputs, running));
      const { id } = await create(inputs, running);
      expect(first.id).to.equal(id);
      expect(await revisions(id)).to.have.length(2);
      expect(said.join()).to.contain("Pulumi keeps the error of the first attempt in the state");
      const { props = {} } = await stack.read({ id, outs: inputs });
      await lifecycle.delete(id, props, running);
      expect((await create(inputs, running)).id).not.to.equal(id);
    });

    it("creates another one after a refresh in the same process that finds it gone", async () => {
      const [inputs, running] = [await checked(), context()];
      const made = await create(inputs, running);
      await stack.test.request("DELETE", `/v2/deployments/${made.id}`);
      await stack.test.untilGone(made.id);
      expect(await stack.read(made, running)).to.deep.equal({ id: "", props: {} });
      expect((await create(inputs, running)).id).not.to.equal(made.id);
    });

    it("keeps the id where the retry ends in another error", async () => {
      stack.fails();
      const inputs = await checked();
      const running = context();
      const first = await failed(create(inputs, running));
      stack.test.answers({ method: "GET" }, 403, undefined, 99);
      const second = await failed(create(inputs, running));
      // Newer engines update then, and hidden inputs depend on the verb.
      const news = { ...inputs, __ignored: "name" };
      const third = await failed(lifecycle.update(first.id, first.outs, news, running));
      expect([second.id, third.id]).to.deep.equal([first.id, first.id]);
      expect(second.message).to.contain("403");
    });

    it("continues an update that failed in the same way", async () => {
      const made = await create(await checked());
      const news = stack.git("main", { env: { A: "1" } });
      const running = context();
      stack.fails();
      await rejection(stack.update(made, news, running));
      expect((await stack.update(made, news, running)).outs).to.include({ ready: true });
      expect(await revisions(made.id)).to.have.length(3);
    });
  });
});

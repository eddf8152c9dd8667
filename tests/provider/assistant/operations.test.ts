import { expect } from "chai";
import { withoutSecretForm } from "../../../provider/arguments/secrets";
import { type Props, UNKNOWN } from "../../../provider/arguments/props";
import { assistantArguments, difference } from "../../../provider/assistant/diff";
import { assistantLifecycle as lifecycle } from "../../../provider/assistant/operations";
import { deploymentLifecycle } from "../../../provider/deployment/lifecycle";
import { showAnnouncement } from "../../../provider/resource/announcement";
import { defaultAssistantId } from "../../../sdk/schema";
import { startAgentServer } from "../../../local/agentserver";
import { useAgentServer } from "../../local/agentserver/support";
import { afterKill, contextOf } from "../../support/lifecycle";
import { IMAGE_INPUTS } from "../../support/inputs";
import { initializationFailure, reasonOf, rejection } from "../../support/rejection";
import { AssistantSubject, useSubject } from "../agent-server/subject";

const GRAPHS = ["agent", "other"];
const GET = "GET /assistants/…";
const GIVEN = "5f0c1f9e-0c5b-4c3a-9d57-1a2b3c4d5e6f";

describe("an assistant's life on an agent server", () => {
  const server = useAgentServer({ graphs: GRAPHS });
  const subject = useSubject(() => new AssistantSubject(() => `http://127.0.0.1:${server.port()}`));
  const assistants = () => subject.client.assistants;
  const all = async () => (await assistants().search()).length - GRAPHS.length;

  describe("create", () => {
    it("asks for the graph and its schema, whether the id is taken or hidden, and sends one POST", async () => {
      const context = { prompt: "Hallo" };
      const config = { recursionLimit: 4 };
      const { id, outs, inputs } = await subject.create({ description: "tier 1", config, context });
      expect(subject.requests).to.deep.equal([
        "POST /assistants/count",
        "GET /assistants/…/schemas",
        "GET /assistants/…",
        "POST /assistants/…/versions",
        "POST /assistants",
      ]);
      const found = await subject.get(id);
      expect(found).to.deep.include({ name: "support-de", description: "tier 1", context });
      expect(found.config).to.deep.equal({ recursion_limit: 4 });
      expect(found.metadata).to.deep.equal({ pulumi_resource: "shop/dev/support-de" });
      expect(outs).to.deep.include({ ...inputs, assistantId: id, version: 1, metadata: null });
    });

    it("has an id that follows from the resource, or the one that is set, in lower case", async () => {
      const { id } = await subject.create();
      expect((await subject.checked({}))["assistantId"]).to.equal(id);
      const other = await subject.checked({}, {}, subject.context("other"));
      expect(other["assistantId"]).not.to.equal(id);
      expect((await subject.create({ assistantId: GIVEN.toUpperCase() })).id).to.equal(GIVEN);
    });

    it("adopts what an interrupted create made, with a version only where the program has changed since", async () => {
      const first = await subject.create({ context: { a: 1 } });
      for (const [a, version] of [
        [1, 1],
        [2, 2],
      ]) {
        const inputs = await subject.checked({ context: { a } });
        const context = afterKill(subject.context(), inputs, first.inputs);
        expect((await subject.create({ context: { a } }, context)).id).to.equal(first.id);
        expect(subject.said.join()).to.contain(
          `adopted assistant ${first.id}, which an interrupted`,
        );
        expect(subject.said.join()).not.to.contain("was managed as");
        expect(await subject.get(first.id)).to.deep.include({ version, context: { a } });
      }
    });

    const OTHER = { graph_id: "other", context: { a: 2 }, description: "text" };
    const OWN = { name: "own", description: "", config: { tags: ["x"] }, context: { a: 1 } };
    const DIFFERENT = {
      "its values are equal": [
        { graph_id: "agent", name: "support-de" },
        { description: "" },
        "the mark of this resource",
      ],
      "all of it differs": [
        { ...OTHER, metadata: { team: "b", tier: 1 } },
        { ...OWN, metadata: { team: "a", tier: 1 } },
        "graphId, name, description, config, context, metadata, the mark of this resource",
      ],
    } as const;
    for (const [title, [values, args, different]] of Object.entries(DIFFERENT))
      it(`refuses an id that another one has where ${title}`, async () => {
        await assistants().create({ assistant_id: GIVEN, ...values });
        expect(await reasonOf(subject.create({ assistantId: GIVEN, ...args })))
          .to.contain(`create assistant '${GIVEN}': assistant ${GIVEN} exists at ${subject.url}, `)
          .and.contain(
            `\n      it differs: ${different}\n      to adopt it, set adoptExisting: true`,
          )
          .and.match(/else set another assistantId$/);
        expect(await subject.get(GIVEN)).to.include({ version: 1 });
      });

    it("refuses a version, of which it has none, and what became known only in the update", async () => {
      expect(await reasonOf(subject.create({ assistantId: GIVEN, activeVersion: 2 }))).to.equal(
        `create assistant '${GIVEN}': it does not exist, so that it has no version 2; remove activeVersion until it has been created`,
      );
      const inputs = { ...(await subject.checked({})), metadata: { run_id: "x" } };
      expect(await reasonOf(lifecycle.create(inputs, subject.context()))).to.equal(
        "create assistant 'support-de': metadata.run_id: is set by runs; the server drops it",
      );
    });

    it("keeps a provisional id where its answer is lost and the server says nothing more, with which it is deleted", async () => {
      const read = "GET /assistants/…";
      const isSent = () => subject.requests.includes("POST /assistants");
      subject.answers[read] = () => [isSent() ? 403 : 404, {}];
      subject.lose("POST /assistants", "after");
      const { id, properties: outs } = await initializationFailure(subject.create());
      delete subject.answers[read];
      const live = async () =>
        (await Array.fromAsync(assistants().searchAll())).map((one) => one.name);
      await subject.delete({ id, outs: { ...outs, context: { a: 2 } } });
      expect(await live()).to.include("support-de");
      await subject.delete({ id, outs });
      expect(await live()).not.to.include("support-de");
    });

    it("warns where the server has no graph of it, which only some refuse, at a create and at a change of what runs depend on", async () => {
      subject.answers["GET /assistants/…/graph"] = () => [404, {}];
      const made = await subject.create();
      await subject.update(made, { description: "text" });
      await subject.update(made, { context: { a: 2 } });
      await subject.update(made, { graphId: "other" });
      const warning = (graph: string) =>
        `the agent server has no graph '${graph}': runs of assistant ${made.id} fail; set graphId`;
      expect(subject.said.filter((text) => text.includes("no graph"))).to.deep.equal([
        warning("agent"),
        warning("agent"),
        warning("other"),
      ]);
    });

    it("adopts with adoptExisting, changes what differs in one version, and marks it", async () => {
      const metadata = { owner: "ada", pulumi_resource: "shop/prod/support" };
      const values = { graph_id: "agent", context: { a: 1 }, description: "by hand", metadata };
      await assistants().create({ assistant_id: GIVEN, ...values });
      const made = await subject.create({
        assistantId: GIVEN,
        adoptExisting: true,
        context: { a: 2 },
        metadata: { team: "a" },
      });
      expect(subject.said).to.deep.equal([
        `adopts assistant '${GIVEN}' if it exists`,
        `adopted assistant ${GIVEN}`,
        `assistant ${GIVEN} was managed as shop/prod/support; that resource must be removed there`,
      ]);
      const found = await subject.get(made.id);
      expect(found).to.deep.include({ version: 2, context: { a: 2 }, description: "by hand" });
      const pulumi_resource = "shop/dev/support-de";
      expect(found.metadata).to.deep.equal({ ...metadata, team: "a", pulumi_resource });
    });

    it("adopts with the values of the version that is to be in use", async () => {
      await assistants().create({ assistant_id: GIVEN, graph_id: "agent", context: { a: 1 } });
      await assistants().update(GIVEN, { context: { a: 2 } });
      await subject.create({ assistantId: GIVEN, adoptExisting: true, activeVersion: 1 });
      expect(await subject.get(GIVEN)).to.deep.include({ context: { a: 1 }, version: 3 });
    });

    it("changes the default assistant of a graph only where that is asked for", async () => {
      const assistantId = defaultAssistantId("agent");
      for (const adoptExisting of [undefined, false]) {
        const { message } = await rejection(subject.create({ assistantId, adoptExisting }));
        expect(message).to.contain("is the default assistant of this graph");
      }
      const context = { a: 1 };
      const made = await subject.create({ assistantId, adoptExisting: true, context });
      expect(subject.said).to.deep.equal([
        `adopts assistant '${assistantId}' if it exists`,
        `adopted assistant ${assistantId}`,
      ]);
      const expected = { name: "agent", version: 2, context };
      expect(await subject.get(assistantId)).to.deep.include(expected);
      const id = `${subject.url}/assistants/${assistantId}`;
      const { inputs } = await subject.read({ id, outs: {} });
      expect(inputs).to.deep.equal({ ...made.inputs, metadata: { created_by: "system" } });
    });
  });

  describe("check", () => {
    const problems = async (args: Props) => await reasonOf(subject.checked(args));

    describe("of a graph that the server does not have", () => {
      const COUNT = "POST /assistants/count";
      const agnet = { graphId: "agnet", context: { a: 1 } };
      const ID = "11111111-1111-4111-8111-111111111111";

      it("refuses it in the server's words where a context or a gate has the server asked, and asks nothing else", async () => {
        const words = "graphId is refused by the agent server: Graph 'agnet' not found;";
        const gate = { runs: [{ input: {}, expect: { contains: "a" } }] };
        subject.answers["GET /info"] = () => [200, {}];
        expect(await problems(agnet)).to.contain(words);
        expect(await problems({ graphId: "agnet", gate })).to.contain(words);
        expect(subject.requests.splice(0)).to.deep.equal([COUNT, "GET /info"]);
        await subject.checked({ graphId: "agnet" });
        await subject.checked(agnet, { ...agnet, deploymentUrl: subject.url, context: {} });
        expect(subject.requests).not.to.contain(COUNT);
      });

      /** A check after that of its deployment, which the state has at this address. */
      const checkedAfter = async (env: Props, args: Props) => {
        const own = subject.context();
        const { settings } = contextOf({
          url: "http://127.0.0.1:9",
          apiKey: "k",
          workspaceId: "w",
        });
        const of = { ...own, settings, urn: deploymentUrn };
        const olds = { ...IMAGE_INPUTS, name: "support", env: { A: "1" } };
        const news = { ...olds, env };
        await deploymentLifecycle.check(olds, news, of);
        const state = { ...olds, url: subject.url, rollout: { state: "done", revisionId: ID } };
        deploymentLifecycle.diff(ID, state, news, of);
        return subject.checked({ ...agnet, ...args }, {}, own);
      };
      const deploymentUrn = "urn:pulumi:dev::shop::agentserver:index:Deployment::support";

      for (const [what, A, args] of [
        ["this run brings it with another revision", "2", {}],
        ["it may", UNKNOWN, {}],
        ["it does, of the deployment that it names", "2", { deploymentId: ID }],
        ["another process knows that", "1", { deploymentId: GIVEN }],
      ] as const)
        it(`leaves it to the update where ${what}`, async () => {
          await checkedAfter({ A }, args);
          expect(subject.requests).not.to.contain(COUNT);
        });

      it("refuses it where its deployment stays as it is", async () => {
        const { message } = await rejection(checkedAfter({ A: "1" }, { deploymentId: ID }));
        expect(message).to.contain("graphId is refused by the agent server");
      });

      it("takes no 404 of a gateway for it", async () => {
        subject.answers[COUNT] = () => [404, "default backend"];
        await subject.checked(agnet);
        expect(subject.requests).to.contain(COUNT);
      });
    });

    it("refuses what no server can keep, all of it at once", async () => {
      const message = await problems({
        config: { configurable: { a: 1 }, recursionLimits: 3 },
        context: { b: 1 },
        metadata: { run_id: "x" },
        activeVersion: 0,
        assistantId: "german",
      });
      expect(message)
        .to.contain("config.configurable cannot be combined with context")
        .and.contain("recursionLimits")
        .and.contain("metadata.run_id is set by runs")
        .and.contain("activeVersion")
        .and.contain("must be a UUID");
    });

    it("takes null in the config for absence", async () => {
      const config = { tags: null, recursionLimit: null, configurable: null };
      const { id } = await subject.create({ config, context: { a: 1 } });
      const { config: stored } = await assistants().get(id);
      expect(stored).not.to.have.any.keys("tags", "recursion_limit");
    });

    it("refuses values beside activeVersion, which would overrule them", async () =>
      expect(await problems({ activeVersion: 1, context: { a: 1 }, name: "x" })).to.match(
        /^name cannot be combined with activeVersion.*context cannot be combined with activeVersion/,
      ));
  });

  describe("update", () => {
    it("sends one PATCH for all that changes, which is one version", async () => {
      const made = await subject.create({ context: { a: 1 }, config: { tags: ["x"] } });
      subject.requests.splice(0);
      const { outs, diff } = await subject.update(made, {
        context: { a: 2 },
        config: { recursionLimit: 9 },
        description: "text",
        name: "other",
      });
      expect(diff).to.deep.equal({});
      expect(subject.requests).to.deep.equal(["GET /assistants/…", "PATCH /assistants/…"]);
      const config = { recursion_limit: 9 };
      const found = await subject.get(made.id);
      const changed = { context: { a: 2 }, config, description: "text", name: "other" };
      expect(found).to.deep.include({ ...changed, version: 2 });
      expect(outs).to.include({ version: 2 });
    });

    it("sends nothing where nothing changes, nor for what no server keeps", async () => {
      const made = await subject.create({ context: { a: 1 } });
      subject.requests.splice(0);
      const same = await subject.update(made, { context: { a: 1 } });
      expect(same.diff).to.deep.equal({ changes: false });
      const ours = await subject.update(made, { context: { a: 1 }, deleteThreads: true });
      expect(ours.outs).to.include({ deleteThreads: true, version: 1 });
      expect(subject.requests).to.deep.equal([]);
    });

    it("clears what the program removes", async () => {
      const made = await subject.create({
        context: { a: 1 },
        config: { tags: ["x"] },
        description: "text",
        metadata: { team: "a", tier: 1 },
      });
      await subject.update(made, { metadata: { team: "a" } });
      const found = await subject.get(made.id);
      expect(found).to.deep.include({ version: 2, context: {}, config: {}, description: null });
      expect(found.metadata).to.include({ team: "a", tier: null });
    });

    it("leaves alone what the program never set, and others' metadata", async () => {
      const made = await subject.create({ metadata: { team: "a" } });
      await assistants().update(made.id, { context: { b: 1 }, metadata: { owner: "ada" } });
      await subject.update(made, { metadata: { team: "b" }, config: { tags: ["y"] } });
      const found = await subject.get(made.id);
      expect(found).to.deep.include({ version: 3, context: { b: 1 }, config: { tags: ["y"] } });
      expect(found.metadata).to.include({ owner: "ada", team: "b" });
    });

    it("sends all that is declared where a killed update has created a version, though the program took that back", async () => {
      const made = await subject.create({ context: { a: 1 }, description: "tier 1" });
      await assistants().update(made.id, { context: { a: 2 }, description: "tier 2" });
      await subject.update(made, { context: { a: 3 }, description: "tier 1" });
      const declared = { version: 3, context: { a: 3 }, description: "tier 1" };
      expect(await subject.get(made.id)).to.deep.include(declared);
    });

    it("keeps the server's own value of each member that a program ignores, and changes those beside it", async () => {
      const values = (tone: string) => ({
        context: { tone, a: 1 },
        metadata: { tone, owner: "ada" },
      });
      const made = await subject.create(values("x"));
      const theirs = { context: { tone: "x", a: 2 }, metadata: { owner: "bob" } };
      await assistants().update(made.id, theirs);
      const ignoring = { __ignored: ["context.a", "metadata.owner"] };
      await subject.update(made, { ...values("y"), ...ignoring });
      const { context, metadata } = await subject.get(made.id);
      expect(context).to.deep.equal({ tone: "y", a: 2 });
      expect(metadata).to.include({ tone: "y", owner: "bob" });
    });

    it("changes the older form of a context, and goes over to the newer one", async () => {
      const made = await subject.create({ config: { configurable: { a: 1 } } });
      const args = { config: { configurable: { a: 2 }, tags: ["x"] } };
      const changed = await subject.update(made, args);
      const { inputs } = await subject.read(changed);
      expect(inputs).to.deep.equal({ ...made.inputs, ...args });
      const newer = await subject.update(changed, { context: { a: 3 } });
      const expected = { context: { a: 3 }, config: {}, version: 3 };
      expect(await subject.get(made.id)).to.deep.include(expected);
      expect((await subject.read(newer)).inputs).to.deep.equal(newer.inputs);
    });

    it("does not send again what arrived without an answer", async () => {
      const made = await subject.create({ context: { a: 1 } });
      subject.lose("PATCH", "after");
      expect((await subject.update(made, { context: { a: 2 } })).outs).to.include({ version: 2 });
      subject.lose("PATCH", "before");
      expect((await subject.update(made, { context: { a: 3 } })).outs).to.include({ version: 3 });
    });

    for (const [what, more] of Object.entries({
      "in place": {},
      "with more": { description: "new", metadata: { tier: "b" } },
    }))
      it(`is brought back by a program that takes back a change ${what} of which the server did not say`, async () => {
        const before = { context: { a: 1 }, metadata: { team: "a" } };
        const after = { ...before, context: { a: 2 }, ...more };
        const made = await subject.create(before);
        const inputs = await subject.checked(after, made.inputs);
        const there = await fetch(`http://127.0.0.1:${server.port()}/assistants/${made.id}`);
        const found: unknown = await there.json();
        const isSent = () => subject.requests.includes("PATCH /assistants/…");
        subject.answers[GET] = () => (isSent() ? [400, { detail: "no" }] : [200, found]);
        subject.lose("PATCH", "after");
        const { id, properties: outs } = await initializationFailure(
          lifecycle.update(made.id, made.outs, inputs, subject.context()),
        );
        delete subject.answers[GET];
        const { description } = { description: null, ...more };
        const changed = { context: { a: 2 }, description };
        expect(await subject.get(id)).to.deep.include({ version: 2, ...changed });
        await subject.update({ id, outs, inputs }, before);
        const { metadata, ...back } = await subject.get(id);
        expect(back).to.deep.include({ context: { a: 1 }, description: null });
        expect({ tier: null, ...metadata }).to.include({ team: "a", tier: null });
        await subject.update({ id, outs, inputs }, after);
        expect(await subject.get(id)).to.deep.include(changed);
      });

    it("gets what a program still declares after a change that never arrived", async () => {
      const made = await subject.create({ context: { a: 1 } });
      const news = { context: { a: 1 }, description: "new" };
      const inputs = await subject.checked(news, made.inputs);
      subject.lose("PATCH", "before", 2);
      const { id, properties: outs } = await initializationFailure(
        lifecycle.update(made.id, made.outs, inputs, subject.context()),
      );
      await subject.update({ id, outs, inputs }, news);
      expect(await subject.get(id)).to.include({ description: "new" });
    });

    it("keeps its id where the program gives none or null, and gives up any key of its metadata", async () => {
      const made = await subject.create({ metadata: { constructor: "a" } });
      const updated = await subject.update(made, { assistantId: null, metadata: {} });
      expect(updated.id).to.equal(made.id);
      const { metadata } = await subject.get(made.id);
      expect(Object.entries(metadata)).to.deep.include(["constructor", null]);
    });

    it("goes back to a version exactly, by its values", async () => {
      const first = { context: { a: 1 }, config: { tags: ["x"] } };
      const second = { context: { a: 2 }, name: "other", description: "two" };
      const made = await subject.create(first);
      const changed = await subject.update(made, second);
      const pinned = await subject.update(changed, { activeVersion: 1 });
      const expected = { ...first, name: "support-de", description: null, version: 3 };
      expect(await subject.get(made.id)).to.deep.include(expected);
      expect(pinned.outs).to.include({ activeVersion: 1, version: 3, name: null });
      expect((await subject.update(pinned, { activeVersion: 1 })).diff).to.deep.equal({
        changes: false,
      });
      expect((await subject.read(pinned)).inputs).to.include({ activeVersion: 1 });
      await assistants().update(made.id, { context: { by: "hand" } });
      expect((await subject.read(pinned)).inputs).to.include({ activeVersion: 4 });
      const { message } = await rejection(subject.update(pinned, { activeVersion: 9 }));
      expect(message).to.contain("it has no version 9, but 1 to 4");
      expect(subject.said).to.include("an update creates a version with the values of version 1");
      const moved = { activeVersion: 1, graphId: "other" };
      expect(await reasonOf(subject.update(pinned, moved))).to.contain(
        `assistant ${made.id}: its version 1 is of graph 'agent', and graphId is 'other'; set graphId: "agent"`,
      );
      const other = await subject.update(pinned, { activeVersion: 2 });
      expect(await subject.get(made.id)).to.deep.include({ ...second, version: 5 });
      // Another client's graph is drift of that, however often it is read.
      await assistants().update(made.id, { graph_id: "other" });
      const { props: outs = {} } = await subject.read(other);
      const { inputs } = await subject.read({ ...other, outs });
      expect(inputs).to.include({ graphId: "other", activeVersion: 2 });
    });

    it("shows and takes back each value that a person has changed of the active version", async () => {
      const made = await subject.create({ context: { a: 1 } });
      const args = { activeVersion: 1, metadata: { team: "a" } };
      let pinned = await subject.update(made, args);
      const { name, description, config, context } = await subject.get(made.id);
      for (const change of [
        { name: "by hand" },
        { description: "by hand" },
        { config: { tags: ["by hand"] }, context: { a: 1 } },
        { context: { by: "hand" } },
      ]) {
        const { version } = await assistants().update(made.id, change);
        const { inputs = {}, props = {} } = await subject.read(pinned);
        expect(inputs["activeVersion"], JSON.stringify(change)).to.equal(version);
        pinned = await subject.update({ id: made.id, inputs, outs: props }, args);
        expect(await subject.get(made.id)).to.deep.include({ name, description, config, context });
      }
      await assistants().update(made.id, { metadata: { team: "b" } });
      const { inputs } = await subject.read(pinned);
      expect(inputs).to.deep.include({ activeVersion: 1, metadata: { team: "b" } });
    });

    it("says what a new version has, and what only the name changes", async () => {
      const made = await subject.create({ context: { a: 1 } });
      await subject.update(made, { context: { a: 2 }, description: "text" });
      await subject.update(made, { context: { a: 1 }, name: "other" });
      await subject.update(made, { context: { a: 1 }, deleteThreads: true });
      await subject.update(made, { context: { a: 1, b: null } });
      expect(subject.said).to.deep.equal([
        "an update creates a version: description, context changed",
        "an update creates a version in which only the name differs",
      ]);
    });

    it("says that what is not known yet may create a version, and names what has changed alone", () => {
      const olds = { graphId: "agent", name: "a", config: {}, context: { a: 1 } };
      const messageOf = (news: Props) =>
        difference(assistantArguments.decode(olds), assistantArguments.decode({ ...olds, ...news }))
          .message;
      const open = (names: string) =>
        `an update may create a version, depending on a value known only during the update (${names})`;
      expect(messageOf({ name: UNKNOWN })).to.equal(open("name"));
      const inside = { config: { configurable: { a: UNKNOWN } }, context: { a: UNKNOWN } };
      expect(messageOf(inside)).to.equal(open("config, context"));
      const known = "an update creates a version: name changed";
      expect(messageOf({ ...inside, name: "b" })).to.equal(known);
    });

    it("says that it is replaced, and what that deletes", async () => {
      const made = await subject.create();
      const context = subject.context();
      const away = { deploymentUrl: "http://127.0.0.1:9", assistantId: GIVEN };
      const inputs = await subject.checked(away, made.inputs, context);
      const expected = { replaces: ["deploymentUrl", "assistantId"], deleteBeforeReplace: true };
      expect(lifecycle.diff(made.id, made.outs, inputs, context)).to.deep.equal(expected);
      showAnnouncement(context);
      expect(subject.said.join()).to.contain(
        "can't be changed: deleted first, its versions and crons are deleted with it, its threads stay",
      );
    });

    it("previews a version as unknown only where there is a new one", async () => {
      const { inputs, outs } = await subject.create({ context: { a: 1 } });
      const preview = (changes: Props) => lifecycle.preview({ ...inputs, ...changes }, outs);
      const revised = { context: { a: 2 }, version: UNKNOWN, updatedAt: UNKNOWN };
      expect(preview({ context: { a: 2 } })).to.deep.equal({ ...outs, ...revised });
      const kept = { deleteThreads: true };
      expect(preview(kept)).to.deep.equal({ ...outs, ...kept });
    });
  });

  describe("read", () => {
    it("shows drift property by property, and no other metadata", async () => {
      const args = { context: { a: 1 }, description: "text", metadata: { team: "a" } };
      const made = await subject.create(args);
      expect((await subject.read(made)).inputs).to.deep.equal(made.inputs);
      await assistants().update(made.id, {});
      const same = await subject.read(made);
      expect(same.inputs, "equal values of another version").to.deep.equal(made.inputs);
      expect(same.props).to.include({ version: 2 });
      const changes = { context: { a: 9 }, metadata: { team: "b", owner: "ada" } };
      await assistants().update(made.id, changes);
      const shown = { context: { a: 9 }, metadata: { team: "b" } };
      expect((await subject.read(made)).inputs).to.deep.equal({ ...made.inputs, ...shown });
      const { outs } = await subject.update(made, { description: "" });
      expect((await subject.read({ ...made, outs })).inputs).to.include({ description: "" });
    });

    it("is gone when it was deleted, or another one has its id since", async () => {
      const made = await subject.create();
      await assistants().delete(made.id);
      expect((await subject.read(made)).id).to.equal("");
      const again = { ...made, outs: { ...made.outs, createdAt: "2020-01-01T00:00:00.000Z" } };
      await assistants().create({ assistant_id: made.id, graph_id: "agent" });
      expect((await subject.read(again)).id).to.equal("");
      await subject.delete(again);
      expect(subject.said.join()).to.contain("another create has taken this id since");
      expect(await subject.get(made.id)).to.include({ version: 1 });
    });

    it("fails where the server refuses to show it, or its versions, and does not repeat the key", async () => {
      const made = await subject.create({ apiKey: "CANARY" });
      const refused = async () => await reasonOf(subject.read(made));
      subject.answers["GET /assistants/…"] = () => [403, { detail: "not of CANARY" }];
      expect(await refused())
        .to.contain("not of")
        .and.not.contain("CANARY");
      subject.answers["GET /assistants/…"] = () => [404, {}];
      subject.answers["POST /assistants/…/versions"] = () => [403, { detail: "nor its versions" }];
      expect(await refused()).to.contain("nor its versions");
      subject.answers["POST /assistants/…/versions"] = () => [200, []];
      expect((await subject.read(made)).id).to.equal("");
    });

    it("imports a context once, which a server repeats in its older form", async () => {
      const config = { configurable: { a: 1 } };
      const { assistant_id: own } = await assistants().create({ graph_id: "agent", config });
      const id = `${subject.url}/assistants/${own}`;
      const { inputs } = await subject.read({ id, outs: {} });
      expect(inputs)
        .to.deep.include({ context: { a: 1 } })
        .and.not.have.property("config");
      const found = { ...(await subject.get(own)), context: {}, config };
      subject.answers["GET /assistants/…"] = () => [200, found];
      expect((await subject.read({ id, outs: {} })).inputs)
        .to.deep.include({ config })
        .and.not.have.property("context");
    });

    it("imports by the assistant's own URL", async () => {
      const made = await subject.create({ context: { a: 1 }, config: { recursionLimit: 4 } });
      const imported = await subject.read({ id: `${subject.url}/assistants/${made.id}`, outs: {} });
      expect(imported).to.deep.equal({ id: made.id, inputs: made.inputs, props: made.outs });
      expect(await reasonOf(subject.read({ id: made.id, outs: {} })))
        .to.contain(`/assistants/${made.id}`)
        .and.contain("a program reads it with Assistant.get");
    });

    it("gets one of which only the server is known, with what leads there", async () => {
      const made = await subject.create({ context: { a: 1 } });
      const place = { deploymentUrl: subject.url, apiKey: "key", deploymentId: GIVEN };
      const { inputs } = await subject.read({ id: made.id, outs: place });
      expect(withoutSecretForm(inputs)).to.deep.equal({ ...made.inputs, ...place });
      const { message } = await rejection(subject.read({ id: GIVEN, outs: place }));
      expect(message).to.equal(`get assistant '${GIVEN}': it does not exist at ${subject.url}`);
    });
  });

  describe("delete", () => {
    it("deletes it with its versions, and counts one that is gone as deleted", async () => {
      const made = await subject.create();
      await subject.delete(made);
      expect(await all()).to.equal(0);
      await subject.delete(made);
      const next = await subject.create();
      const looks = ["GET /assistants/…", "POST /assistants/…/versions"];
      subject.answers["DELETE /assistants/…"] = () => {
        for (const look of looks) subject.answers[look] = () => [404, {}];
        return [404, {}];
      };
      await subject.delete(next);
      for (const look of looks) delete subject.answers[look];
      subject.answers["DELETE /assistants/…"] = () => [403, { detail: "not yours" }];
      expect(await reasonOf(subject.delete(next))).to.contain("not yours");
    });

    it("leaves its threads, or deletes them", async () => {
      const { threads } = subject.client;
      await threads.create();
      for (const [deleteThreads, left] of [
        [false, 2],
        [true, 1],
      ] as const) {
        const made = await subject.create({ deleteThreads });
        const metadata = { assistant_id: made.id };
        await threads.create({ thread_id: GIVEN, metadata, if_exists: "do_nothing" });
        await subject.delete(made);
        expect(await threads.count()).to.equal(left);
      }
    });

    it("is refused while a thread of it is busy or a cron runs it, unless that is asked for", async () => {
      const made = await subject.create();
      const count = (body: string) => [200, body.includes(made.id) ? 1 : 0] as const;
      subject.answers["POST /threads/count"] = count;
      subject.answers["POST /runs/crons/count"] = count;
      subject.requests.splice(0);
      expect(await reasonOf(subject.delete(made))).to.match(
        /in use \(busy threads: 1, crons: 1\); .*, or set forceDelete: true/,
      );
      const asked = subject.requests.filter((request) => request === "POST /runs/crons/count");
      expect(asked, "no cron ends by itself").to.have.length(1);
      // Only a 404 to the deletion itself says that it is gone.
      subject.answers["POST /threads/count"] = () => [404, { detail: "Not Found" }];
      expect(await reasonOf(subject.delete(made))).to.contain("count threads: 404");
      subject.answers["POST /threads/count"] = () => [200, 0];
      await rejection(subject.delete(made));
      expect(await all()).to.equal(1);
      await subject.delete({ ...made, outs: { ...made.outs, forceDelete: true } });
      expect(await all()).to.equal(0);
      // What is gone already is not in use, whatever names its id.
      await subject.delete(made);
    });

    it("waits a minute for its runs, as a cron that was deleted just before leaves them", async () => {
      const made = await subject.create();
      let left = 0;
      subject.answers["POST /threads/count"] = () => [200, left-- > 0 ? 1 : 0];
      left = 40;
      expect(await reasonOf(subject.delete(made))).to.contain("in use (busy threads: 1, crons: 0)");
      left = 20;
      await subject.delete(made);
      await rejection(subject.get(made.id));
    });

    it("keeps a default assistant, also one that the server marks as its own", async () => {
      const assistantId = defaultAssistantId("agent");
      const byId = { assistantId, adoptExisting: true, metadata: { created_by: "ada" } };
      for (const args of [byId, { metadata: { created_by: "system" } }]) {
        const { id, outs } = await subject.create(args);
        await subject.delete({ id, outs });
        expect(await subject.get(id)).to.include({ graph_id: "agent" });
        expect(subject.said.at(-1)).to.match(
          /^keeps assistant \S+: .*which the server itself creates/,
        );
      }
    });
  });

  describe("a context that does not fit the graph's schema", () => {
    const SCHEMAS = "GET /assistants/…/schemas";
    const schemas = (context_schema: unknown) =>
      [200, { graph_id: "agent", context_schema }] as const;
    const context = { temperature: "hot", prompt: "free" };
    const warning = (graph: string) =>
      `context.temperature does not fit the context_schema of graph '${graph}': Invalid input: expected number, received string`;

    it("is warned of, with the same two requests for all assistants of a graph", async () => {
      subject.answers[SCHEMAS] = () =>
        schemas({ type: "object", properties: { temperature: { type: "number" } } });
      await subject.checked({ context });
      expect(subject.said).to.deep.equal([warning("agent")]);
      await subject.checked({ context }, {}, subject.context("another"));
      await subject.checked({ context: { temperature: 1 } }, {}, subject.context("third"));
      expect(subject.said).to.have.length(2);
      expect(subject.requests).to.have.length(2);
      await subject.checked({ context, apiKey: "another" }, {}, subject.context("fourth"));
      expect(subject.requests).to.have.length(4);
      subject.said.splice(0);
      const olds = { context, graphId: "agent" };
      await subject.checked({ context }, olds);
      expect(subject.said).to.deep.equal([]);
      await subject.checked({ context }, { ...olds, context: {} });
      await subject.checked({ context, graphId: "other" }, olds);
      expect(subject.said).to.deep.equal([warning("agent"), warning("other")]);
    });

    it("is not asked for where it is not known yet which server and graph there are", async () => {
      for (const name of ["graphId", "deploymentUrl", "apiKey", "context"])
        await subject.checked({ context, [name]: UNKNOWN });
      expect([...subject.requests, ...subject.said]).to.deep.equal([]);
    });

    const SILENT = {
      "can't tell its schema": [501, {}],
      "tells a schema that is none": schemas({ $ref: "#/none" }),
    } as const;
    for (const [title, answer] of Object.entries(SILENT))
      it(`is not warned of where the server ${title}`, async () => {
        subject.answers[SCHEMAS] = () => answer;
        await subject.checked({ context });
        expect(subject.said).to.deep.equal([]);
        expect(subject.requests).to.have.length(2);
      });
  });
});

describe("an assistant whose graph left the revision", () => {
  const server = useAgentServer({ graphs: ["other"] });
  const subject = useSubject(() => new AssistantSubject(() => `http://127.0.0.1:${server.port()}`));

  it("is kept, and a warning names the graph", async () => {
    const made = await subject.create({ graphId: "other" });
    for (let version = 2; version <= 11; version++)
      await subject.client.assistants.update(made.id, {});
    const database = `${server.folder()}/threads.db`;
    const without = { graphs: ["agent"], variables: [], commit: null };
    const next = await startAgentServer({ database, ...without });
    const olds = { ...made.outs, deploymentUrl: next.url };
    const { id, inputs } = await subject.read({ id: made.id, outs: olds });
    expect(id).to.equal(made.id);
    expect(inputs).to.deep.equal({ ...made.inputs, deploymentUrl: next.url });
    expect(subject.said).to.deep.equal([
      `keeps assistant ${made.id}: its agent server hides it, since the running revision has no graph 'other'; deploy a revision with that graph, or set another graphId`,
    ]);
    const moved = { ...made, outs: olds, inputs: { ...made.inputs, deploymentUrl: next.url } };
    await subject.update(moved, { deploymentUrl: next.url, graphId: "agent" });
    expect(await subject.get(made.id).catch(() => "hidden")).to.equal("hidden");
    const read = await subject.read({ id: made.id, outs: olds });
    expect(read.inputs).to.include({ graphId: "agent" });
    await next.close();
  });
});

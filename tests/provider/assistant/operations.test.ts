import { expect } from "chai";
import { type Props, UNKNOWN } from "../../../provider/arguments/props";
import type { StackState } from "../../../provider/kind/stack-state";
import { defaultAssistantId } from "../../../sdk/schema";
import { useAgentServer } from "../../local/agentserver/support";
import { json, startServer, type TestServer } from "../../support/http";
import { afterKill } from "../../support/lifecycle";
import { rejection } from "../../support/rejection";
import { AssistantSubject, urnOf } from "./subject";

const GIVEN = "5f0c1f9e-0c5b-4c3a-9d57-1a2b3c4d5e6f";

describe("an assistant's life on an agent server", () => {
  const server = useAgentServer();
  let subject: AssistantSubject;
  beforeEach(async () => {
    subject = new AssistantSubject(() => `http://127.0.0.1:${server.port()}`);
    await subject.start();
  });
  afterEach(() => subject.close());
  const assistants = () => subject.client.assistants;
  const all = async () => (await assistants().search()).length - 1;

  describe("create", () => {
    it("asks for the graph's schema, whether the id is taken or hidden, and sends one POST", async () => {
      const context = { prompt: "Hallo" };
      const { id, outs, inputs } = await subject.create({ description: "tier 1", context });
      expect(subject.requests).to.deep.equal([
        "GET /assistants/…/schemas",
        "GET /assistants/…",
        "POST /assistants/…/versions",
        "POST /assistants",
      ]);
      const found = await subject.get(id);
      expect(found).to.deep.include({ name: "support-de", description: "tier 1", context });
      expect(found.metadata).to.deep.equal({ pulumi_resource: "shop/dev/support-de" });
      expect(outs).to.deep.include({ ...inputs, assistantId: id, version: 1, metadata: null });
    });

    it("has an id that follows from the resource, or the one that is set, in lower case", async () => {
      const { id } = await subject.create();
      expect((await subject.checked({}))["assistantId"]).to.equal(id);
      expect((await subject.checked({}, {}, subject.context("other")))["assistantId"]).not.to.equal(
        id,
      );
      const given = await subject.create({ assistantId: GIVEN.toUpperCase() });
      expect(given.id).to.equal(GIVEN);
    });

    it("finds its own again whose POST had no answer", async () => {
      // The first POST lists versions, which is only a read.
      subject.lose("POST", "after", 2);
      const { id } = await subject.create({ context: { a: 1 } });
      expect(await subject.get(id)).to.include({ version: 1 });
      expect(await all()).to.equal(1);
    });

    it("adopts what an interrupted create made, without a version", async () => {
      const first = await subject.create({ context: { a: 1 } });
      const context = afterKill(subject.context(), first.inputs, first.inputs);
      const again = await subject.create({ context: { a: 1 } }, context);
      expect(again.id).to.equal(first.id);
      expect(subject.said.join()).to.contain(`adopted assistant ${first.id}, which an interrupted`);
      expect(await subject.get(first.id)).to.include({ version: 1 });
    });

    it("adopts what an interrupted create made of other inputs, with one version", async () => {
      const first = await subject.create({ context: { a: 1 } });
      const inputs = await subject.checked({ context: { a: 2 } });
      const context = afterKill(subject.context(), inputs, first.inputs);
      const again = await subject.create({ context: { a: 2 } }, context);
      expect(await subject.get(again.id)).to.deep.include({ version: 2, context: { a: 2 } });
    });

    it("refuses an id that another one has, though its values are equal", async () => {
      await assistants().create({ assistant_id: GIVEN, graph_id: "agent", name: "support-de" });
      const error = await rejection(subject.create({ assistantId: GIVEN }));
      expect(error.message)
        .to.match(/^create assistant '5f0c1f9e-[^']*': assistant 5f0c1f9e-\S* exists at http/)
        .and.contain("records neither it nor an interrupted create of this resource")
        .and.contain("set adoptExisting: true to adopt it with its threads and crons")
        .and.contain("set another assistantId");
      expect(await subject.get(GIVEN)).to.include({ version: 1 });
    });

    it("refuses it also to another program that gives the same id", async () => {
      await subject.create({ assistantId: GIVEN }, subject.context("first"));
      const error = await rejection(
        subject.create({ assistantId: GIVEN }, subject.context("second")),
      );
      expect(error.message).to.contain("the mark of this resource");
      expect(await subject.get(GIVEN)).to.include({ name: "first", version: 1 });
    });

    it("adopts with adoptExisting, changes what differs in one version, and marks it", async () => {
      const metadata = { owner: "ada" };
      const values = { graph_id: "agent", context: { a: 1 }, description: "by hand", metadata };
      await assistants().create({ assistant_id: GIVEN, ...values });
      const made = await subject.create({
        assistantId: GIVEN,
        adoptExisting: true,
        context: { a: 2 },
      });
      expect(subject.said.join()).to.contain(`adopted assistant ${GIVEN}`);
      const found = await subject.get(made.id);
      expect(found).to.deep.include({ version: 2, context: { a: 2 }, description: "by hand" });
      expect(found.metadata).to.deep.equal({ ...metadata, pulumi_resource: "shop/dev/support-de" });
    });

    it("adopts nothing where the state can't be read and a forced replacement may create first: that would delete it then", async () => {
      await assistants().create({ assistant_id: GIVEN, graph_id: "agent" });
      const readState = async (): Promise<StackState> => {
        throw new Error("the backend does not respond");
      };
      const args = { assistantId: GIVEN, adoptExisting: true, __createFirst: UNKNOWN };
      const context = { ...subject.context(), readState };
      const { message } = await rejection(subject.create(args, context));
      expect(message)
        .to.contain("could not be read (the backend does not respond)")
        .and.contain("to adopt it, run `pulumi up` again when the state can be read");
      expect(await subject.get(GIVEN)).to.include({ version: 1 });
    });

    it("adopts nothing that another resource of the state has", async () => {
      const first = await subject.create({ assistantId: GIVEN }, subject.context("first"));
      const context = {
        ...subject.context("second"),
        readState: async () => ({
          resources: [{ urn: urnOf("first"), id: GIVEN, inputs: first.inputs }],
          creating: [{ urn: urnOf("second"), inputs: {} }],
        }),
      };
      const args = { assistantId: GIVEN, adoptExisting: true };
      const { message } = await rejection(subject.create(args, context));
      expect(message).to.contain(`the state has it as ${urnOf("first")}`);
    });

    it("changes the default assistant of a graph only where that is asked for", async () => {
      const assistantId = defaultAssistantId("agent");
      const { message } = await rejection(subject.create({ assistantId }));
      expect(message).to.contain("is the default assistant of this graph");
      const made = await subject.create({ assistantId, adoptExisting: true, context: { a: 1 } });
      await subject.delete(made);
      expect(await subject.get(assistantId)).to.deep.include({ version: 2, context: { a: 1 } });
      expect(subject.said.join()).to.contain("the values of this resource stay in it");
    });

    it("names the graphs that there are, and creates nothing", async () => {
      const { message } = await rejection(subject.create({ graphId: "agnet" }));
      expect(message).to.contain("Graph 'agnet' not found; this server has: agent");
      expect(await all()).to.equal(0);
    });
  });

  describe("check", () => {
    const problems = async (args: Props) => (await rejection(subject.checked(args))).message;

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

    it("refuses values beside activeVersion, which would overrule them", async () => {
      const message = await problems({ activeVersion: 1, context: { a: 1 }, name: "x" });
      expect(message)
        .to.contain("context cannot be combined with activeVersion")
        .and.contain("name cannot be combined with activeVersion");
    });
  });

  describe("update", () => {
    it("sends one PATCH for all that changes, which is one version", async () => {
      const made = await subject.create({ context: { a: 1 }, config: { tags: ["x"] } });
      subject.requests.splice(0);
      const { outs, diff } = await subject.update(made, {
        context: { a: 2 },
        config: { recursionLimit: 9 },
        description: "text",
      });
      expect(diff).to.deep.equal({});
      expect(subject.requests).to.deep.equal(["GET /assistants/…", "PATCH /assistants/…"]);
      const config = { recursion_limit: 9 };
      const found = await subject.get(made.id);
      expect(found).to.deep.include({ version: 2, context: { a: 2 }, config, description: "text" });
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

    it("does not send again what arrived without an answer", async () => {
      const made = await subject.create({ context: { a: 1 } });
      subject.lose("PATCH", "after");
      expect((await subject.update(made, { context: { a: 2 } })).outs).to.include({ version: 2 });
      subject.lose("PATCH", "before");
      expect((await subject.update(made, { context: { a: 3 } })).outs).to.include({ version: 3 });
    });

    it("goes back to a version exactly, by its values", async () => {
      const first = { description: "one", context: { a: 1 }, config: { tags: ["x"] } };
      const made = await subject.create(first);
      const changed = await subject.update(made, { context: { a: 2 }, name: "other" });
      const pinned = await subject.update(changed, { activeVersion: 1 });
      const found = await subject.get(made.id);
      expect(found).to.deep.include({ ...first, name: "support-de", version: 3 });
      expect(pinned.outs).to.include({ activeVersion: 1, version: 3, name: null });
      expect((await subject.update(pinned, { activeVersion: 1 })).diff).to.deep.equal({
        changes: false,
      });
      expect((await subject.read(pinned)).inputs).to.include({ activeVersion: 1 });
      await assistants().update(made.id, { context: { by: "hand" } });
      expect((await subject.read(pinned)).inputs).to.include({ activeVersion: 4 });
      const { message } = await rejection(subject.update(pinned, { activeVersion: 9 }));
      expect(message).to.contain("it has no version 9, but 1 to 4");
    });

    it("says what a new version has, and what only the name changes", async () => {
      const made = await subject.create({ context: { a: 1 } });
      await subject.update(made, { context: { a: 2 } });
      expect(subject.said).to.include("an update creates a version: context changed");
      await subject.update(made, { context: { a: 1 }, name: "other" });
      expect(subject.said).to.include("an update creates a version in which only the name differs");
    });
  });

  describe("read", () => {
    it("shows drift property by property, and no other metadata", async () => {
      const args = { context: { a: 1 }, description: "text", metadata: { team: "a" } };
      const made = await subject.create(args);
      expect((await subject.read(made)).inputs).to.deep.equal(made.inputs);
      const changes = { context: { a: 9 }, metadata: { team: "b", owner: "ada" } };
      await assistants().update(made.id, changes);
      const { inputs, props } = await subject.read(made);
      const shown = { context: { a: 9 }, metadata: { team: "b" } };
      expect(inputs).to.deep.equal({ ...made.inputs, ...shown });
      expect(props).to.include({ version: 2 });
    });

    it("takes equal values of another version for no drift", async () => {
      const made = await subject.create({ context: { a: 1 } });
      await assistants().update(made.id, {});
      const { inputs, props } = await subject.read(made);
      expect(inputs).to.deep.equal(made.inputs);
      expect(props).to.include({ version: 2 });
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

    it("imports a context once, which a server repeats in its older form", async () => {
      const config = { configurable: { a: 1 } };
      const { assistant_id: own } = await assistants().create({ graph_id: "agent", config });
      const id = `${subject.url}/assistants/${own}`;
      const { inputs } = await subject.read({ id, outs: {} });
      expect(inputs)
        .to.deep.include({ context: { a: 1 } })
        .and.not.have.property("config");
    });

    it("imports by the assistant's own URL", async () => {
      const made = await subject.create({ context: { a: 1 }, config: { recursionLimit: 4 } });
      const id = `${subject.url}/assistants/${made.id}`;
      const { inputs, id: found } = await subject.read({ id, outs: {} });
      expect(found).to.equal(made.id);
      expect(inputs).to.deep.equal(made.inputs);
      const { message } = await rejection(subject.read({ id: made.id, outs: {} }));
      expect(message).to.contain(`/assistants/${made.id}`);
    });
  });

  describe("delete", () => {
    it("deletes it with its versions, and counts one that is gone as deleted", async () => {
      const made = await subject.create();
      await subject.delete(made);
      expect(await all()).to.equal(0);
      await subject.delete(made);
    });

    it("leaves its threads, or deletes them", async () => {
      const { threads } = subject.client;
      const made = await subject.create({ deleteThreads: true });
      await threads.create({ metadata: { assistant_id: made.id } });
      await threads.create();
      await subject.delete(made);
      expect(await threads.count()).to.equal(1);
    });
  });
});

describe("an assistant whose graph left the revision", () => {
  const server = useAgentServer({ graphs: ["other"] });

  it("is kept, and a warning names the graph", async () => {
    const subject = new AssistantSubject(() => `http://127.0.0.1:${server.port()}`);
    await subject.start();
    try {
      const made = await subject.create({ graphId: "other" });
      const { startAgentServer } = await import("../../../local/agentserver/index.js");
      const database = `${server.folder()}/threads.db`;
      const next = await startAgentServer({
        database,
        graphs: ["agent"],
        variables: [],
        commit: null,
      });
      const olds = { ...made.outs, deploymentUrl: next.url };
      const { id, inputs } = await subject.read({ id: made.id, outs: olds });
      expect(id).to.equal(made.id);
      expect(inputs).to.deep.equal({ ...made.inputs, deploymentUrl: next.url });
      expect(subject.said.join()).to.contain("the running revision has no graph 'other'");
      const moved = { ...made, outs: olds, inputs: { ...made.inputs, deploymentUrl: next.url } };
      await subject.update(moved, { deploymentUrl: next.url, graphId: "agent" });
      expect(await subject.get(made.id).catch(() => "hidden")).to.equal("hidden");
      expect((await subject.read({ id: made.id, outs: olds })).inputs).to.include({
        graphId: "agent",
      });
      await next.close();
    } finally {
      await subject.close();
    }
  });
});

describe("an assistant on a server that stands in", () => {
  let server: TestServer | undefined;
  afterEach(() => server?.close());
  const subjectOn = async (respond: Parameters<typeof startServer>[0]) => {
    const started = (server = await startServer(respond));
    const subject = new AssistantSubject(() => started.url);
    await subject.start();
    return subject;
  };
  it("warns of a context that does not fit the graph's schema, which all assistants share", async () => {
    const context_schema = { type: "object", properties: { temperature: { type: "number" } } };
    const subject = await subjectOn((_request, response) =>
      json(response, 200, { graph_id: "agent", context_schema }),
    );
    const context = { temperature: "hot", prompt: "free" };
    await subject.checked({ context }, {}, subject.context("warned"));
    expect(subject.said).to.deep.equal([
      "context.temperature does not fit the context_schema of graph 'agent': Invalid input: expected number, received string",
    ]);
    await subject.checked({ context }, {}, subject.context("another"));
    await subject.checked({ context: { temperature: 1 } }, {}, subject.context("third"));
    expect(subject.said).to.have.length(2);
    expect(subject.requests).to.have.length(1);
    await subject.checked({ context, apiKey: "another" }, {}, subject.context("fourth"));
    expect(subject.requests).to.have.length(2);
    await subject.close();
  });

  const SILENT = {
    "can't tell its schema": { status: 501, answer: {} },
    "tells a schema that is none": {
      status: 200,
      answer: { graph_id: "agent", context_schema: { $ref: "#/none" } },
    },
  };
  for (const [title, { status, answer }] of Object.entries(SILENT))
    it(`warns of no context where the server ${title}`, async () => {
      const subject = await subjectOn((_request, response) => json(response, status, answer));
      await subject.checked({ context: { prompt: "free" } });
      expect(subject.said).to.deep.equal([]);
      expect(subject.requests).to.have.length(1);
      await subject.close();
    });
});

import { randomUUID } from "node:crypto";
import { expect } from "chai";
import type { CreateAssistant } from "../../../sdk/schema";
import { useAgentServer } from "../../local/agentserver/support";
import { reasonOf, rejection } from "../../support/rejection";
import { answer, question, type RunServer, startRunServer } from "../../support/runs";
import { assistantArguments, difference } from "../../../provider/assistant/diff";
import { assistantLifecycle as lifecycle } from "../../../provider/assistant/operations";
import { UNKNOWN } from "../../../provider/arguments/props";
import { AssistantSubject, useSubject } from "../agent-server/subject";

const GATE = { runs: [{ input: question("Hello?"), expect: { contains: "Hallo" } }] };

describe("the gate of an assistant", () => {
  let server: RunServer;
  const asked: (CreateAssistant | undefined)[] = [];

  beforeEach(async () => {
    asked.splice(0);
    // Its answer is the text of its context.
    server = await startRunServer((asking, assistant) => {
      asked.push(assistant);
      if (asking === "Silence") return new Promise(() => undefined);
      return answer(
        `${String(assistant?.context?.["greeting"])}, ${String(assistant?.context?.["key"])}`,
      );
    });
  });
  const subject = useSubject(() => new AssistantSubject(() => server.url));
  afterEach(() => server.close());
  const declaring = (greeting: string, more: object = {}) => ({
    context: { greeting, key: "CANARY-key", tier: null },
    gate: GATE,
    ...more,
  });
  const sent = () =>
    subject.requests.filter((request) =>
      /^(POST \/assistants$|(PATCH|DELETE) \/assistants)/.test(request),
    );

  it("tries the values of a create on a temporary assistant, and deletes that", async () => {
    const { id } = await subject.create(declaring("Hallo", { config: { tags: ["x"] } }));
    expect([...server.assistants.keys()]).to.deep.equal([id]);
    expect(asked).to.have.length(1);
    expect(asked[0]).to.deep.include({
      graph_id: "agent",
      config: { tags: ["x"] },
      context: { greeting: "Hallo", key: "CANARY-key", tier: null },
      name: "gate of shop/dev/support-de",
    });
    expect(asked[0]?.assistant_id).not.to.equal(id);
    expect(asked[0]?.metadata).to.include({ created_by: "pulumi-agentserver gate" });
    expect(server.threads).to.have.property("size", 0);
    const requests = subject.requests.filter((request) => request.includes("/assistants"));
    expect(requests).to.deep.equal([
      "POST /assistants/count",
      "GET /assistants/…/schemas",
      "GET /assistants/…",
      "POST /assistants/…/versions",
      "POST /assistants",
      "POST /assistants/search",
      "DELETE /assistants/…?delete_threads=true",
      "POST /assistants",
    ]);
  });

  it("creates nothing where it fails, and shows no text of the context that the gate does not", async () => {
    // The greeting stands in the gate too.
    expect(await reasonOf(subject.create(declaring("Hello")))).to.match(
      /^assistant 'support-de' is not created, since its gate failed: 0 of 1 runs passed.*\n.*"Hallo"; got: Hello, \[secret\]\n.*fix the values/,
    );
    expect(server.assistants).to.have.property("size", 0);
    expect(sent()).to.deep.equal(["POST /assistants", "DELETE /assistants/…?delete_threads=true"]);
  });

  it("shows no secret of the deployment of the same program, which its agent quotes", async () => {
    const [urn, greeting] = ["urn:of-the-deployment", "CANARY-before CANARY-after"];
    const context = subject.context();
    const { existing, owners, retryRecords } = context.processCache;
    owners.add("d", urn);
    existing.set(urn, { secrets: { MODEL_API_KEY: "CANARY-before" } });
    const inputs = { secrets: { MODEL_API_KEY: "CANARY-after" } };
    retryRecords.set(urn, { verb: "update", inputs, id: "d", outs: {}, hasFailed: false });
    const runs = [{ input: question(greeting), expect: { contains: "Hallo" } }];
    const args = { context: { greeting }, gate: { runs }, deploymentId: "d" };
    const { message } = await rejection(subject.create(args, context));
    expect(message).to.contain("got: [secret] [secret], ").and.not.to.contain("CANARY");
  });

  it("shows no part of the key where it quotes a part of a text", async () => {
    const [greeting, key] = ["x".repeat(240), "CANARY-agent-server-key-of-which-no-part-is-shown"];
    const runs = [{ input: question(greeting + key), expect: { contains: "Hallo" } }];
    const args = { context: { greeting, key }, gate: { runs }, apiKey: key };
    expect(await reasonOf(subject.create(args))).not.to.contain("CANARY");
  });

  it("changes nothing where new values fail, and sends them where they pass", async () => {
    const made = await subject.create(declaring("Hallo"));
    expect(asked[0]).not.to.have.property("config");
    subject.requests.splice(0);
    const { message } = await rejection(subject.update(made, declaring("Hello")));
    expect(message).to.contain("assistant 'support-de' is not changed, since its gate failed");
    expect(sent()).to.deep.equal(["POST /assistants", "DELETE /assistants/…?delete_threads=true"]);
    expect(server.assistants.get(made.id)?.context).to.include({ greeting: "Hallo" });
    subject.requests.splice(0);
    const config = { tags: ["x"] };
    const news = declaring("Hallo Welt", { graphId: "other", config });
    const updated = await subject.update(made, news);
    expect(asked.at(-1)).to.deep.include({ graph_id: "other", config });
    expect(sent()).to.have.length(3).and.include("PATCH /assistants/…");
    expect([...server.assistants.keys()]).to.deep.equal([made.id]);
    await subject.update(updated, declaring("Hallo Welt", { config }));
    expect(asked.at(-1)).to.deep.include({ graph_id: "agent", config });
  });

  it("is not asked where nothing changes that a run depends on, nor where only the gate does", async () => {
    const made = await subject.create(declaring("Hallo"));
    await subject.update(made, declaring("Hallo", { description: "tier 1", metadata: { a: 1 } }));
    subject.requests.splice(0);
    await subject.update(made, declaring("Hallo", { gate: { ...GATE, atLeast: 1 } }));
    expect(sent()).to.deep.equal([]);
    expect(asked).to.have.length(1);
  });

  it("is announced where anything changes that a run depends on", () => {
    const olds = { graphId: "agent", gate: GATE };
    for (const more of [
      { graphId: "other" },
      { config: { tags: ["x"] } },
      { context: { a: 1 } },
      { activeVersion: 1 },
    ]) {
      const news = assistantArguments.decode({ ...olds, ...more });
      const { message } = difference(assistantArguments.decode(olds), news);
      expect(message).to.match(/; a gate of 1 run comes first$/);
    }
  });

  it("is asked no longer than the option customTimeouts says", async () => {
    const context = subject.context();
    const runs = [{ input: question("Silence"), expect: { contains: "Hallo" } }];
    const args = declaring("Hallo", { gate: { runs, timeoutSeconds: 2 } });
    const due = { ...context, deadline: context.clock.now() + 500 };
    const { message } = await rejection(subject.create(args, due));
    expect(message).to.contain("got: no answer within 0");
  });

  it("asks what an adoption would change", async () => {
    const assistantId = "5f0c1f9e-0c5b-4c3a-9d57-1a2b3c4d5e6f";
    await subject.client.assistants.create({ assistant_id: assistantId, graph_id: "agent" });
    const adopting = { assistantId, adoptExisting: true };
    await rejection(subject.create(declaring("Hello", adopting)));
    expect(server.assistants.get(assistantId))
      .to.deep.include({ graph_id: "agent" })
      .and.not.have.property("context");
    await subject.create(declaring("Hallo", adopting));
    expect(server.assistants.get(assistantId)?.context).to.include({ greeting: "Hallo" });
  });

  it("deletes what a crash left of an earlier one, and nothing of a gate for another assistant", async () => {
    const leave = async (more: object = {}) => {
      const made = await subject.create(declaring("Hallo", more));
      const left = asked.at(-1);
      await subject.client.assistants.create({ ...left, graph_id: "agent" });
      return { made, left: left?.assistant_id ?? "" };
    };
    const own = await leave();
    // As a second state has it, of the same project, stack and name.
    const other = await leave({ assistantId: "5f0c1f9e-0c5b-4c3a-9d57-1a2b3c4d5e6f" });
    server.clock.now = "2026-01-02T23:00:00.000Z";
    await subject.update(own.made, declaring("Hallo!"));
    expect(server.assistants.has(own.left)).to.equal(false);
    expect(server.assistants.has(other.left)).to.equal(true);
    await subject.delete(own.made);
    expect([...server.assistants.keys()]).to.have.members([other.made.id, other.left]);
  });

  it("deletes what a crashed create of a resource has left that no program has now, once its gate must have ended", async () => {
    const declared = await subject.checked(declaring("Hello"));
    // The process ends while the gate is asked, and another program follows.
    subject.lose("DELETE", "before", Infinity);
    await rejection(lifecycle.create(declared, subject.context()));
    const [left = ""] = server.assistants.keys();
    subject.lose("DELETE", "before", 0);
    const made = await subject.create(declaring("Hallo"), subject.context("support-it"));
    expect([...server.assistants.keys()]).to.have.members([left, made.id]);
    server.clock.now = "2026-01-04T00:00:00.000Z";
    await subject.update(made, declaring("Hallo!"));
    expect([...server.assistants.keys()]).to.deep.equal([made.id]);
  });

  it("is asked once by an up, also where a hook tries again", async () => {
    const declared = await subject.checked(declaring("Hello"));
    const first = await rejection(lifecycle.create(declared, subject.context()));
    expect(await reasonOf(lifecycle.create(declared, subject.context()))).to.equal(first.message);
    expect(asked).to.have.length(1);
    // Of another gate, or for another assistant, that is no answer.
    await rejection(subject.create(declaring("Hello", { gate: { ...GATE, atLeast: 1 } })));
    await rejection(subject.create(declaring("Hello", { assistantId: randomUUID() })));
    expect(asked).to.have.length(3);
    // It is passed, and what comes after it fails.
    const made = await subject.create(declaring("Hallo"));
    subject.answers["PATCH /assistants/…"] = () => [422, { detail: "no" }];
    for (const _ of [1, 2]) await rejection(subject.update(made, declaring("Hallo Welt")));
    expect(asked).to.have.length(5);
  });

  it("leaves nothing where the update that added it crashed, and a deletion follows", async () => {
    const made = await subject.create({ context: { greeting: "Hallo" } });
    const gated = await subject.checked(declaring("Hallo!"), made.inputs);
    // The process ends while the gate is asked: nothing deletes the temporary assistant.
    subject.lose("DELETE", "before", Infinity);
    await lifecycle.update(made.id, made.outs, gated, subject.context());
    expect(server.assistants).to.have.property("size", 2);
    expect(subject.said.at(-1)).to.match(
      /^the temporary assistant \S+ of the gate stays until the next one: delete assistant /,
    );
    subject.lose("DELETE", "before", 0);
    await subject.delete(made);
    expect(server.assistants).to.have.property("size", 0);
  });

  it("leaves nothing where the create that was to replace it after a rename crashed, and a deletion follows", async () => {
    const made = await subject.create({}, subject.context("support-it"));
    // A replacement has the id of its new name.
    const renamed = await subject.checked(declaring("Hallo"));
    subject.lose("DELETE", "before", Infinity);
    await lifecycle.create(renamed, subject.context());
    await subject.client.assistants.delete(String(renamed["assistantId"]));
    expect(server.assistants).to.have.property("size", 2);
    subject.lose("DELETE", "before", 0);
    await subject.delete(made);
    expect(server.assistants).to.have.property("size", 0);
  });

  it("takes a temporary assistant for deleted that another deletion has taken", async () => {
    subject.answers["DELETE /assistants/…?delete_threads=true"] = () => [404, {}];
    await subject.create(declaring("Hallo"));
    expect(subject.said).to.deep.equal(["a gate of 1 run comes first"]);
  });

  it("names the temporary assistant that stays, where a gateway without its server answers the deletion", async () => {
    subject.answers["DELETE /assistants/…?delete_threads=true"] = () => {
      subject.answers["POST /threads/search"] = () => [404, "default backend"];
      return [404, "default backend"];
    };
    await rejection(subject.create(declaring("Hello")));
    const [left = "none"] = server.assistants.keys();
    expect(subject.said.at(-1)).to.contain(`the temporary assistant ${left} of the gate stays`);
  });

  it("names none where its create is refused", async () => {
    for (const request of ["POST /assistants", "DELETE /assistants/…?delete_threads=true"])
      subject.answers[request] = () => [404, "default backend"];
    subject.answers["POST /threads/search"] = () => [404, "default backend"];
    await rejection(subject.create(declaring("Hallo")));
    expect(subject.said.join()).not.to.contain("the temporary assistant");
  });
});

describe("the gate of an assistant on the built-in server", () => {
  const builtIn = useAgentServer();
  const subject = useSubject(
    () => new AssistantSubject(() => `http://127.0.0.1:${builtIn.port()}`),
  );

  it("is refused by the check, in words, and only where it is new on a server that is known", async () => {
    const olds = { deploymentUrl: subject.url, gate: GATE };
    for (const [args, before] of [
      [{}, {}],
      [{}, { ...olds, deploymentUrl: "http://127.0.0.1:9" }],
      [{ gate: { ...GATE, atLeast: 1 } }, olds],
    ]) {
      const { message } = await rejection(subject.checked({ gate: GATE, ...args }, before));
      expect(message).to.match(/^gate can't be asked: the agent server has no runs/);
    }
    subject.requests.splice(0);
    await subject.checked({ gate: GATE }, olds);
    await subject.checked({ gate: GATE, deploymentUrl: UNKNOWN });
    await subject.checked({ gate: GATE, apiKey: UNKNOWN });
    expect(subject.requests).to.deep.equal([]);
  });
});

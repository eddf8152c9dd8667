import { expect } from "chai";
import { NotFound } from "../../../local/agentserver/errors";
import { Assistants } from "../../../local/agentserver/assistants";
import { openThreadDatabase } from "../../../local/agentserver/database";
import type { Database } from "../../../local/sqlite/database";
import { useFolder } from "../children";
import { useAgentServer } from "./support";

const ID = "11111111-1111-4111-8111-111111111111";

describe("agent server: assistants of a revision", () => {
  const folder = useFolder();
  let database: Database;
  beforeEach(() => (database = openThreadDatabase(folder("threads.db"))));
  afterEach(() => database.close());

  const assistantsOf = (...graphs: string[]) => {
    const assistants = new Assistants(database, graphs);
    assistants.createDefaults();
    return assistants;
  };
  const whole = { limit: 1000, offset: 0 };

  it("hides an assistant whose graph is not in the revision, and keeps it", () => {
    assistantsOf("agent", "other").create({ assistant_id: ID, graph_id: "other" });
    const next = assistantsOf("agent");
    expect(() => next.get(ID)).to.throw(NotFound);
    expect(next.versions(ID, whole)).to.have.length(1);
    expect(next.search(whole)).to.have.length(3);
    expect(() => next.search({ ...whole, graph_id: "other" })).to.throw(NotFound, "'other'");
    expect(() => next.count({ graph_id: "other" })).to.throw(NotFound, "'other'");
    expect(() => next.create({ assistant_id: ID, graph_id: "other" })).to.throw(NotFound);
    expect(() => next.update(ID, { graph_id: "other" })).to.throw(NotFound);
    expect(next.update(ID, { name: "renamed" })).to.include({ version: 2 });
    expect(next.update(ID, { graph_id: "agent" })).to.include({ version: 3 });
    expect(next.get(ID)).to.include({ name: "renamed" });
  });

  it("creates the default assistants again that were deleted, leaves those that were changed, and takes any graph where none is known", () => {
    const first = assistantsOf("agent", "other");
    const [one, two] = first.search(whole);
    first.delete(one?.assistant_id ?? "");
    first.update(two?.assistant_id ?? "", { context: { prompt: "Hi" } });
    const found = assistantsOf("agent", "other").search(whole);
    const contexts = new Map(found.map(({ assistant_id, context }) => [assistant_id, context]));
    expect(contexts.get(one?.assistant_id ?? "")).to.deep.equal({});
    expect(contexts.get(two?.assistant_id ?? "")).to.deep.equal({ prompt: "Hi" });
    expect(assistantsOf().create({ graph_id: "any" })).to.include({ graph_id: "any" });
  });

  it("says when an assistant was created and when another version of it came into use, finds those made at once newest first, and drops what runs have from new metadata too", () => {
    let seconds = 1;
    const assistants = new Assistants(database, [], () => new Date(seconds * 1000));
    const ids = ["a", "b"].map((graph_id) => assistants.create({ graph_id }).assistant_id);
    expect(assistants.search(whole).map(({ assistant_id }) => assistant_id)).to.deep.equal(
      ids.toReversed(),
    );
    const at = (second: number) => `1970-01-01T00:00:0${second}.000Z`;
    const id = ids[0] ?? "";
    seconds = 2;
    assistants.update(id, {
      metadata: { run_id: "r", tier: 1 },
      config: { configurable: { a: 1 } },
    });
    seconds = 3;
    assistants.setLatest(id, 1);
    const { created_at, updated_at } = assistants.get(id);
    expect([created_at, updated_at]).to.deep.equal([at(1), at(3)]);
    const [second] = assistants.versions(id, whole);
    const metadata = { tier: 1 };
    expect(second).to.deep.include({ created_at: at(2), metadata, context: { a: 1 } });
    expect(second?.config).to.deep.equal({ configurable: { a: 1 } });
  });
});

describe("agent server: the graph of an assistant", () => {
  const server = useAgentServer();

  it("has no schemas, and says why", async () => {
    await server.send("POST", "/assistants", { assistant_id: ID, graph_id: "agent" });
    for (const path of ["schemas", "graph"]) {
      const { status, body } = await server.send("GET", `/assistants/${ID}/${path}`);
      expect(status).to.equal(501);
      expect(body).to.have.property("detail").that.includes("runs no graphs");
    }
  });
});

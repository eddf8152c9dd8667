import { expect } from "chai";
import Database from "libsql";
import { z } from "zod";
import { openThreadDatabase } from "../../../local/agentserver/database";
import { Threads } from "../../../local/agentserver/threads";
import { CONVERSATION, superstep, useAgentServer } from "./support";

const Found = z.array(z.object({ thread_id: z.string() }));

describe("agent server: POST /threads/search", () => {
  const server = useAgentServer();
  const search = async (body: unknown) =>
    Found.parse((await server.send("POST", "/threads/search", body)).body).map(
      ({ thread_id }) => thread_id,
    );
  const createWith = async (metadata: object) => (await server.create({ metadata })).thread_id;
  /** As a server with runs would leave a thread behind in the file. */
  const store = (status: string, threadId: string) => {
    const database = new Database(server.folder("threads.db"));
    database.prepare("UPDATE threads SET status = ? WHERE thread_id = ?").run(status, threadId);
    database.close();
  };

  it("finds, sorts and counts threads of statuses that only runs give", async () => {
    const ids: string[] = [];
    for (const status of ["idle", "busy", "interrupted", "error"]) {
      const id = await createWith({ will: "be" });
      ids.push(id);
      store(status, id);
    }
    const [idle, busy, interrupted, error] = ids;
    for (const filter of [{}, { metadata: { will: "be" } }]) {
      const found = { ...filter, status: "busy" };
      expect(await search(found)).to.deep.equal([busy]);
      expect((await server.send("POST", "/threads/count", found)).body).to.equal(1);
      const sorted = { ...filter, sort_by: "status", sort_order: "asc" };
      expect(await search(sorted)).to.deep.equal([busy, error, idle, interrupted]);
    }
    const thread = await server.send("GET", `/threads/${interrupted}`);
    expect(thread.body).to.have.property("status", "interrupted");
    const { body } = await server.send("POST", `/threads/${busy}/copy`);
    expect(body).to.have.property("status", "idle");
  });

  it("finds threads by parts of objects in lists of their metadata, and by their current values", async () => {
    const people = [{ name: "Ann", age: 30 }];
    const wanted = await createWith({ user: "u1", tags: ["x"], people });
    const { thread_id } = await server.create({ supersteps: CONVERSATION });
    const tired = superstep("agent", { mood: "tired" });
    await server.create({ metadata: { tags: [] }, supersteps: [...CONVERSATION, tired] });
    expect(await search({ metadata: { people: [{ name: "Ann" }] } })).to.deep.equal([wanted]);
    for (const metadata of [{ tags: ["x", "z"] }, { user: ["u1"] }])
      expect(await search({ metadata }), JSON.stringify(metadata)).to.deep.equal([]);
    expect(await search({ metadata: { tags: [] } })).to.have.length(2);
    expect(await search({ values: { mood: "friendly" } })).to.deep.equal([thread_id]);
    expect(await search({ values: {} })).to.have.length(3);
  });

  /** Creates threads that all have a member `of`, and each another number in it. */
  const fill = (most: number) => {
    const database = openThreadDatabase(server.folder("threads.db"));
    const threads = new Threads(database);
    database.transaction(() => {
      for (let number = 0; number < most; number++)
        threads.create({ metadata: { of: { number } } });
    });
    database.close();
  };

  it("gives the same page of all threads as of those that it compares, in every order and its reverse", async () => {
    fill(100);
    for (const sort_by of ["thread_id", "status", "created_at", "updated_at"]) {
      const middle = async (sort_order: string) => {
        const page = { sort_by, sort_order, limit: 10, offset: 45 };
        const found = await search(page);
        expect(await search({ ...page, metadata: { of: {} } })).to.deep.equal(found);
        return found;
      };
      expect(await middle("desc")).to.deep.equal((await middle("asc")).toReversed());
    }
  });

  // Server and client take turns in one thread: which of them is first does not depend on how fast it is.
  for (const [path, filter, found] of [
    ["/threads/search", { metadata: { of: { number: 3 } } }, 1],
    ["/threads/search", { values: { any: 1 }, sort_by: "thread_id", sort_order: "asc" }, 0],
    ["/threads/count", { metadata: { of: {} } }, 5_000],
  ] as const)
    it(`answers another request before ${path} has compared ${Object.keys(filter)[0]} of many threads`, async () => {
      fill(5_000);
      // Both have a connection already.
      await Promise.all([server.send("GET", "/ok"), server.send("GET", "/ok")]);
      const answered: string[] = [];
      const send = async (method: string, to: string, body?: object) => {
        const answer = await server.send(method, to, body);
        answered.push(to);
        return answer.body;
      };
      const [body] = await Promise.all([send("POST", path, filter), send("GET", "/ok")]);
      expect(answered).to.deep.equal(["/ok", path]);
      expect(Array.isArray(body) ? body.length : body).to.equal(found);
    });
});

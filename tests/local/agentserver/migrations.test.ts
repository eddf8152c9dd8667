import { join } from "node:path";
import { expect } from "chai";
import Libsql from "libsql";
import { openThreadDatabase } from "../../../local/agentserver/database";
import { Threads } from "../../../local/agentserver/threads";
import type { Database } from "../../../local/sqlite/database";
import { SearchThreads } from "../../../sdk/schema/thread";
import { useFolder } from "./support";

/** The schema of version 1, as it is in users' files. */
const VERSION_1 = `
  CREATE TABLE threads (
    thread_id TEXT NOT NULL UNIQUE,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    status TEXT NOT NULL,
    metadata TEXT NOT NULL
  );
  CREATE INDEX threads_by_creation ON threads (created_at);
  CREATE INDEX threads_by_update ON threads (updated_at);
  CREATE INDEX threads_by_status ON threads (status);
  CREATE TABLE checkpoints (
    thread_id TEXT NOT NULL REFERENCES threads (thread_id) ON DELETE CASCADE,
    checkpoint_id TEXT NOT NULL,
    parent_checkpoint_id TEXT,
    created_at TEXT NOT NULL,
    metadata TEXT NOT NULL,
    next TEXT NOT NULL,
    "values" TEXT NOT NULL,
    UNIQUE (thread_id, checkpoint_id)
  );
  PRAGMA user_version = 1;`;

/** The writes of a server of version 1, with its statements prepared before the file is migrated. */
function olderServer(path: string) {
  const database = new Libsql(path);
  database.exec(VERSION_1);
  const insert = database.prepare("INSERT INTO threads VALUES (?, ?, ?, 'idle', ?)");
  const update = database.prepare("UPDATE threads SET metadata = ? WHERE thread_id = ?");
  const remove = database.prepare("DELETE FROM threads WHERE thread_id = ?");
  return {
    create: (id: string, metadata: object) =>
      void insert.run(id, "2026-01-01", "2026-01-01", JSON.stringify(metadata)),
    update: (id: string, metadata: object) => void update.run(JSON.stringify(metadata), id),
    delete: (id: string) => void remove.run(id),
    close: () => database.close(),
  };
}

describe("agent server: a file of version 1", () => {
  const folder = useFolder();
  let older: ReturnType<typeof olderServer>;
  let database: Database;
  let threads: Threads;
  beforeEach(() => {
    const path = join(folder(), "threads.db");
    older = olderServer(path);
    older.create("one", { user: "u1", deep: { a: 1 } });
    older.create("two", { user: "u2" });
    older.create("three", { user: "u1" });
    database = openThreadDatabase(path);
    threads = new Threads(database);
  });
  afterEach(() => {
    database.close();
    older.close();
  });

  const find = async (metadata: object) => {
    const page = await threads.search(SearchThreads.parse({ metadata }));
    return page.threads.map(({ thread_id }) => thread_id);
  };

  it("is searched by metadata that is older than the index", async () => {
    expect(await find({ user: "u1" })).to.deep.equal(["three", "one"]);
    expect(await find({ user: "u1", deep: { a: 1 } })).to.deep.equal(["one"]);
  });

  it("keeps when its threads were updated", () => {
    expect(threads.get("one").updated_at).to.equal("2026-01-01");
  });

  it("is searched by what an older server still writes into it", async () => {
    older.create("four", { user: "u2" });
    older.update("one", { user: "u3" });
    older.delete("three");
    expect(await find({ user: "u1" })).to.deep.equal([]);
    expect(await find({ user: "u2" })).to.deep.equal(["four", "two"]);
    expect(await find({ user: "u3" })).to.deep.equal(["one"]);
  });

  it("is not migrated twice", async () => {
    openThreadDatabase(join(folder(), "threads.db")).close();
    expect(await find({ user: "u1" })).to.deep.equal(["three", "one"]);
  });
});

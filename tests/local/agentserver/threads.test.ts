import { join } from "node:path";
import { expect } from "chai";
import { openThreadDatabase } from "../../../local/agentserver/database";
import { Threads } from "../../../local/agentserver/threads";
import type { Database } from "../../../local/sqlite/database";
import { SearchThreads } from "../../../sdk/schema/thread";
import { useFolder } from "./support";

describe("agent server: threads and time", () => {
  const folder = useFolder();
  let time = 0;
  let database: Database;
  let threads: Threads;
  beforeEach(() => {
    database = openThreadDatabase(join(folder(), "threads.db"));
    threads = new Threads(database, () => new Date(time));
  });
  afterEach(() => database.close());

  function createAt(seconds: number): string {
    time = seconds * 1000;
    return threads.create({}).thread_id;
  }

  it("say when they were created and when they were updated", () => {
    const id = createAt(1);
    time = 2000;
    threads.update(id, { metadata: {} });
    expect(threads.get(id)).to.include({
      created_at: "1970-01-01T00:00:01.000Z",
      updated_at: "1970-01-01T00:00:02.000Z",
    });
    time = 3000;
    threads.updateState(id, {});
    expect(threads.get(id).updated_at).to.equal("1970-01-01T00:00:03.000Z");
  });

  it("are sorted by their creation when their times are equal", async () => {
    const ids = Array.from({ length: 20 }, () => createAt(1));
    const { threads: found } = await threads.search(SearchThreads.parse({ limit: 20 }));
    expect(found.map(({ thread_id }) => thread_id)).to.deep.equal(ids.toReversed());
  });
});

import { expect } from "chai";
import { openThreadDatabase } from "../../../local/agentserver/database";
import { Threads } from "../../../local/agentserver/threads";
import { useFolder } from "../children";

describe("agent server: threads and time", () => {
  const folder = useFolder();

  it("say when they were created and when they were updated", () => {
    const database = openThreadDatabase(folder("threads.db"));
    let seconds = 1;
    const threads = new Threads(database, () => new Date(seconds * 1000));
    const id = threads.create({}).thread_id;
    const at = (second: number) => `1970-01-01T00:00:0${second}.000Z`;
    for (const change of [
      () => threads.update(id, { metadata: {} }),
      () => threads.updateState(id, {}),
    ]) {
      seconds += 1;
      change();
      expect(threads.get(id)).to.include({ created_at: at(1), updated_at: at(seconds) });
    }
    seconds += 1;
    threads.updateState(id, { values: null, as_node: "__copy__" });
    expect(threads.state(id)).to.include({ created_at: at(seconds) });
    database.close();
  });

  it("has the fork of an older state as its newest one, also while the clock stands still", () => {
    const database = openThreadDatabase(folder("threads.db"));
    const threads = new Threads(database, () => new Date(0));
    const { thread_id: id } = threads.create({});
    const [first] = ["a", "b", "c"].map((mood) => threads.updateState(id, { values: { mood } }));
    const fork = { values: null, as_node: "__copy__", checkpoint_id: first?.checkpoint_id };
    const { checkpoint_id } = threads.updateState(id, fork);
    expect(threads.state(id)).to.deep.include({ checkpoint_id, values: { mood: "a" } });
    database.close();
  });
});

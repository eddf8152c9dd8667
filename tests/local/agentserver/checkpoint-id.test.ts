import { expect } from "chai";
import { checkpointIdAfter } from "../../../local/agentserver/checkpoint-id";

describe("agent server: checkpoint ids", () => {
  it("are UUIDs of version 6 whose time is the clock's, and sort by it as text, though the clock stands still or goes back", () => {
    // The example of RFC 9562, appendix A.5, has this time: 1EC9414C-232A-6B00-…, to 100 ns.
    const id = checkpointIdAfter(undefined, new Date("2022-02-22T19:22:22.000Z"));
    expect(id).to.match(/^1ec9414c-232a-6b00-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const times = ["1969-07-20", "1970-01-01", "2026-11-21", "2026-11-22", "2199-01-01"];
    const ids = times.map((time) => checkpointIdAfter(undefined, new Date(time)));
    expect(ids.toSorted()).to.deep.equal(ids);
    const next: string[] = [];
    for (let turn = 0; turn < 5_000; turn++)
      next.push(checkpointIdAfter(next.at(-1), new Date(1_000_000_000_000 - turn)));
    expect(next.toSorted()).to.deep.equal(next);
    expect(new Set(next)).to.have.property("size", next.length);
  });
});

import { expect } from "chai";
import { DIFFERENCES } from "./differences";
import type { Subject } from "./subject";

/** The differences of this server are as docs/agent-servers.md says. */
export function differencesSuite(server: Subject): void {
  describe("where servers differ", () => {
    for (const { what, look, on } of DIFFERENCES) {
      const [words, seen] = on[server.kind];
      it(`${what}: ${words}`, async () => {
        expect(await look(server)).to.deep.equal(seen);
      });
    }
  });
}

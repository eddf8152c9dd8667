import { expect } from "chai";
import { createSuite } from "./create.suite";
import { DIFFERENCES } from "./differences";
import { resourceSuite } from "./resource.suite";
import { runsSuite } from "./runs.suite";
import { searchSuite } from "./search.suite";
import { statesSuite } from "./states.suite";
import { KINDS, type Subject } from "./subject";
import { threadSuite } from "./thread.suite";

export function threadsSuite(server: Subject): void {
  createSuite(server);
  threadSuite(server);
  searchSuite(server);
  statesSuite(server);
  resourceSuite(server);
  if (server.kind !== "built-in") runsSuite(server);
  describe("where servers differ, does as docs/agent-servers.md says with", () => {
    for (const { what, look, seen } of DIFFERENCES)
      it(what, async () => {
        const found = await look(server);
        const shown = Array.isArray(found) ? found.join(", ") : found;
        expect(shown).to.deep.equal(seen[KINDS.indexOf(server.kind)]);
      });
  });
}

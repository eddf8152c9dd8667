import { createSuite } from "./create.suite";
import { differencesSuite } from "./differences.suite";
import { resourceSuite } from "./resource.suite";
import { runsSuite } from "./runs.suite";
import { searchSuite } from "./search.suite";
import { statesSuite } from "./states.suite";
import type { Subject } from "./subject";
import { threadSuite } from "./thread.suite";

/** All that is promised of threads, on one server. */
export function threadsSuite(server: Subject): void {
  createSuite(server);
  threadSuite(server);
  searchSuite(server);
  statesSuite(server);
  resourceSuite(server);
  if (server.kind !== "built-in") runsSuite(server);
  differencesSuite(server);
}

import type { Subject } from "../threads/subject";
import { createSuite } from "./create.suite";
import { searchSuite } from "./search.suite";
import { updateSuite } from "./update.suite";
import { versionsSuite } from "./versions.suite";

/** All that is promised of assistants, on one server. */
export function assistantsSuite(server: Subject): void {
  createSuite(server);
  updateSuite(server);
  versionsSuite(server);
  searchSuite(server);
}

import { OF_ASSISTANTS } from "./assistants";
import { OF_CREATES } from "./create";
import type { Difference } from "./difference";
import { OF_THE_REST } from "./rest";
import { OF_SEARCHES } from "./search";
import { OF_STATES } from "./states";
import { OF_THREADS } from "./thread";

/** All that is known to differ between the servers; docs/agent-servers.md has a row of each. */
export const DIFFERENCES: readonly Difference[] = [
  ...OF_CREATES,
  ...OF_THREADS,
  ...OF_SEARCHES,
  ...OF_STATES,
  ...OF_ASSISTANTS,
  ...OF_THE_REST,
];

import type { Random } from "./random";
import type { Workspace, World } from "./world";

/** What a schedule works with. */
export interface Trial {
  readonly world: World;
  readonly workspace: Workspace;
  readonly random: Random;
  /** Adds a line to the history. */
  readonly note: (line: string) => void;
}

import type { Process } from "./engine";
import type { Random } from "./random";
import type { Kill } from "./weather";
import type { Workspace, World } from "./world";

/** The front end that the engine calls. */
export type DoorName = "dynamic" | "native";

/** What a schedule works with. */
export interface Trial {
  readonly world: World;
  readonly workspace: Workspace;
  readonly random: Random;
  readonly door: DoorName;
  /** Adds a line to the history. */
  readonly note: (line: string) => void;
}

/** A process of one command that can be lost to the engine. */
export interface MortalProcess extends Process {
  readonly lose: (who: Kill["who"]) => void;
}

/** What a process works with. */
export interface Surroundings extends Trial {
  /** Called with what shows a secret in clear. */
  readonly onLeak: (what: string) => void;
}

import type { Process } from "./engine";
import type { Random } from "./random";
import type { Kill } from "./weather";
import type { Workspace, World } from "./world";

/** The front end that the engine calls. */
export type DoorName = "dynamic" | "native";

/** The place of a program: its stack is renamed, and the program moves to the other front end. */
export interface Place {
  stack: string;
  door: DoorName;
}

/** The parts of a schedule. */
export interface Trial {
  readonly world: World;
  readonly workspace: Workspace;
  readonly random: Random;
  readonly place: Place;
  /** A name that no other program of the schedule takes. */
  readonly ownName: string;
  /** Whether what has this id belongs to another program of the schedule. */
  readonly isOthers: (id: string) => boolean;
  /** Adds a line to the history. */
  readonly note: (line: string) => void;
}

/** A process of one command that can be lost to the engine. */
export interface MortalProcess extends Process {
  readonly lose: (who: Kill["who"]) => void;
}

/** The parts of a process. */
export interface Surroundings extends Pick<Trial, "world" | "workspace" | "random"> {
  /** Called with what it says to whoever runs the command. */
  readonly say: (text: string) => void;
  /** Called with what shows a secret in clear. */
  readonly onLeak: (what: string) => void;
  /** The output of `pulumi stack export`; nothing where it fails. */
  readonly exportState: () => string | undefined;
}

/** The URN of a resource of the program. */
export function urnOf({ stack, door }: Place, type: string, name: string): string {
  const token = door === "native" ? "agentserver:index:" : "pulumi-nodejs:dynamic/agentserver:";
  return `urn:pulumi:${stack}::shop::${token}${type}::${name}`;
}

import type { Stored } from "./checkpoint";
import type { Declared } from "./engine";
import type { Trial } from "./trial";

/** The subject of a schedule: a program that changes, and the world that it is compared with. */
export interface Subject {
  /** The program's declaration at this time. */
  readonly program: () => readonly Declared[];
  /** The same program in another place. */
  readonly twin: (trial: Trial) => Subject;
  /**
   * Changes the program; says how. What identifies the thing stays while `isUnfinished`: a create that was lost finds its
   * own thing again by that alone.
   */
  readonly change: (isUnfinished: boolean) => string;
  /** Changes the world, as another client would; says how, or nothing where there is nothing to change. */
  readonly disturb: () => Promise<string | undefined>;
  /** Makes the service fail a little later; says how, or nothing where there is nothing to fail. */
  readonly doom: () => Promise<string | undefined>;
  /** Somebody uses the thing of this id; says how, or nothing where that leaves nothing behind. */
  readonly use: (id: string) => Promise<string | undefined>;
  /** Removes from the program what keeps it from coming up in three tries. */
  readonly repair: () => void;
  /** Does in the program or the world what an error says; says what, or nothing where there is nothing to be done. */
  readonly obey: (error: string, state: readonly Stored[]) => Promise<string | undefined>;
  /** Takes back what is declared for one `up` alone; whether there was anything. */
  readonly settle: () => boolean;
  /** Called right before each `up`. */
  readonly before: () => Promise<void>;
  /** Violations after an `up`; without an error it succeeded. */
  readonly wrongAfterUp: (error: string, retries: number) => Promise<readonly string[]>;
  /** Differences between the things of the state and the program. */
  readonly wrongAtRest: (state: readonly Stored[]) => Promise<readonly string[]>;
  /** Whether the thing of this id has what inputs declare, as far as a state that keeps secrets encrypted shows it. */
  readonly isLike: (inputs: Readonly<Record<string, unknown>>, id: string) => Promise<boolean>;
  /** The ids of all things on the service, whoever made them. */
  readonly live: () => Promise<readonly string[]>;
  /** Deletes a thing by hand. */
  readonly remove: (id: string) => Promise<void>;
}

/** The option that an error names, `aliases: ["urn…"]`. */
export function aliasIn(error: string): string | undefined {
  return /set the option aliases: \["(.+?)"\]/.exec(error)?.[1];
}

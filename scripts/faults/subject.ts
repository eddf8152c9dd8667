import { withSecrets } from "../../provider/arguments/secrets";
import type { Stored } from "./checkpoint";
import type { Declared } from "./provider";
import type { Random } from "./random";
import type { Place, Trial } from "./trial";

/** An `up` as a subject judges it. */
interface Upped {
  /** The errors about its resource. */
  readonly error: string;
  /** Number of revisions that hooks and late requests may add. */
  readonly allowance: number;
  /** Whether the declaration was reached. */
  readonly isDone: boolean;
  /** Whether each response was that of the service as it is. */
  readonly isHonest: boolean;
  /** Whether another state has the same thing since an import, or another client has changed it meanwhile. */
  readonly isShared: boolean;
  /** The resource in the state before. */
  readonly former: Stored | undefined;
  /** The resource in the state. */
  readonly stored: Stored | undefined;
  /** Whether the service does not show what a difference is in. */
  readonly hides: (difference: string) => boolean;
}

/** The subject of a schedule: a declaration that changes, and the thing that it is compared with. */
export interface Subject {
  /** The declaration at this time, without options that all kinds have. */
  readonly declared: () => Declared;
  /** Paths of inputs that the option `ignoreChanges` may name now. */
  readonly ignorable: readonly string[];
  /** The same declaration in another place. */
  readonly twin: (trial: Trial) => Subject;
  /**
   * Changes the declaration; says how. What identifies the thing stays while `isUnfinished`: a create that was lost finds
   * its own thing again by that alone.
   */
  readonly change: (random: Random, isUnfinished: boolean) => string;
  /** Changes the thing, as another client would; says how, or nothing where there is nothing to change. */
  readonly disturb: (random: Random) => Promise<string | undefined>;
  /** Changes what is at the path of an input, as another client would; says how, or nothing where it is not there. */
  readonly rotate: (path: string) => Promise<string | undefined>;
  /** What identifies the thing in a workspace, in outputs; undefined where nothing is shared. */
  readonly nameIn: (outputs: Readonly<Record<string, unknown>>) => string | undefined;
  /** Declares a name; says so, or nothing where there is none. */
  readonly take: (name: string) => string | undefined;
  /** Creates by hand what the declaration would create; its id, or nothing where that can't be. */
  readonly forestall: () => Promise<string | undefined>;
  /** What the service shows of the thing of this id; undefined where it is gone. */
  readonly shown: (id: string) => Promise<unknown>;
  /** Has the service fail a little later; says how, or nothing where there is nothing to fail. */
  readonly doom: (random: Random) => Promise<string | undefined>;
  /** Somebody pushes to the branch that is declared; says so, or nothing where there is none. */
  readonly push: (random: Random) => string | undefined;
  /** Somebody uses the thing of this id; says how, or nothing where that leaves nothing behind. */
  readonly use: (id: string) => Promise<string | undefined>;
  /** Toggles `adoptExisting`; says so, or nothing where there is no such argument. */
  readonly toggleAdoption: () => string | undefined;
  /** Whether `adoptExisting` is set. */
  readonly adopts: () => boolean;
  /** Whether the declaration differs from outputs in what the service can't change. */
  readonly isReplacing: (outputs: Readonly<Record<string, unknown>>) => boolean;
  /** Removes from the declaration what keeps it from coming up in three tries. */
  readonly repair: () => void;
  /** Does in the program or the world what an error says; says what, or nothing where there is nothing to be done. */
  readonly obey: (error: string, state: readonly Stored[]) => Promise<string | undefined>;
  /** Takes back what is declared for one `up` alone; whether there was anything. */
  readonly settle: () => boolean;
  /** Called right before each `up`. */
  readonly before: () => Promise<void>;
  /** Violations after an `up`. */
  readonly wrongAfterUp: (up: Upped) => Promise<readonly string[]>;
  /** Differences between the thing and the declaration. */
  readonly wrongAtRest: (stored: Stored) => Promise<readonly string[]>;
  /** Whether the thing of this id has what inputs declare, as far as a state that keeps secrets encrypted shows it. */
  readonly isLike: (inputs: Readonly<Record<string, unknown>>, id: string) => Promise<boolean>;
  /** The ids of all things of the kind on the service, whoever made them. */
  readonly live: () => Promise<readonly string[]>;
  /** Deletes a thing by hand. */
  readonly remove: (id: string) => Promise<void>;
}

/** Inputs with the values at these paths as a program's secrets; a dynamic provider gets their names besides. */
export function withSecretsOf(
  inputs: Readonly<Record<string, unknown>>,
  paths: readonly string[],
  { frontEnd }: Place,
): Record<string, unknown> {
  const names = paths.map((path) => path.split(".").at(-1));
  return { ...withSecrets(inputs, paths), ...(frontEnd === "dynamic" && { __secrets: names }) };
}

/** What most kinds have nothing of. */
export const PLAIN = {
  doom: async () => undefined,
  rotate: async () => undefined,
  nameIn: () => undefined,
  take: () => undefined,
  isReplacing: () => false,
  push: () => undefined,
  use: async () => undefined,
  toggleAdoption: () => undefined,
  adopts: () => false,
  repair: () => undefined,
  settle: () => false,
  before: async () => undefined,
  wrongAfterUp: async () => [],
} satisfies Partial<Subject>;

/** The option that an error says to set or to remove, and the alias that it names. */
export function optionIn(error: string): string | undefined {
  const alias = /set the option aliases: \["(.+?)"\]/.exec(error)?.[1];
  if (alias !== undefined) return `aliases: ${alias}`;
  return error.includes("option deleteBeforeReplace: ") ? "deleteBeforeReplace: true" : undefined;
}

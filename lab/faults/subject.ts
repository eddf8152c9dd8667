import { withSecrets } from "../../provider/arguments/secrets";
import type { Stored } from "./checkpoint";
import type { ResourceTypeName } from "./history";
import type { Declared } from "./provider";
import type { Random } from "./random";
import { type Place, type Trial, urnOf } from "./trial";

/** An `up` as a subject checks it. */
interface Upped {
  /** The errors about its resource. */
  readonly error: string;
  /** Number of revisions that hooks and late requests may add. */
  readonly allowance: number;
  /** Whether the declaration was reached. */
  readonly isDone: boolean;
  /** Whether each response was that of the service as it is. */
  readonly isFaithful: boolean;
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
  readonly drift: (random: Random) => Promise<string | undefined>;
  /** Changes what is at the path of an input, as another client would; says how, or nothing where it is not there. */
  readonly rotate: (path: string) => Promise<string | undefined>;
  /** What identifies the thing in a workspace, in outputs; undefined where nothing is shared. */
  readonly nameIn: (outputs: Readonly<Record<string, unknown>>) => string | undefined;
  /** Declares a name; says so, or nothing where there is none. */
  readonly take: (name: string) => string | undefined;
  /** Creates by hand what the declaration would create; its id, or nothing where that can't be. */
  readonly createConflicting: () => Promise<string | undefined>;
  /** What the service shows of the thing of this id; undefined where it is gone. */
  readonly shown: (id: string) => Promise<unknown>;
  /** Has the service fail a little later; says how, or nothing where there is nothing to fail. */
  readonly injectFailure: (random: Random) => Promise<string | undefined>;
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
  /** Does in the program or the environment what an error says; says what, or nothing where there is nothing to be done. */
  readonly followAdvice: (error: string, state: readonly Stored[]) => Promise<string | undefined>;
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

/** The declaration of a resource, with the values at these paths as secrets; a dynamic provider gets their names besides. */
export function declarationOf(
  kind: ResourceTypeName,
  place: Place,
  args: Readonly<Record<string, unknown>>,
  secretPaths: readonly string[] = [],
): Declared {
  const urn = urnOf(place, kind);
  const inputs = withSecrets({ ...args, __urn: urn, __provider: "text" }, secretPaths);
  const names = secretPaths.map((path) => path.split(".").at(-1));
  const isDynamic = place.frontEnd === "dynamic";
  return { urn, kind, inputs: { ...inputs, ...(isDynamic && { __secrets: names }) } };
}

/** What most kinds have nothing of. */
export const PLAIN = {
  injectFailure: async () => undefined,
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

/** What an error says where it is not about a thing with the same key. */
export function adviceIn(error: string): string | undefined {
  return optionIn(error) ?? (error.includes("run `pulumi refresh`") ? "pulumi refresh" : undefined);
}

/** A thing of which a workspace has one with each key. */
interface Keyed {
  readonly isOthers: (id: string) => boolean;
  /** Declares another key; says so. */
  readonly rename: (id: string) => string;
  /** Whether the program imports it; else it deletes it. */
  readonly imports: () => boolean;
  /** Deletes it by hand; says so. */
  readonly remove: (id: string) => Promise<string>;
}

/** Does what an error says about the thing of this id, which has the same key. */
export async function followKeyAdvice(
  error: string,
  id: string | undefined,
  { isOthers, rename, imports, remove }: Keyed,
): Promise<string | undefined> {
  if (id !== undefined && isOthers(id)) return rename(id);
  const option = optionIn(error);
  if (option !== undefined || id === undefined) return option ?? adviceIn(error);
  return error.includes("run `pulumi import") && imports() ? `pulumi import ${id}` : remove(id);
}

/** The option that an error says to set or to remove, and the alias that it names. */
export function optionIn(error: string): string | undefined {
  const alias = /set the option aliases: \["(.+?)"\]/.exec(error)?.[1];
  if (alias !== undefined) return `aliases: ${alias}`;
  return error.includes("option deleteBeforeReplace: ") ? "deleteBeforeReplace: true" : undefined;
}

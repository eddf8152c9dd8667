import { isDeepStrictEqual } from "node:util";
import { snakeName } from "../../provider/arguments/casing";
import { type Props, valueAt } from "../../provider/arguments/props";
import { isSecret, withoutSecretForm, withSecrets } from "../../provider/arguments/secrets";
import { isRecord, recordOf, textOf } from "../../shared/records";
import type { Stored } from "./checkpoint";
import type { Send } from "./environment";
import type { ResourceTypeName } from "./history";
import type { Declared } from "./provider";
import type { Random } from "./random";
import { type Trial, urnOf } from "./trial";

/** An argument, and where the service shows it. */
export interface Argument<Thing> {
  /** As in `sourceConfig.repoUrl`. */
  readonly path: string;
  /** Its path in the thing. @default the same in snake_case */
  readonly wire?: string;
  /** Whether the service does not show it. */
  readonly isHidden?: boolean;
  /** Its value in the thing, as the program declares it. @default what is at its path */
  readonly there?: (thing: Thing) => unknown;
  /** What declared arguments come to there. @default the value of this one */
  readonly wanted?: (args: Props) => unknown;
  /** Whether the service has a value of its own where none is declared. */
  readonly isOptional?: boolean;
  /** Another value; few, so that changes are taken back too. @default it never changes */
  readonly change?: (how: Random) => unknown;
  /** Whether another value replaces the thing. */
  readonly replaces?: boolean;
}

/** The parts of a resource type from which its subject is made. */
export interface Kind<Thing> {
  readonly type: ResourceTypeName;
  readonly table: readonly Argument<Thing>[];
  /** Paths of inputs that the option `ignoreChanges` may name. */
  readonly ignorable: readonly string[];
  /** The program declares these secret. */
  readonly secretPaths?: readonly string[];
  /** The path of all things; that of one ends in its id. */
  readonly url: string;
  readonly send: Send;
  /** All things of the workspace, whoever made them. */
  readonly all: () => Promise<readonly Thing[]>;
  readonly idOf: (thing: Thing) => string;
  /** The body by which another client changes a thing. */
  readonly drift: (how: Random) => object;
  /** The argument of which a workspace has one value each; none where ids are derived. */
  readonly key?: string;
  /** The body by which another client creates a thing with this key. */
  readonly conflict?: (key: string) => object;
  /** In an error, the id of the thing with the same key; and of one that can't be adopted. */
  readonly taken?: RegExp;
  readonly differs?: RegExp;
  /** Whether there is an argument `adoptExisting`. */
  readonly adopts?: boolean;
  /** What the program declares of these arguments. @default all */
  readonly declare?: (args: Props) => Props;
  /** The number of its versions: an `up` makes one more at the most. */
  readonly versionOf?: (thing: Thing) => number;
  /** The ids of what is left of things that are not among these. */
  readonly leftBeside?: (there: readonly string[]) => Promise<readonly string[]>;
  /** People use the thing of this id; says how. */
  readonly use?: (id: string) => Promise<string>;
}

/** The values that a program makes secret begin with it. */
export const SECRET = "secret-value-";

/** The same values with another one at a path. */
export function withValue(props: unknown, path: string, value: unknown): Record<string, unknown> {
  const [first = "", ...rest] = path.split(".");
  const inner = rest.length > 0 ? withValue(recordOf(props)[first], rest.join("."), value) : value;
  return { ...recordOf(props), [first]: inner };
}

/** Differences of a thing from arguments, which begin with the path on the wire. */
export function differences<Thing>(
  table: readonly Argument<Thing>[],
  args: Props,
  thing: Thing,
): string[] {
  return table.flatMap((row) => {
    const wire = wireOf(row);
    if (wire === undefined) return [];
    const { path, isOptional, there, wanted } = row;
    const ours = wanted?.(args) ?? valueAt(args, path);
    const theirs = there?.(thing) ?? valueAt(thing, wire);
    const isSame = (isOptional && ours === undefined) || isDeepStrictEqual(ours, theirs);
    return isSame ? [] : [`${wire}: declared ${shown(ours)}, there ${shown(theirs)}`];
  });
}

/** Whether a thing has what inputs declare, but for what is secret in them. */
export function isLike<Thing>(table: readonly Argument<Thing>[], inputs: Props, thing: Thing) {
  const rows = table.filter(({ path }) => !isSecret(valueAt(inputs, path)));
  return differences(rows, recordOf(withoutSecretForm(inputs)), thing).length === 0;
}

/** The path at which the service shows an argument; undefined where it does not. */
export function wireOf<Thing>({ path, wire = snakeName(path), isHidden }: Argument<Thing>) {
  return isHidden ? undefined : wire;
}

function shown(value: unknown): string {
  return isRecord(value) || Array.isArray(value) ? JSON.stringify(value) : String(value);
}

/** An `up` as a subject checks it. */
export interface Upped {
  /** The errors about its resource. */
  readonly error: string;
  /** Number of revisions that hooks and late requests may add. */
  readonly allowance: number;
  /** Whether a hook has called the provider again. */
  readonly isRetried: boolean;
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
}

/** The subject of a schedule: a declaration that changes, and the thing that it is compared with. */
export type Subject = ReturnType<typeof subjectOf>;

/** The subject of a kind with these first arguments; what a deployment has besides, it overrides. */
export function subjectOf<Thing>(trial: Trial, kind: Kind<Thing>, first: Props) {
  const { place, random, ownName, isOthers } = trial;
  const { type, table, url, send, idOf, versionOf = () => 1, key, secretPaths = [] } = kind;
  let args = first;
  let former = first;
  const declared = (): Props => kind.declare?.(args) ?? args;
  let count = 0;
  let versions = new Map<string, number>();
  const set = (path: string, value: unknown): string => {
    args = withValue(args, path, value);
    return `${path}: ${shown(value)}`;
  };
  const find = async (id: string) => (await kind.all()).find((thing) => idOf(thing) === id);
  const own = async () => (await kind.all()).filter((thing) => !isOthers(idOf(thing)));
  const remove = (id: string): Promise<number> => send("DELETE", `${url}/${id}`);
  const rename = (): string => set(key ?? "", `${ownName}-${(count += 1)}`);
  return {
    /** All arguments, and those that are declared. */
    args: (): Props => args,
    declaredArgs: declared,
    set,
    /** The things that are not others'. */
    own,
    /** Paths of inputs that the option `ignoreChanges` may name now. */
    ignorable: () => kind.ignorable.filter((path) => valueAt(declared(), path) !== undefined),
    /** The declaration at this time, without options that all kinds have; a dynamic provider gets the names of secrets besides. */
    declared(): Declared {
      const urn = urnOf(place, type);
      const inputs = withSecrets({ ...declared(), __urn: urn, __provider: "text" }, secretPaths);
      const names = secretPaths.map((path) => path.split(".").at(-1));
      const hidden = place.frontEnd === "dynamic" ? { __secrets: names } : {};
      return { urn, kind: type, inputs: { ...inputs, ...hidden } };
    },
    /**
     * Changes the declaration; says how. What identifies the thing stays while `isUnfinished`: a create that was lost finds
     * its own thing again by that alone.
     */
    change(how: Random, isUnfinished: boolean): string {
      const isOther = !isUnfinished && how.chance(0.3);
      const some = table.filter(({ change, replaces = false }) => change && (!replaces || isOther));
      const { path, change } = some[how.below(some.length)] ?? { path: "" };
      former = args;
      return set(path, change?.(how));
    },
    /** Declares again what was declared before the last change; says so, or nothing where that must stay. */
    takeBack(isUnfinished: boolean): string | undefined {
      const isOther = table.some(
        ({ path, replaces }) =>
          replaces && !isDeepStrictEqual(valueAt(args, path), valueAt(former, path)),
      );
      if (isUnfinished && isOther) return undefined;
      [args, former] = [former, args];
      return shown(args);
    },
    /** Changes the thing, as another client would; says how, or nothing where there is nothing to change. */
    async drift(how: Random): Promise<string | undefined> {
      const [thing] = await own();
      if (thing === undefined) return undefined;
      const body = kind.drift(how);
      return `changes ${JSON.stringify(body)}: ${await send("PATCH", `${url}/${idOf(thing)}`, body)}`;
    },
    /** Changes what is at the path of an input, as another client would; says how, or nothing where it is not there. */
    rotate: async (_path: string): Promise<string | undefined> => undefined,
    /** What identifies the thing in a workspace, in outputs; undefined where nothing is shared. */
    nameIn: (outputs: Props) => (key === undefined ? undefined : textOf(outputs[key])),
    /** Declares a name; says so, or nothing where there is none. */
    take: (name: string) => (key === undefined ? undefined : set(key, name)),
    /** Creates by hand what the declaration would create; its id, or nothing where that can't be. */
    async createConflicting(): Promise<string | undefined> {
      const name = key === undefined ? undefined : textOf(args[key]);
      if (name === undefined || !kind.conflict) return undefined;
      const before = (await kind.all()).map(idOf);
      await send("POST", url, kind.conflict(name));
      return (await kind.all()).map(idOf).find((id) => !before.includes(id));
    },
    /** Has the service fail a little later; says how, or nothing where there is nothing to fail. */
    injectFailure: async (_how: Random): Promise<string | undefined> => undefined,
    /** Somebody pushes to the branch that is declared; says so, or nothing where there is none. */
    push: async (_how: Random): Promise<string | undefined> => undefined,
    /** Somebody uses the thing of this id; says how, or nothing where that leaves nothing behind. */
    use: async (id: string): Promise<string | undefined> => kind.use?.(id),
    /** Toggles `adoptExisting`; says so, or nothing where there is no such argument. */
    toggleAdoption: () =>
      kind.adopts ? set("adoptExisting", args["adoptExisting"] ? undefined : true) : undefined,
    /** Whether `adoptExisting` is set. */
    adopts: () => args["adoptExisting"] === true,
    /** Whether the declaration differs from outputs in what the service can't change. */
    isReplacing: (outputs: Props): boolean =>
      table.some(({ path, replaces, isOptional }) => {
        const value = valueAt(declared(), path);
        const isSame = isDeepStrictEqual(value, valueAt(withoutSecretForm(outputs), path));
        return replaces && !isSame && !(isOptional && value === undefined);
      }),
    /** Removes from the declaration what keeps it from coming up in three tries. */
    repair(): void {},
    /** Does in the program or the environment what an error says; says what, or nothing where there is nothing to be done. */
    async followAdvice(error: string, state: readonly Stored[]): Promise<string | undefined> {
      const differing = kind.differs?.exec(error)?.[1];
      const id = differing ?? kind.taken?.exec(error)?.[1];
      if (/^name '.*' is set for/m.test(error) || (id && isOthers(id))) return rename();
      const [, alias] = /set the option aliases: \["(.+?)"\]/.exec(error) ?? [];
      if (alias !== undefined) return `aliases: ${alias}`;
      if (error.includes("option deleteBeforeReplace: ")) return "deleteBeforeReplace: true";
      // A resource that was deleted for its replacement is still in the state, so that nothing can be imported in its place.
      // Nor does an import know what the program has made secret.
      const isPlain = !JSON.stringify(args).includes(SECRET) && state.length === 0;
      const isImported = error.includes("run `pulumi import") && isPlain && differing === undefined;
      if (id !== undefined && isImported && random.chance(0.5)) return `pulumi import ${id}`;
      if (differing === undefined && error.includes("set adoptExisting: true"))
        return set("adoptExisting", true);
      if (id !== undefined && (differing !== undefined || !kind.adopts))
        return `deletes ${type} ${id}: ${await remove(id)}`;
      return error.includes("run `pulumi refresh`") ? "pulumi refresh" : undefined;
    },
    /** Takes back what is declared for one `up` alone; whether there was anything. */
    settle(): boolean {
      const isAdopting = args["adoptExisting"] === true;
      if (isAdopting) set("adoptExisting", undefined);
      return isAdopting;
    },
    /** Called right before each `up`. */
    async before(): Promise<void> {
      versions = new Map((await kind.all()).map((thing) => [idOf(thing), versionOf(thing)]));
    },
    /** Violations after an `up`. */
    wrongAfterUp: async ({ allowance }: Upped): Promise<readonly string[]> =>
      (await own())
        .filter((thing) => versionOf(thing) - (versions.get(idOf(thing)) ?? 0) > 1 + allowance)
        .map((thing) => `more than one version of ${idOf(thing)} was made`),
    /** Differences between the thing and the declaration. */
    async wrongAtRest({ id }: Stored): Promise<readonly string[]> {
      const thing = await find(id);
      return thing === undefined ? [] : differences(table, declared(), thing);
    },
    /** Whether the thing of this id has what inputs declare, as far as a state that keeps secrets encrypted shows it. */
    async isLike(inputs: Props, id: string): Promise<boolean> {
      const thing = await find(id);
      return thing !== undefined && isLike(table, inputs, thing);
    },
    /** The ids of all things of the kind on the service, whoever made them. */
    async live(): Promise<readonly string[]> {
      const there = (await kind.all()).map(idOf);
      return [...there, ...((await kind.leftBeside?.(there)) ?? [])];
    },
    /** Deletes a thing by hand. */
    remove: async (id: string): Promise<void> => void (await remove(id)),
  };
}

import { isDeepStrictEqual } from "node:util";
import type { Thing } from "./service";
import type { Held } from "./stack";

/** State, service and program at rest. */
interface Rest {
  readonly held: readonly Held[];
  readonly things: readonly Thing[];
  /** The values that the program declares, by the names of its resources. */
  readonly declared: ReadonlyMap<string, object>;
}

/** Differences at rest: each thing belongs to one resource of the state, and has what is declared. */
export function compare({ held, things, declared }: Rest): string[] {
  const live = new Set(things.map(keyOf));
  return [
    ...things.flatMap((thing) => wrongOf(thing, held, declared)),
    ...held.filter((one) => !live.has(keyOf(one))).map((one) => `not there: ${keyOf(one)}`),
    ...held.flatMap(({ name, unsettled }) => unsettled.map((what) => `${name}: ${what}`)),
    ...missing([...declared.keys()], held).map((name) => `not in the state: ${name}`),
    ...held.filter(({ name }) => !declared.has(name)).map(({ name }) => `not declared: ${name}`),
  ];
}

/** The things that no resource of the state has. */
export function straysAmong({ held, things }: Pick<Rest, "held" | "things">): Thing[] {
  return things.filter((thing) => !held.some((one) => keyOf(one) === keyOf(thing)));
}

function wrongOf(thing: Thing, held: readonly Held[], declared: Rest["declared"]): string[] {
  const [owner, ...others] = held.filter((one) => keyOf(one) === keyOf(thing));
  if (owner === undefined) return [`in no state, and no message has named it: ${keyOf(thing)}`];
  const wanted = declared.get(owner.name);
  const isWanted = isDeepStrictEqual(thing.values, wanted);
  const [want, have] = [JSON.stringify(wanted), JSON.stringify(thing.values)];
  return [
    ...others.map(({ name }) => `${owner.name} and ${name} both have ${keyOf(thing)}`),
    ...(isWanted ? [] : [`${owner.name}: declared ${want}, there ${have}`]),
    ...(thing.waiting === undefined ? [] : [`${owner.name} does not serve: ${thing.waiting}`]),
  ];
}

function missing(names: readonly string[], held: readonly Held[]): string[] {
  return names.filter((name) => !held.some((one) => one.name === name));
}

function keyOf({ kind, id }: Pick<Held, "kind" | "id">): string {
  return `${kind} ${id}`;
}

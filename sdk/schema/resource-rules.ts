import { recordOf } from "../../shared/records";
import { RESOURCE_DEFAULTS } from "./resource-defaults";

/** The members of a resource spec that the rules across them read, whatever they hold. */
interface Pod {
  readonly volumes?: unknown;
  readonly volume_mounts?: unknown;
  readonly init_containers?: unknown;
  readonly sidecars?: unknown;
}

/** A rule that a resource spec breaks. Its message names no member: programs spell them in another way. */
interface BrokenRule {
  readonly path: (string | number)[];
  readonly message: string;
}

/** Every rule across members that a resource spec breaks: Kubernetes refuses such a pod. Of wrong members there is none. */
export function brokenResourceRules(spec: Pod): BrokenRule[] {
  return [
    ...RANGES.flatMap((range) => brokenRange(spec, range)),
    ...repeatedNames("volume", named("volumes", spec.volumes)),
    ...repeatedNames(
      "container",
      CONTAINERS.flatMap((kind) => named(kind, spec[kind])),
    ),
    ...mountsOfNoVolume(spec),
  ];
}

/** Two members of which the first may not be above the second, and what they are to each other. */
interface Range {
  readonly low: string;
  readonly high: string;
  readonly lowWord: string;
  readonly highWord: string;
}

const RANGES: readonly Range[] = [
  ...["", "queue_", "orchestrator_"].map((of) => ({
    low: `${of}min_scale`,
    high: `${of}max_scale`,
    lowWord: "minimum",
    highWord: "maximum",
  })),
  ...["", "queue_", "cache_", "db_", "orchestrator_", "executor_"].flatMap((of) =>
    [
      [`${of}cpu`, `${of}cpu_limit`] as const,
      [`${of}memory_mb`, `${of}memory_limit_mb`] as const,
    ].map(([low, high]) => ({ low, high, lowWord: "request", highWord: "limit" })),
  ),
];

/** A default counts too, but two defaults follow from members that are reported themselves. */
function brokenRange(spec: object, { low, high, lowWord, highWord }: Range): BrokenRule[] {
  const [least, most] = [amountOf(spec, low), amountOf(spec, high)];
  if (least === undefined || most === undefined || least.value <= most.value) return [];
  if (most.isSet)
    return [{ path: [high], message: `must be at least the ${lowWord}, ${inWords(least)}` }];
  return least.isSet
    ? [{ path: [low], message: `must be at most the ${highWord}, ${inWords(most)}` }]
    : [];
}

/** The amount in force. */
interface Amount {
  readonly value: number;
  /** Whether the spec sets it; else it is the default. */
  readonly isSet: boolean;
}

/** One below zero, or of another type, is reported by itself. */
function amountOf(spec: object, name: string): Amount | undefined {
  const value: unknown = Reflect.get(spec, name);
  if (typeof value === "number") return value < 0 ? undefined : { value, isSet: true };
  if (value !== undefined && value !== null) return undefined;
  const rule = RESOURCE_DEFAULTS[name];
  const base = rule && amountOf(spec, rule.of);
  return base && { value: base.value * rule.times, isSet: false };
}

function inWords({ value, isSet }: Amount): string {
  return isSet ? String(value) : `which is ${value} by default`;
}

const CONTAINERS = ["init_containers", "sidecars"] as const;

type Place = readonly [name: string, path: (string | number)[]];

function named(list: string, items: unknown): Place[] {
  return itemsOf(items).flatMap(({ name }, at) =>
    typeof name === "string" ? [[name, [list, at, "name"]]] : [],
  );
}

function itemsOf(items: unknown): Readonly<Record<string, unknown>>[] {
  return Array.isArray(items) ? items.map(recordOf) : [];
}

function repeatedNames(noun: string, places: readonly Place[]): BrokenRule[] {
  const names = places.map(([name]) => name);
  return places
    .filter(([name], at) => names.indexOf(name) < at)
    .map(([name, path]) => ({
      path,
      message: `repeats the ${noun} '${name}'; names are unique in the pod`,
    }));
}

function mountsOfNoVolume(spec: Pod): BrokenRule[] {
  const volumes = new Set(named("volumes", spec.volumes).map(([name]) => name));
  const mounts = [
    ...named("volume_mounts", spec.volume_mounts),
    ...CONTAINERS.flatMap((kind) =>
      itemsOf(spec[kind]).flatMap(({ volumeMounts }, index) =>
        named("volumeMounts", volumeMounts).map(([name, path]): Place => [
          name,
          [kind, index, ...path],
        ]),
      ),
    ),
  ];
  return mounts
    .filter(([name]) => !volumes.has(name))
    .map(([name, path]) => ({ path, message: `names no volume of this spec: '${name}'` }));
}

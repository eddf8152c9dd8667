import { createHash } from "node:crypto";
import { textOf } from "../../shared/records";
import { UNKNOWN } from "../inputs/props";
import { type Declared, isKnownName } from "./declared";
import { changedImmutable, pathsOf } from "./plan";

/** What fits beside the dash and seven digits: 63 in all for a git source, else 21, which self-hosted names bear. */
const LONGEST_STEM = { git_host: 55, other: 13 };
const DIGITS = 7;

const IMMUTABLE = pathsOf("replace").filter((path) => path !== "name");

/** How often a name that is taken by no deployment is given up for the next one. */
export const MOST_NAMES = 10;

/**
 * The name of a deployment that was given none: `<logical name>-<7 hex digits>`. The digits tell apart the same
 * logical name in other projects, stacks and sources. Frozen for all releases: an unfinished create finds its own
 * deployment by this name.
 */
export function deriveName(urn: string, { values }: Declared, attempt = 0): string {
  const { project, stack, logicalName } = partsOf(urn);
  const immutable = IMMUTABLE.map((path) => [path.split(".").at(-1) ?? path, values[path]])
    .filter(([, value]) => value !== undefined)
    .toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1));
  const canonical = [1, attempt, project, stack, logicalName, Object.fromEntries(immutable)];
  const hash = createHash("sha256").update(JSON.stringify(canonical)).digest("hex");
  return `${stemOf(logicalName, textOf(values.source))}-${hash.slice(0, DIGITS)}`;
}

/**
 * The name for checked inputs: the one given; else a derived one that stays while no immutable field is known to have
 * changed, so that a renamed resource, stack or project keeps its deployment.
 */
export function nameFor(
  before: Declared | undefined,
  after: Declared,
  urn: string,
): { name: unknown; derived: boolean } {
  if (after.values.name !== undefined) return { name: after.values.name, derived: false };
  const derived = { ...after, isNameDerived: true };
  const isKept = before?.isNameDerived && changedImmutable(before, derived).length === 0;
  if (isKept && isKnownName(before.name)) return { name: before.name, derived: true };
  const isUnknown = IMMUTABLE.some((path) => after.values[path] === UNKNOWN);
  return { name: isUnknown ? UNKNOWN : deriveName(urn, after), derived: true };
}

/** A URN is `urn:pulumi:<stack>::<project>::<type>::<name>`, and a name may hold `::` itself. */
function partsOf(urn: string): { project: string; stack: string; logicalName: string } {
  const [head = "", project = "", , ...name] = urn.split("::");
  return { project, stack: head.replace(/^urn:pulumi:/, ""), logicalName: name.join("::") };
}

function stemOf(logicalName: string, source: string | undefined): string {
  const longest = source === "git_host" ? LONGEST_STEM.git_host : LONGEST_STEM.other;
  const plain = logicalName.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  const lettered = /^[a-z]/.test(plain) ? plain : `d-${plain.replace(/^-+/, "")}`;
  return lettered.slice(0, longest).replace(/-+$/, "");
}

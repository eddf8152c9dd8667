import { createHash } from "node:crypto";
import { textOf } from "../../shared/records";
import { identityOf } from "../host/urn";
import { type Props, UNKNOWN, valueAt } from "../inputs/props";
import { changedImmutable, IMMUTABLE } from "./fields";

/** What fits beside the dash and seven digits: 63 in all for a git source, else 21, the limit of self-hosted installations. */
const LONGEST_STEM = { git_host: 55, other: 13 };
const DIGITS = 7;

/** The number of names that are derived, one after the other, while each is taken. */
export const MOST_NAMES = 10;

/** The deployment can't have this name; the next derived one may be free. */
export class NameTaken extends Error {
  override readonly name = "NameTaken";
}

/**
 * The name of a deployment without the argument `name`: `<logical name>-<7 hex digits>`. The digits distinguish
 * resources of the same logical name in other projects, stacks and components, and other sources. They are the same in
 * both front ends. Frozen from the first release on: an unfinished create finds its deployment by this name.
 */
export function deriveName(urn: string, inputs: Props, attempt = 0): string {
  const { project, stack, parentTypes, logicalName } = identityOf(urn);
  const immutable = IMMUTABLE.map((path) => [path.split(".").at(-1) ?? path, valueAt(inputs, path)])
    .filter(([, value]) => value !== undefined)
    .toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1));
  const given = Object.fromEntries(immutable);
  const canonical = JSON.stringify([1, attempt, project, stack, parentTypes, logicalName, given]);
  const hash = createHash("sha256").update(canonical).digest("hex");
  return `${stemOf(logicalName, textOf(inputs["source"]))}-${hash.slice(0, DIGITS)}`;
}

/**
 * The name for checked inputs: the one that is set; else a derived one that stays while no immutable field is known to
 * have changed, so that a renamed resource, stack or project keeps its deployment.
 */
export function nameFor(
  olds: Props,
  news: Props,
  urn: string,
): { name: unknown; derived: boolean } {
  const given = news["name"] ?? undefined;
  if (given !== undefined) return { name: given, derived: false };
  const kept = olds["nameDerived"] === true ? textOf(olds["name"]) : undefined;
  if (kept !== undefined && kept !== UNKNOWN && changedImmutable(olds, news).length === 0)
    return { name: kept, derived: true };
  const unknown = IMMUTABLE.some((path) => valueAt(news, path) === UNKNOWN);
  return { name: unknown ? UNKNOWN : deriveName(urn, news), derived: true };
}

function stemOf(logicalName: string, source: string | undefined): string {
  const longest = source === "git_host" ? LONGEST_STEM.git_host : LONGEST_STEM.other;
  const plain = logicalName.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  const lettered = /^[a-z]/.test(plain) ? plain : `d-${plain.replace(/^-+/, "")}`;
  return lettered.slice(0, longest).replace(/-+$/, "");
}

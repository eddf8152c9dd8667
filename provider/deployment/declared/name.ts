import { createHash } from "node:crypto";
import { textOf } from "../../../shared/records";
import { identityOf } from "../../../shared/urn";
import { Unknown } from "../../arguments/decode";
import { deploymentArguments } from "./argument-table";
import type { Values } from "./declared";
import { planOf } from "./plan";

/** The longest names of Kubernetes and DNS; for other sources those of self-hosted installations, which derive longer names. */
export const LONGEST_NAME = { git_host: 63, other: 21 };
const DIGITS = 7;
/** The characters of the stack that stay where the name is long. */
const LEAST_STACK = 4;

const IMMUTABLE = deploymentArguments.immutable.filter((path) => path !== "name");

/** The number of names that are derived, one after the other, while each is taken. */
export const MOST_NAMES = 10;

/** The deployment can't have this name; the next derived one may be free. */
export class NameTaken extends Error {
  override readonly name = "NameTaken";
}

/**
 * The name of a deployment without the argument `name`: `<logical name>-<stack>-<7 hex digits>`. The digits distinguish
 * resources of the same logical name in other projects, stacks and components, and other sources. They are the same in
 * both front ends. Frozen from the first release on: an unfinished create finds its deployment by this name.
 */
export function deriveName(urn: string, values: Values, attempt = 0): string {
  const { project, stack, parentTypes, logicalName } = identityOf(urn);
  const immutable = IMMUTABLE.map((path) => [path.split(".").at(-1) ?? path, values[path]])
    .filter(([, value]) => value !== undefined)
    .toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1));
  const given = Object.fromEntries(immutable);
  const canonical = JSON.stringify([1, attempt, project, stack, parentTypes, logicalName, given]);
  const hash = createHash("sha256").update(canonical).digest("hex");
  return `${stemOf(logicalName, stack, textOf(values.source))}-${hash.slice(0, DIGITS)}`;
}

/**
 * The name for checked inputs: the one that is set; else a derived one that stays while no immutable field is known to
 * have changed, so that a renamed resource, stack or project keeps its deployment.
 */
export function nameFor(
  before: Values | undefined,
  after: Values,
  urn: string,
): Pick<Values, "name" | "isNameDerived"> {
  const { name } = after;
  if (name !== undefined) return { name, isNameDerived: false };
  const derived = { ...after, isNameDerived: true };
  const isKept = before?.isNameDerived && planOf(before, derived).replaces.length === 0;
  if (isKept && typeof before.name === "string") return { name: before.name, isNameDerived: true };
  const isUnknown = IMMUTABLE.some((path) => after[path] === Unknown);
  return { name: isUnknown ? Unknown : deriveName(urn, after), isNameDerived: true };
}

/** Where both are too long together, the stack has what the name leaves, and at least its beginning. */
function stemOf(logicalName: string, stack: string, source: string | undefined): string {
  const longest = source === "git_host" ? LONGEST_NAME.git_host : LONGEST_NAME.other;
  const room = longest - DIGITS - 1;
  const plain = plainText(logicalName);
  const name = /^[a-z]/.test(plain) ? plain : `d-${plain}`;
  const end = plainText(stack);
  if (end === "" || `-${name}-`.includes(`-${end}-`)) return cut(name, room);
  const forStack = Math.min(end.length, Math.max(LEAST_STACK, room - name.length - 1));
  return `${cut(name, room - forStack - 1)}-${cut(end, forStack)}`;
}

function plainText(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-/, "");
}

function cut(text: string, length: number): string {
  return text.slice(0, length).replace(/-$/, "");
}

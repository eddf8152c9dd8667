import { isDeepStrictEqual } from "node:util";

/** The identity of a resource, whichever front end registers it: its URN without the resource's own type. */
interface Identity {
  readonly project: string;
  readonly stack: string;
  /** From the outside in; the stack's own type is not among them. */
  readonly parentTypes: readonly string[];
  readonly logicalName: string;
}

/**
 * Parses `urn:pulumi:<stack>::<project>::<parent type>$<own type>::<name>`; a name may contain `::`. Derived names and
 * thread ids are hashes of the result: it is frozen from the first release on.
 */
export function identityOf(urn: string): Identity {
  const [head = "", project = "", types = "", ...name] = urn.split("::");
  return {
    project,
    stack: head.replace(/^urn:pulumi:/, ""),
    parentTypes: types.split("$").slice(0, -1).map(canonicalType),
    logicalName: name.join("::"),
  };
}

/** The type of the resource of a URN, the same in both front ends. */
export function typeOf(urn: string): string {
  return canonicalType(urn.split("::")[2]?.split("$").at(-1) ?? "");
}

/** Whether two URNs are of one resource, which each front end registers under a type of its own. */
export function isSameResource(left: string, right: string): boolean {
  const parts = (urn: string) => [typeOf(urn), identityOf(urn)];
  return isDeepStrictEqual(parts(left), parts(right));
}

/** A type of ours has another token in each front end. */
function canonicalType(token: string): string {
  return token.replace(/^pulumi-nodejs:dynamic\/agentserver:/, "agentserver:index:");
}

import { createHash } from "node:crypto";
import type { Context } from "../resource/context";
import { identityOf } from "../../shared/urn";

/**
 * The id that a resource on an agent server gets: the same at each attempt and in both front ends, so that a create whose
 * response was lost finds its own again, whatever has changed in the program since. In the form of a UUID of version 8
 * (RFC 9562 §5.8). `purpose` distinguishes the ids of one resource.
 */
export function ownId({ urn = "" }: Context, ...purpose: readonly (string | number)[]): string {
  const { project, stack, parentTypes, logicalName } = identityOf(urn);
  const canonical = JSON.stringify([1, ...purpose, project, stack, parentTypes, logicalName]);
  const hex = createHash("sha256").update(canonical).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

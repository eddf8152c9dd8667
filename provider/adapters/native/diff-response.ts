import type { dynamic } from "@pulumi/pulumi";
import { DiffResponse, PropertyDiff } from "@pulumi/pulumi/proto/provider_pb";
import type { Props } from "../../arguments/props";
import { type Change, changesBetween } from "./detailed-diff";

const { Kind } = PropertyDiff;
const RESOURCE_TYPES = {
  add: { plain: Kind.ADD, replacing: Kind.ADD_REPLACE },
  delete: { plain: Kind.DELETE, replacing: Kind.DELETE_REPLACE },
  update: { plain: Kind.UPDATE, replacing: Kind.UPDATE_REPLACE },
} as const satisfies Record<Change, object>;

/** The engine's response to a diff: the inputs that change, property by property, and those that replace the resource. */
export function diffResponse(
  { changes, replaces = [], deleteBeforeReplace = false }: dynamic.DiffResult,
  olds: Props,
  news: Props,
): DiffResponse {
  const changed = changes === false ? new Map<string, Change>() : changesBetween(olds, news);
  const response = new DiffResponse();
  const { DIFF_NONE, DIFF_SOME } = DiffResponse.DiffChanges;
  const isChanged = changes === true || changed.size > 0 || replaces.length > 0;
  response.setChanges(isChanged ? DIFF_SOME : DIFF_NONE);
  response.setHasdetaileddiff(true);
  for (const [path, change] of changed)
    response.getDetaileddiffMap().set(path, propertyDiff(change, true, isPart(path, replaces)));
  // Values of the service's own, and those that replace a whole object.
  for (const path of replaces)
    if (![...changed.keys()].some((other) => isPart(other, [path]) || isPart(path, [other])))
      response.getDetaileddiffMap().set(path, propertyDiff("update", false, true));
  response.setDiffsList([...new Set([...changed.keys()].map(topOf))]);
  response.setReplacesList(replaces);
  response.setDeletebeforereplace(deleteBeforeReplace);
  return response;
}

function propertyDiff(change: Change, isOfInputs: boolean, isReplacing: boolean): PropertyDiff {
  const diff = new PropertyDiff();
  diff.setKind(RESOURCE_TYPES[change][isReplacing ? "replacing" : "plain"]);
  diff.setInputdiff(isOfInputs);
  return diff;
}

/** Whether a path is one of these or below. */
function isPart(path: string, wholes: readonly string[]): boolean {
  return wholes.some(
    (whole) => path === whole || path.startsWith(`${whole}.`) || path.startsWith(`${whole}[`),
  );
}

function topOf(path: string): string {
  return path.split(/[.[]/)[0] ?? path;
}

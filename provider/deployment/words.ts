import { hasFailed } from "../../sdk/status";
import { recordOf, textOf } from "../../shared/records";
import { type Props, UNKNOWN, valueAt } from "../inputs/props";
import { variablesOf } from "./environment";
import { IMMUTABLE, RESOURCE_SPEC } from "./fields";
import { makesRevision, type Plan } from "./plan";
import { openRollout, rolloutOf } from "./rollout-state";

/**
 * What a create comes to, in one line for the person who reads the preview. A replacement that was asked for (`--replace`,
 * `pulumi state taint`) looks like a create to the provider, so the line speaks of that too.
 */
export function describeCreate(news: Props): string {
  const name = textOf(news["name"]);
  const called = name === undefined || name === UNKNOWN ? "a deployment" : `deployment '${name}'`;
  const adopts = news["adoptExisting"] === true ? "creates or takes over" : "creates";
  const names = Object.keys(variablesOf(news)).toSorted();
  const variables =
    names.length > 0 ? ` and the variable${names.length > 1 ? "s" : ""} ${names.join(", ")}` : "";
  return `${adopts} ${called} with a first revision${variables} (where --replace or a taint makes it anew, the old one is ${describeReplacement(news)})`;
}

/** What a replacement means for the deployment that is there. */
export function describeReplacement(news: Props): string {
  const order = news["__createFirst"] === true ? "deleted last" : "deleted first";
  return `${order}, its threads and database go with it`;
}

/** The plan in one line for the person who reads the preview; undefined when there is nothing to say. */
export function describePlan(plan: Plan, olds: Props, news: Props): string | undefined {
  const { replaces, settings, dropped } = plan;
  if (replaces.length > 0)
    return `replaced, since ${list(replaces)} can't be changed: ${describeReplacement(news)}`;
  const parts = [
    ...perhapsReplaced(olds, news),
    ...(makesRevision(plan)
      ? [`an update makes a new revision: ${list(revisionReasons(plan))}`]
      : []),
    ...(settings.length > 0
      ? [
          `${makesRevision(plan) ? "settings" : "an update changes settings only, without a new revision"}: ${list(settings)}`,
        ]
      : []),
    ...dropped.map((key) => droppedKey(key, olds)),
    ...(makesRevision(plan) ? [] : unfinished(olds, news)),
  ];
  return parts.length > 0 ? parts.join("; ") : undefined;
}

/** Only the update knows what an unknown value comes to, as the id of a listener that is replaced in the same program. */
function perhapsReplaced(olds: Props, news: Props): string[] {
  const unknown = IMMUTABLE.filter(
    (path) => valueAt(news, path) === UNKNOWN && valueAt(olds, path) !== undefined,
  );
  return unknown.length > 0
    ? [
        `replaced if a value that is not known yet is another one then (${list(unknown)}): ${describeReplacement(news)}`,
      ]
    : [];
}

function revisionReasons(plan: Plan): string[] {
  return [...plan.revision, ...variableReasons(plan)];
}

/** Changed variables by their names. */
export function variableReasons({ variables }: Plan): string[] {
  return [
    ...variables.added.map((name) => `variable ${name} added`),
    ...variables.changed.map((name) => `variable ${name} changed`),
    ...variables.removed.map((name) => `variable ${name} removed`),
  ];
}

function droppedKey(key: string, olds: Props): string {
  const value = valueAt(olds, `${RESOURCE_SPEC}.${key}`);
  // Only a number is surely no secret.
  const shown = typeof value === "number" ? ` ${value}` : "";
  return `resourceSpec.${key} is not given any more and keeps its value${shown}`;
}

/** The warning about a newest revision that has failed and that this resource did not make: nothing else reports it. */
export function foreignFailure(outputs: Props): string | undefined {
  const { id: failed, status, repoRef } = recordOf(outputs["failedRevision"]);
  const id = textOf(failed);
  if (id === undefined || id === rolloutOf(outputs).revisionId) return undefined;
  const ref = textOf(repoRef) === undefined ? "" : ` of ${textOf(repoRef)}`;
  const active = textOf(outputs["activeRevisionId"]);
  const serving = active === undefined ? "no revision serves" : `revision ${active} still serves`;
  return `revision ${id}${ref} ended with ${textOf(status)}; a push or somebody else created it; ${serving}`;
}

function unfinished(olds: Props, news: Props): string[] {
  const { state, revisionId } = openRollout(olds, news);
  if (state === "pending") return [`waits on for revision ${String(revisionId)}`];
  if (state !== "failed") return [];
  const revisions: readonly unknown[] = Array.isArray(olds["revisions"]) ? olds["revisions"] : [];
  const status = revisions.map(recordOf).find(({ id }) => id === revisionId)?.["status"];
  return status === undefined || hasFailed(textOf(status) ?? "")
    ? [`new revision of the same inputs, since revision ${String(revisionId)} failed`]
    : ["follows the revision that was asked for last, or makes it if it was not made"];
}

function list(names: readonly string[]): string {
  return names.map((name) => name.replace(/^source(Revision)?Config\./, "")).join(", ");
}

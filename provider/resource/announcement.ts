import { quoted } from "../../shared/shell";
import { optionsIn } from "../arguments/option-inputs";
import { changedPaths } from "../arguments/property-path";
import { isEmpty, type Props, visibleOf } from "../arguments/props";
import type { Context } from "./context";
import type { Recorded } from "./stack-state";
import { isPlaceholder } from "./placeholder";

/**
 * Keeps what an operation is going to do, in place of an earlier announcement about the resource. A check or a
 * diff does not say whether it is a preview's, so the front end shows it once it knows: `pulumi up` reports what happened.
 */
export function announce({ urn = "", processCache }: Context, text: string): void {
  processCache.announcements.set(urn, text);
}

/** Shows what was announced about the resource, once. */
export function showAnnouncement({
  urn = "",
  processCache: { announcements },
  log,
}: Context): void {
  const text = announcements.get(urn);
  announcements.delete(urn);
  if (text !== undefined) log.info(text);
}

/** Announces, in the preview of what looks like a create, a replacement that no diff decides, with what it loses. */
export async function announceForcedReplacement(context: Context): Promise<void> {
  const { urn = "", processCache } = context;
  const replacement = processCache.creates.get(urn);
  if (replacement === undefined) return;
  const before = processCache.existing.get(urn) ?? (await inputsInState(context));
  if (before === undefined) return;
  await processCache.countLoss.get(urn)?.(before);
  announce(context, replacement());
}

/**
 * The inputs of what is replaced by `--replace`, by `pulumi state taint` or with what it depends on: the engine makes only
 * the check of a new resource then, and only the state shows that there is an old one.
 */
async function inputsInState({ urn = "", processCache, readState }: Context) {
  processCache.recorded ??= readState(true).then(
    ({ resources }) => new Map(resources.filter(isInPlace).map((one) => [one.urn, one])),
    () => new Map(),
  );
  const before = (await processCache.recorded).get(urn);
  if (before === undefined || processCache.gone.has(urn)) return undefined;
  const inputs = before.inputs ?? {};
  processCache.existing.set(urn, inputs);
  processCache.owners.add(before.id ?? "", urn);
  processCache.replaced.add(urn);
  return inputs;
}

/** What is read with `get`, was never confirmed, or is deleted already is not deleted. */
function isInPlace({ id, external, pendingReplacement, delete: isLeaving }: Recorded): boolean {
  return !external && !pendingReplacement && !isLeaving && !isPlaceholder(id ?? "");
}

function replacedInstead(loss: string, inputs: Props, context: Context): string {
  return `replaced instead of updated: ${effectOf(loss, inputs, context)}`;
}

/** Whether a check is the second one of a resource: the engine checks a resource that it recreates once more, as a new one. */
export function isRecreated(olds: Props, { urn = "", processCache }: Context): boolean {
  return isEmpty(olds) && processCache.existing.has(urn);
}

/**
 * The announcement when a resource is checked: a replacement that `diff` does not decide, with its effect on the existing
 * resource. Pulumi itself shows a create; the preview adds what else it comes to.
 */
export function announcementOf(
  olds: Props,
  inputs: Props,
  context: Context,
  { create, loss }: { readonly create: string | undefined; readonly loss: string },
): string | undefined {
  const { urn = "", processCache } = context;
  if (!isEmpty(olds)) processCache.existing.set(urn, olds);
  if (isEmpty(olds)) {
    const replacement = (): string => replacedInstead(loss, inputs, context);
    const isExplained = processCache.replaced.has(urn);
    if (!isExplained) processCache.creates.set(urn, replacement);
    if (!isRecreated(olds, context)) return create;
    processCache.replaced.add(urn);
    return isExplained ? undefined : replacement();
  }
  const paths = replacingPaths(olds, inputs);
  if (paths.length === 0) return undefined;
  processCache.replaced.add(urn);
  return `replaced, since replaceOnChanges names ${paths.join(", ")}: ${effectOf(loss, inputs, context)}`;
}

/** The effect of a replacement, `loss` where no option keeps the existing resource. Only those of the state count. */
export function effectOf(loss: string, news: Props, { urn = "", processCache }: Context): string {
  const before = optionsIn(processCache.existing.get(urn) ?? {}).keeping;
  if (before.includes("retainOnDelete")) return "the old one stays, since retainOnDelete is set";
  const added = optionsIn(news).keeping.filter((option) => !before.includes(option));
  const late = `; ${added.join(" and ")} does not count in this run: to keep the old one, run \`pulumi state protect ${quoted(urn)}\` first`;
  const counted = processCache.losses.get(urn);
  return loss + (counted === undefined ? "" : `; ${counted}`) + (added.length > 0 ? late : "");
}

/** The paths of `replaceOnChanges` that change. Hidden inputs change nothing, also where `*` names them. */
export function replacingPaths(olds: Props, inputs: Props): string[] {
  return changedPaths(optionsIn(inputs).replacingPaths, visibleOf(olds), visibleOf(inputs));
}

import { optionsIn } from "../arguments/option-inputs";
import { changedPaths } from "../arguments/property-path";
import { type Props, visibleOf } from "../arguments/props";
import type { Context } from "./context";

/** Announcements about a resource when it is checked. */
interface Announcements {
  readonly create: string | undefined;
  /** The effect of a replacement on the existing resource. */
  readonly replacement: () => string;
}

/**
 * Whether a check is the second one of a resource: the engine checks a resource that it recreates once more, as a new one.
 * For `--replace` and `pulumi state taint` it makes only that check, so that these look like creates.
 */
export function isRecreated(olds: Props, { urn = "", memory }: Context): boolean {
  return isNew(olds) && memory.existing.has(urn);
}

/** The announcement when a resource is checked: a create, and a replacement that `diff` does not decide. */
export function announcementOf(
  olds: Props,
  inputs: Props,
  context: Context,
  { create, replacement }: Announcements,
): string | undefined {
  const {
    urn = "",
    memory: { existing, announced },
  } = context;
  if (isRecreated(olds, context))
    return announced.has(urn) ? undefined : `replaced instead of updated: ${replacement()}`;
  if (isNew(olds)) return create;
  existing.add(urn);
  const paths = replacingPaths(olds, inputs);
  if (paths.length === 0) return undefined;
  announced.add(urn);
  return `replaced, since replaceOnChanges names ${paths.join(", ")}: ${replacement()}`;
}

/** The paths of `replaceOnChanges` that change. Hidden inputs change nothing, also where `*` names them. */
export function replacingPaths(olds: Props, inputs: Props): string[] {
  return changedPaths(optionsIn(inputs).replacingPaths, visibleOf(olds), visibleOf(inputs));
}

function isNew(olds: Props): boolean {
  return Object.keys(olds).length === 0;
}

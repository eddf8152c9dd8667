import type { CustomResourceOptions } from "@pulumi/pulumi";
import { type Props, UNKNOWN } from "./props";
import { filterMembers } from "../../shared/records";

/**
 * The resource options that a lifecycle needs: the engine does not pass them on, so the class puts them among the
 * hidden inputs. Options that a transformation sets are not seen.
 */
export interface SeenOptions {
  /** The order of a replacement, by `deleteBeforeReplace`; unknown where the engine does not say. */
  readonly replacementOrder: "deletes first" | "creates first" | "unknown";
  /** Property paths of `ignoreChanges`. */
  readonly ignoredPaths: readonly string[];
  /** Property paths of `replaceOnChanges`. */
  readonly replacingPaths: readonly string[];
  /** The options that are set to keep what a replacement deletes: `protect`, `retainOnDelete`. */
  readonly keeping: readonly string[];
  /** Whether `customTimeouts` is set, which Pulumi keeps to itself. */
  readonly hasCustomTimeouts: boolean;
  /** The names of what the program marks as secret: a lifecycle gets all values in clear. */
  readonly secretNames: readonly string[];
}

/** The hidden inputs for options. One that is not set has none. */
export function optionInputs(options: CustomResourceOptions = {}): Props {
  const { deleteBeforeReplace, ignoreChanges, replaceOnChanges, customTimeouts } = options;
  const keeping = (["protect", "retainOnDelete"] as const).filter((name) => options[name] === true);
  return {
    ...(keeping.length > 0 && { __keeping: keeping }),
    ...(deleteBeforeReplace === false && { __createFirst: true }),
    ...(ignoreChanges && { __ignored: ignoreChanges }),
    ...(replaceOnChanges && { __replaceOnChanges: replaceOnChanges }),
    ...(customTimeouts && { __customTimeouts: true }),
  };
}

/** The names of the secrets of each. */
export function secretNamesIn(...props: readonly Props[]): string[] {
  return props.flatMap((of) => optionsIn(of).secretNames);
}

/** The hidden input for the names of secrets. */
export function secretNameInputs(names: readonly string[]): Props {
  return names.length > 0 ? { __secrets: [...new Set(names)] } : {};
}

/** The hidden inputs of a provider that learns nothing of the option `deleteBeforeReplace`. */
export const UNKNOWN_ORDER: Props = { __createFirst: UNKNOWN };

/**
 * The hidden input of a preview: Pulumi's process for dynamic providers gets no other sign of one. It is null, since the
 * engine takes that for absent where it compares inputs that no check has seen: those of a provider that is unknown yet.
 */
export const PREVIEW_MARK: Props = { __preview: null };

/** Takes the mark off inputs: what is checked, compared and stored has none. */
export function withoutPreviewMark({ __preview: mark, ...inputs }: Props) {
  return { isPreview: mark !== undefined, inputs };
}

/** Reads them. */
export function optionsIn(inputs: Props): SeenOptions {
  return {
    replacementOrder: orderIn(inputs["__createFirst"]),
    ignoredPaths: textsIn(inputs["__ignored"]),
    replacingPaths: textsIn(inputs["__replaceOnChanges"]),
    keeping: textsIn(inputs["__keeping"]),
    hasCustomTimeouts: inputs["__customTimeouts"] === true,
    secretNames: textsIn(inputs["__secrets"]),
  };
}

/** Names of all hidden inputs: the front end's, and those for options. An output of another hidden name is a lifecycle's. */
const HIDDEN_INPUTS: ReadonlySet<string> = new Set([
  "__provider",
  "__urn",
  "__createFirst",
  "__ignored",
  "__replaceOnChanges",
  "__keeping",
  "__customTimeouts",
  "__secrets",
]);

/** Inputs or outputs without hidden inputs. */
export function withoutHiddenInputs(props: Props): Props {
  return filterMembers(props, (_, name) => !HIDDEN_INPUTS.has(name));
}

function orderIn(createsFirst: unknown): SeenOptions["replacementOrder"] {
  if (createsFirst === UNKNOWN) return "unknown";
  return createsFirst === true ? "creates first" : "deletes first";
}

function textsIn(list: unknown): string[] {
  return Array.isArray(list) ? list.map(String) : [];
}

import { IMMUTABLE_FIELDS } from "../../sdk/schema/source-rules";
import { camelPath } from "../inputs/casing";
import { type Props, sameValue, UNKNOWN, valueAt } from "../inputs/props";

/** Fields that the service never changes, in the user's spelling: another value is another deployment. */
export const IMMUTABLE = IMMUTABLE_FIELDS.filter((field) => field !== "name").map((field) =>
  camelPath(field.split(".")),
);

/** Fields that say what a revision is made of; sent again, they make a new revision of the same. */
export const REVISION_SOURCE = [
  "sourceRevisionConfig.repoRef",
  "sourceRevisionConfig.graphConfigPath",
  "sourceRevisionConfig.imageUri",
] as const;

/** Fields that act on a build: the service takes them without a new revision, so one is asked for with them. */
export const BUILD_COMMANDS = ["sourceConfig.installCommand", "sourceConfig.buildCommand"] as const;

export const BUILD_ON_PUSH = "sourceConfig.buildOnPush";

/** Fields that take effect without a new revision. */
export const SETTINGS_ONLY = [BUILD_ON_PUSH, "sourceConfig.customUrl"] as const;

/** Fields that the service has no way to clear: null means "leave as it is" there. */
export const NOT_CLEARABLE = ["sourceConfig.customUrl", ...BUILD_COMMANDS] as const;

export const RESOURCE_SPEC = "sourceConfig.resourceSpec";

/** Arguments of ours that never reach the service by themselves. */
const OURS = ["wait", "onFailure", "smokeCheck", "adoptExisting"] as const;

/** Names of all inputs that users write, in the order in which they are shown. */
export const INPUT_NAMES = [
  "name",
  "source",
  "sourceConfig",
  "sourceRevisionConfig",
  "env",
  "secrets",
  "redeployOn",
  ...OURS,
] as const;

/** The declared value of a field; `buildOnPush` that is not there is `false`. */
export function declared(props: Props, path: string): unknown {
  const value = valueAt(props, path);
  if (path === BUILD_ON_PUSH && value === undefined && props["source"] === "git_host") return false;
  return value;
}

/** Whether a field's declared value is another one now; an unknown value is no change that anybody knows of. */
export function changed(olds: Props, news: Props, path: string): boolean {
  const value = declared(news, path);
  return value !== UNKNOWN && !sameValue(declared(olds, path), value);
}

/** The immutable fields that a change touches. */
export function changedImmutable(olds: Props, news: Props): string[] {
  return IMMUTABLE.filter((path) => changed(olds, news, path));
}

import { isRecord, recordOf, textOf } from "../../../shared/records";
import { keysOf } from "../../arguments/property-path";
import { present, type Props } from "../../arguments/props";
import { ARGUMENTS } from "./argument-table";

/** The read-only part of what a revision is built from. */
export const READ_ONLY = "sourceRevisionConfig.repoCommitSha";

/**
 * What a program can declare of all that is known of a deployment: not what the service alone sets, as the commit of a ref
 * and the URL of a deployment from git.
 */
export function declarable(observed: Props): Props {
  const source = textOf(observed["source"]);
  const foreign = ARGUMENTS.filter(
    ({ sources = [] }) => source !== undefined && sources.length > 0 && !sources.includes(source),
  ).map(({ path }): string => path);
  return [READ_ONLY, ...foreign].reduce<Props>(
    (kept, path) => without(kept, keysOf(path)),
    observed,
  );
}

/** The inputs of an import, where nothing was declared: without what means the same where it is left out. */
export function importable(observed: Props): Props {
  const { secrets, sourceConfig, ...rest } = withoutDefault(declarable(observed));
  const { resourceSpec, ...config } = recordOf(sourceConfig);
  const spec = present(recordOf(resourceSpec));
  return {
    ...rest,
    sourceConfig: { ...config, ...(hasMembers(spec) && { resourceSpec: spec }) },
    ...(hasMembers(secrets) && { secrets }),
  };
}

/** Inputs without `buildOnPush: false`, which is declared where it is left out too. */
export function withoutDefault(inputs: Props): Props {
  const { sourceConfig } = inputs;
  if (!isRecord(sourceConfig) || sourceConfig["buildOnPush"] !== false) return inputs;
  return without(inputs, ["sourceConfig", "buildOnPush"]);
}

function hasMembers(value: unknown): boolean {
  return Object.keys(recordOf(value)).length > 0;
}

function without(props: Props, [first = "", ...rest]: readonly string[]): Props {
  const { [first]: member, ...others } = props;
  if (rest.length === 0) return others;
  return isRecord(member) ? { ...others, [first]: without(member, rest) } : props;
}

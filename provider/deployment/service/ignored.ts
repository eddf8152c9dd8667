import type { Deployment } from "../../../sdk";
import { Unknown } from "../../arguments/decode";
import { keysOf, withIgnored } from "../../arguments/property-path";
import { deploymentArguments } from "../declared/argument-table";
import { type Declared, declaredBy, withArguments } from "../declared/declared";
import { shownState, shownVariables } from "./shown";
import { isCommit } from "./revision-source";

/**
 * Gives values the service's own at every path that a program ignores; unknown where they are not shown. What is before a
 * change and what is after it both get them, so that none is sent from the state.
 */
export function ignoring(program: Declared, deployment: Deployment) {
  const { ignoredPaths } = program;
  if (ignoredPaths.length === 0) return (values: Declared): Declared => values;
  const owner = withIgnoredNames(program, deployment);
  const isRefHidden = isCommit(deployment.source_revision_config.repo_ref);
  const { props } = deploymentArguments.withValues(program, {
    ...shownState(owner, deployment),
    ...(isRefHidden && { "sourceRevisionConfig.repoRef": Unknown }),
  });
  return (values: Declared): Declared => declaredBy(withIgnored(values.props, props, ignoredPaths));
}

/** With the service's variables that a program ignores in `env`: others count as secrets. */
function withIgnoredNames(program: Declared, deployment: Deployment): Declared {
  const { env, secrets, isOwned } = program.environment;
  const paths = program.ignoredPaths.map(keysOf).filter(([kind]) => kind === "env");
  if (!isOwned || paths.length === 0) return program;
  const names = Object.keys(shownVariables(deployment) ?? {})
    .filter((name) => !Object.hasOwn(secrets ?? {}, name))
    .filter((name) => paths.some(([, key = "*"]) => key === "*" || key === name));
  const ignored = Object.fromEntries(names.map((name) => [name, ""]));
  return withArguments(program, { env: { ...ignored, ...env } });
}

import type { Deployment } from "../../../sdk";
import { Unknown } from "../../arguments/decode";
import { withIgnored } from "../../arguments/property-path";
import { deploymentArguments } from "../declared/argument-table";
import { type Declared, declaredBy, type Values } from "../declared/declared";
import { merge, withCommands, withHiddenAsUnknown } from "./observed";
import { isCommit } from "./revision-source";

/**
 * Gives values the service's own at every path that a program ignores; unknown where they are not shown. What is before a
 * change and what is after it both get them, so that none is sent from the state.
 */
export function ignoring(program: Declared, deployment: Deployment) {
  const { ignoredPaths } = program;
  if (ignoredPaths.length === 0) return (values: Declared): Declared => values;
  const seen = withCommands(merge<Values>(program, deployment), deployment);
  const isRefHidden = isCommit(deployment.source_revision_config.repo_ref);
  const { props } = deploymentArguments.withValues(program, {
    ...withHiddenAsUnknown(seen, deployment),
    ...(isRefHidden && { "sourceRevisionConfig.repoRef": Unknown }),
  });
  return (values: Declared): Declared => declaredBy(withIgnored(values.props, props, ignoredPaths));
}

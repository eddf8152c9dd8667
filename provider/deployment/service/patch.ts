import type { Deployment, UpdateDeployment } from "../../../sdk";
import { snakeName } from "../../arguments/casing";
import type { Props } from "../../arguments/props";
import { COMMANDS, deploymentArguments } from "../declared/argument-table";
import {
  compareVariables,
  environmentOf,
  fromSecrets,
  hasChanges,
  toSecrets,
} from "../declared/environment";
import { comesToRevision, type Plan } from "../declared/plan";
import { currentSource } from "./revision-source";
import { mergedSpec } from "../declared/resource-spec";

/** The one PATCH of an update. */
export interface Patch {
  readonly plan: Plan;
  /** Empty where there is nothing to send. */
  readonly body: UpdateDeployment;
  /** Whether the service creates a revision of it. */
  readonly createsRevision: boolean;
  /** Whether the change comes to a revision, also where the service has all of it already. */
  readonly plansRevision: boolean;
}

/**
 * The PATCH of a plan. A field is sent only when its declared value changed; one that creates a revision, only when the
 * service does not have it already.
 * With `again` a new revision is requested though nothing changed.
 */
export function patchOf(plan: Plan, deployment: Deployment, again = false): Patch {
  return patchFor(plan, deployment, again, []);
}

/** The PATCH that takes a change back: members of the resource spec that came with it are removed. */
export function patchBack(plan: Plan, deployment: Deployment): Patch {
  return patchFor(plan, deployment, false, plan.spec.dropped);
}

function patchFor(
  plan: Plan,
  deployment: Deployment,
  again: boolean,
  withdrawn: readonly string[],
): Patch {
  const revisionFields = fieldsToSend("sourceRevisionConfig", plan, deployment);
  const configFields = fieldsToSend("sourceConfig", plan, deployment);
  const spec =
    withdrawn.length > 0 || plan.spec.set.length > 0
      ? mergedSpec(plan.spec, deployment.source_config.resource_spec, withdrawn)
      : undefined;
  const secrets = environmentToSend(plan, deployment);
  const triggers =
    Object.keys(revisionFields).length > 0 || spec !== undefined || secrets !== undefined;
  // The service takes build commands without a new revision, so one is requested with them.
  const sendsCommand = COMMANDS.some((path) =>
    Object.hasOwn(configFields, snakeName(path.slice(path.indexOf(".") + 1))),
  );
  const wanted = again || plan.revision.includes("redeployOn") || sendsCommand;
  const revision = !triggers && wanted ? currentSource(plan.after, deployment) : revisionFields;
  const config = { ...configFields, ...(spec && { resource_spec: spec }) };
  return {
    plan,
    body: {
      ...(Object.keys(config).length > 0 && { source_config: config }),
      ...(Object.keys(revision).length > 0 && { source_revision_config: revision }),
      ...(secrets && { secrets }),
    },
    createsRevision: triggers || Object.keys(revision).length > 0,
    plansRevision: again || comesToRevision(plan),
  };
}

export function isEmpty({ body }: Patch): boolean {
  return Object.keys(body).length === 0;
}

/**
 * The changed fields of one of the two configurations: those that create a revision only where the service does not have
 * them already. A setting is sent in any case: it creates none, and the read may be a replica's, from before another change.
 */
function fieldsToSend(
  config: "sourceConfig" | "sourceRevisionConfig",
  { revision, settings, after }: Plan,
  deployment: Deployment,
): Record<string, string | boolean> {
  const onServer: Props = { ...deployment.source_config, ...deployment.source_revision_config };
  const nameIn = (path: string): string => snakeName(path.slice(path.indexOf(".") + 1));
  const lacking = revision.filter(
    (path) => !deploymentArguments.same(path, onServer[nameIn(path)], after[path]),
  );
  return Object.fromEntries(
    [...lacking, ...settings]
      .filter((path) => path.startsWith(`${config}.`))
      .flatMap((path): [string, string | boolean][] => {
        const value = after[path];
        const isSent = typeof value === "string" || typeof value === "boolean";
        return isSent ? [[nameIn(path), value]] : [];
      }),
  );
}

function environmentToSend({ variables, after }: Plan, { secrets }: Deployment) {
  if (!hasChanges(variables)) return undefined;
  const wanted = environmentOf(after).variables;
  if (secrets && !hasChanges(compareVariables(fromSecrets(secrets), wanted))) return undefined;
  return toSecrets(wanted);
}

import type { Deployment, UpdateDeployment } from "../../sdk";
import { snakeName } from "../inputs/casing";
import { recordOf, textOf } from "../../shared/records";
import { type Props, sameValue } from "../inputs/props";
import { differences, fromSecrets, toSecrets, variablesOf } from "./environment";
import { BUILD_COMMANDS, declared, RESOURCE_SPEC, REVISION_SOURCE, SETTINGS_ONLY } from "./fields";
import { isCommit } from "./mapping";
import { changesVariables, makesRevision, type Plan, planOf } from "./plan";
import { refuseUpdate } from "./refusals";
import { mergedSpec } from "./resource-spec";

/** The one PATCH that an update comes to; an empty body means that there is nothing to send. */
export interface Patch {
  readonly body: UpdateDeployment;
  readonly makesRevision: boolean;
  /** Whether the change comes to a revision, also where the service has all of it already. */
  readonly plansRevision: boolean;
}

/**
 * Sends a field only when its declared value changed and the service does not have it already. With `again` a new
 * revision is asked for though nothing changed. Throws where the service has no way to do what is declared.
 */
export function patchOf(olds: Props, news: Props, deployment: Deployment, again: boolean): Patch {
  return patchFor(planOf(olds, news), olds, news, deployment, again);
}

/** The same for a change that is taken back: keys of the size that came with it go with it. */
export function patchBack(olds: Props, news: Props, deployment: Deployment): Patch {
  // Sent once more with the old value, it would only build the old revision again.
  const plan = planOf({ ...olds, redeployOn: news["redeployOn"] }, news);
  return patchFor(plan, olds, news, deployment, false, plan.dropped);
}

function patchFor(
  plan: Plan,
  olds: Props,
  news: Props,
  deployment: Deployment,
  again: boolean,
  withdrawn: readonly string[] = [],
): Patch {
  refuseUpdate(olds, news);
  const revisionConfig = missingFields(plan.revision, REVISION_SOURCE, news, deployment);
  const commands = missingFields(plan.revision, BUILD_COMMANDS, news, deployment);
  const settings = missingFields(plan.settings, SETTINGS_ONLY, news, deployment);
  const size = deployment.source_config.resource_spec;
  const spec =
    withdrawn.length > 0 || plan.revision.some((path) => path.startsWith(`${RESOURCE_SPEC}.`))
      ? mergedSpec(olds, news, size, withdrawn)
      : undefined;
  const secrets = environmentToSend(plan, news, deployment);
  const triggers =
    Object.keys(revisionConfig).length > 0 || spec !== undefined || secrets !== undefined;
  const wanted = again || plan.revision.includes("redeployOn") || Object.keys(commands).length > 0;
  const revision = !triggers && wanted ? currentSource(news, deployment) : revisionConfig;
  const config = { ...commands, ...settings, ...(spec && { resource_spec: spec }) };
  return {
    body: {
      ...(Object.keys(config).length > 0 && { source_config: config }),
      ...(Object.keys(revision).length > 0 && { source_revision_config: revision }),
      ...(secrets && { secrets }),
    },
    makesRevision: triggers || Object.keys(revision).length > 0,
    plansRevision: again || makesRevision(plan),
  };
}

export function isEmpty({ body }: Patch): boolean {
  return Object.keys(body).length === 0;
}

function missingFields(
  changedPaths: readonly string[],
  candidates: readonly string[],
  news: Props,
  deployment: Deployment,
): Record<string, string | boolean> {
  const onServer: Props = { ...deployment.source_config, ...deployment.source_revision_config };
  const fields = candidates
    .filter((path) => changedPaths.includes(path))
    .map((path) => [snakeName(path.split(".").at(-1) ?? path), declared(news, path)] as const)
    .filter(([name, value]) => !sameValue(onServer[name], value));
  return Object.fromEntries(
    fields.flatMap(([name, value]) =>
      typeof value === "string" || typeof value === "boolean" ? [[name, value]] : [],
    ),
  );
}

function environmentToSend(plan: Plan, news: Props, { secrets }: Deployment) {
  if (!changesVariables(plan.variables)) return undefined;
  const wanted = variablesOf(news);
  if (secrets && !changesVariables(differences(fromSecrets(secrets), wanted))) return undefined;
  return toSecrets(wanted);
}

/** What the newest revision is made of, sent again to have another one of it. */
export function currentSource(
  news: Props,
  { source_revision_config: current }: Deployment,
): { repo_ref?: string; image_uri?: string } {
  const declaredSource = recordOf(news["sourceRevisionConfig"]);
  const image = current.image_uri ?? textOf(declaredSource["imageUri"]);
  if (news["source"] !== "git_host") return image ? { image_uri: image } : {};
  // The service may show the commit instead of the ref; sent back, it would no longer follow the branch.
  const ref = isCommit(current.repo_ref) ? undefined : current.repo_ref;
  const repoRef = ref ?? textOf(declaredSource["repoRef"]);
  return repoRef ? { repo_ref: repoRef } : {};
}

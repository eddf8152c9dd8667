import type { Deployment, UpdateDeployment } from "../../../sdk";
import type { SecretReference } from "../../../sdk/schema";
import { textOf } from "../../../shared/records";
import { camelKeys, snakeKeys, snakeName } from "../../arguments/casing";
import { known, Unknown } from "../../arguments/decode";
import type { Props } from "../../arguments/props";
import { COMMANDS, deploymentArguments, REPO_REF } from "../declared/argument-table";
import { describeNames, toSecrets } from "../declared/environment";
import { shownVariables } from "./shown";
import { compareVariables, hasChanges, type Plan } from "../declared/plan";
import { currentSource } from "./revision-source";
import { referencesIn } from "../declared/references";
import { repeats, repeatsDefault, type Spec } from "../declared/resource-spec";

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

interface PatchOptions {
  /** Requests a revision though nothing changed. */
  readonly again?: boolean;
  /** Members of the resource spec that are removed. */
  readonly withdrawn?: readonly string[];
  /** Sends neither ref nor graph, so that nothing is built of what does not create a revision by itself. */
  readonly keepsSource?: boolean;
}

/** The PATCH that takes a change back: members of the resource spec that came with it are removed. */
export function patchBack(plan: Plan, deployment: Deployment, keepsSource = false): Patch {
  return patchOf(plan, deployment, { withdrawn: plan.spec.dropped, keepsSource });
}

/**
 * The PATCH of a plan. A field is sent only when its declared value changed; one that creates a revision, only when the
 * service does not have it already.
 */
export function patchOf(
  plan: Plan,
  deployment: Deployment,
  { again = false, withdrawn = [], keepsSource = false }: PatchOptions = {},
): Patch {
  // The commit is never sent: a revision of the ref is requested, and must be of it.
  const { repo_commit_sha: commit, ...fields } = fieldsToSend(
    "sourceRevisionConfig",
    plan,
    deployment,
  );
  const revisionFields = keepsSource ? {} : fields;
  const configFields = fieldsToSend("sourceConfig", plan, deployment);
  const secrets = environmentToSend(plan, deployment);
  const references = referencesToSend(plan, deployment);
  const spec =
    withdrawn.length > 0 || plan.spec.set.length > 0
      ? specToSend(plan, deployment, withdrawn)
      : undefined;
  const triggers =
    Object.keys(revisionFields).length > 0 ||
    [spec, secrets, references].some((part) => part !== undefined);
  // The service takes build commands without a new revision, so one is requested with them.
  const sendsCommand = COMMANDS.some((path) =>
    Object.hasOwn(configFields, snakeName(path.slice(path.indexOf(".") + 1))),
  );
  const isPlanned = plan.revision.includes("redeployOn") || sendsCommand || commit !== undefined;
  const isResent = !triggers && (again || (isPlanned && !keepsSource));
  if (isResent && plan.after[REPO_REF] === Unknown) throw hiddenError(deployment, "repoRef");
  const revision = isResent ? currentSource(plan.after, deployment) : revisionFields;
  const config = { ...configFields, ...(spec && { resource_spec: spec }) };
  return {
    plan,
    body: {
      ...(plan.settings.includes("displayName") && {
        display_name: textOf(plan.after.displayName),
      }),
      ...(Object.keys(config).length > 0 && { source_config: config }),
      ...(Object.keys(revision).length > 0 && { source_revision_config: revision }),
      ...(secrets && { secrets }),
      ...(references && { secret_references: references }),
    },
    createsRevision: triggers || Object.keys(revision).length > 0,
    plansRevision: again || (!keepsSource && plan.createsRevision),
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
  const differing = revision.filter(
    (path) => !deploymentArguments.same(path, onServer[nameIn(path)], after[path]),
  );
  return Object.fromEntries(
    [...differing, ...settings]
      .filter((path) => path.startsWith(`${config}.`))
      .flatMap((path): [string, string | boolean][] => {
        const value = after[path];
        const isSent = typeof value === "string" || typeof value === "boolean";
        return isSent ? [[nameIn(path), value]] : [];
      }),
  );
}

/**
 * The whole resource spec to send, or undefined when the service has every changed value already. The service replaces
 * the spec as a whole, so its own is the base. A value that was never declared and only repeats a default of the old
 * values is left out, since it would keep the old default. So is what is `withdrawn`, by its member.
 */
function specToSend(
  { spec: { before, after, set } }: Plan,
  { source_config: { resource_spec: shown } }: Deployment,
  withdrawn: readonly string[],
): Spec | undefined {
  const [olds, news] = [snakeKeys(before), snakeKeys(after)];
  const [changed, removed] = [set.map(snakeName), withdrawn.map(snakeName)];
  // One that is not shown has at least what was declared before.
  const members = Object.entries(shown ?? olds).filter(([, value]) => value !== null);
  const there: Spec = Object.fromEntries(members);
  const isThere = changed.every((key) => repeats(there[key], news[key]));
  if (isThere && !removed.some((key) => key in there)) return undefined;
  const base = members
    .filter(([key]) => !removed.includes(key))
    .filter(([key, value]) => key in olds || key in news || !repeatsDefault(key, value, there));
  return Object.fromEntries([...base, ...changed.map((key) => [key, news[key]])]);
}

function environmentToSend({ variables, after }: Plan, deployment: Deployment) {
  if (!hasChanges(variables)) return undefined;
  const wanted = after.environment.variables;
  const shown = shownVariables(deployment);
  if (shown && !hasChanges(compareVariables(shown, wanted))) return undefined;
  const hidden = Object.keys(wanted).filter((name) => wanted[name] === Unknown);
  if (hidden.length > 0) throw hiddenError(deployment, describeNames(hidden));
  return toSecrets(wanted);
}

/** An empty list removes all. */
function referencesToSend({ references, after }: Plan, { secret_references: shown }: Deployment) {
  if (!hasChanges(references)) return undefined;
  const there = referencesIn(shown?.map((reference) => camelKeys(reference)));
  if (deploymentArguments.same("secretReferences", there, after.secretReferences)) return undefined;
  return known(after.secretReferences)?.map((one) => snakeKeys<SecretReference>(one));
}

/** What is ignored is not sent from the state, where its value may be old. */
function hiddenError({ name }: Deployment, what: string): Error {
  return new Error(
    `update deployment '${name}': this change sends ${what} too, which ignoreChanges names, and the control plane does not show the present value; set that value in the program and remove it from ignoreChanges; nothing was sent`,
  );
}

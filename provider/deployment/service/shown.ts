import type { Deployment, UpdateDeployment } from "../../../sdk";
import { camelKeys } from "../../arguments/casing";
import { known, Unknown } from "../../arguments/decode";
import { present, type Props, sameValue, valueAt } from "../../arguments/props";
import { COMMANDS, COMMIT, deploymentArguments, REPO_REF } from "../declared/argument-table";
import { type Declared, declaredBy, type Values, valuesOf } from "../declared/declared";
import {
  type Environment,
  environmentOf,
  fromSecrets,
  type Variables,
} from "../declared/environment";
import { isReserved } from "../../../shared/reserved-names";
import { knownMembers, mergedMembers } from "../declared/resource-spec";
import { isCommit, isImageOf } from "./revision-source";

/**
 * A resource read with `get` has no inputs: all values of the service, variables as secrets, and only all of them. The
 * commit is not one: as an input it would be the only one to accept.
 */
export function everythingObserved(deployment: Deployment): Declared {
  const shown = shownVariables(deployment) ?? {};
  const isWhole = !Object.values(shown).includes(Unknown);
  const declared = declaredBy({ ...shownBy(deployment), secrets: isWhole ? shown : {} });
  return deploymentArguments.withValues(declared, { [COMMIT]: undefined });
}

/** The inputs that a response shows. */
function shownBy({ name, display_name, source, ...configs }: Deployment): Props {
  const { source_config, source_revision_config, secret_references: references } = configs;
  return {
    name,
    ...(display_name && { displayName: display_name }),
    ...(references && { secretReferences: references.map((one) => camelKeys(one)) }),
    source: source || undefined,
    sourceConfig: present(camelKeys(source_config)),
    sourceRevisionConfig: present(camelKeys(source_revision_config)),
  };
}

/**
 * Declared values with the service's in their place: what a refresh shows as drift. What is not declared stays so, but for
 * the variables that others have added where the program owns the environment; so does what the response does not show.
 */
export function merge<Some extends Values>(declared: Some, deployment: Deployment): Some {
  const shown = deploymentArguments.decode(shownBy(deployment));
  const drift = deploymentArguments.drift(declared, shown);
  return {
    ...declared,
    ...drift,
    name: shown.name,
    ...mergedMemberwise(declared, shown, drift),
    ...observedEnvironment(declared.environment, shownVariables(deployment)),
  };
}

const SPEC = "sourceConfig.resourceSpec";
const IMAGE_URI = "sourceRevisionConfig.imageUri";
const LISTENER = "sourceConfig.listenerConfig";
const NAMESPACE = `${LISTENER}.k8sNamespace` as const;

/** Values of which not the whole counts: members that are declared, and a ref or an image that the service has resolved. */
function mergedMemberwise(
  declared: Values,
  shown: Pick<Values, typeof SPEC | typeof REPO_REF | typeof IMAGE_URI>,
  drift: Partial<Values>,
): Partial<Values> {
  const { [SPEC]: spec, [LISTENER]: listener, [NAMESPACE]: namespace } = declared;
  const isShown = spec !== undefined && shown[SPEC] !== undefined;
  const isResolved = isCommit(shown[REPO_REF]) && !isCommit(declared[REPO_REF]);
  return {
    ...(isShown && { [SPEC]: mergedMembers(knownMembers(spec), knownMembers(shown[SPEC])) }),
    ...(known(listener) && { [LISTENER]: { k8sNamespace: drift[NAMESPACE] ?? namespace } }),
    ...(isResolved && { [REPO_REF]: declared[REPO_REF] }),
    ...(isImageOf(declared, String(shown[IMAGE_URI])) && { [IMAGE_URI]: declared[IMAGE_URI] }),
  };
}

/** Observed values with an unknown one for each that the response does not show: so a change sends the declared one. */
export function withHiddenAsUnknown(values: Values, deployment: Deployment): Values {
  const shown = deploymentArguments.decode(shownBy(deployment));
  const hidden = CHANGEABLE.filter(
    (path) => values[path] !== undefined && valueAt(shown.props, path) === undefined,
  );
  return {
    ...values,
    ...Object.fromEntries(hidden.map((path) => [path, Unknown])),
    ...shownEnvironment(values.environment, shownVariables(deployment)),
  };
}

/** The fields that an update sends, without variables. */
const CHANGEABLE = (["revision", "settings"] as const)
  .flatMap(deploymentArguments.pathsOf)
  .filter(
    (path) =>
      (path.includes(".") && path !== COMMIT) || ["displayName", "secretReferences"].includes(path),
  );

/** Declared values as the service has them before a change: unknown where it does not show them. */
export function shownState(declared: Values, deployment: Deployment): Values {
  const seen = withCommands(merge(declared, deployment), deployment);
  return withHiddenAsUnknown(seen, deployment);
}

/** Undeclared commands count as declared before: the service can't clear them, so that removing them is refused. */
export function withCommands(values: Values, deployment: Deployment): Values {
  const shown = deploymentArguments.decode(shownBy(deployment));
  return {
    ...values,
    ...Object.fromEntries(COMMANDS.map((path) => [path, shown[path] ?? values[path]])),
  };
}

/** Whether a deployment has all that a PATCH sent; what the service may leave out or resolve counts neither way. */
export function reflects(deployment: Deployment, body: UpdateDeployment): boolean {
  const { source_config: config, source_revision_config: revision, secrets } = body;
  const { secret_references: references } = body;
  const sent = valuesOf({
    ...(body.display_name && { displayName: body.display_name }),
    ...(config && { sourceConfig: camelKeys(config) }),
    ...(revision && { sourceRevisionConfig: camelKeys(revision) }),
    ...(secrets && { secrets: fromSecrets(secrets) }),
    ...(references && { secretReferences: references.map((one) => camelKeys(one)) }),
  });
  const seen = merge(sent, deployment);
  return deploymentArguments.paths
    .filter((path) => valueAt(sent.props, path) !== undefined)
    .every((path) => sameValue(seen[path], sent[path]));
}

/** Both arguments, and the environment that they come to. */
type EnvironmentValues = Pick<Environment, "env" | "secrets"> & {
  readonly environment: Environment;
};

function withEnvironment(values: Pick<Environment, "env" | "secrets">): EnvironmentValues {
  return { ...values, environment: environmentOf(values) };
}

/** What services show in the place of a value. `*` alone is one, as of `CORS_ORIGINS`. */
const MASK = /^([*•●]{3,}|\[redacted\]|<redacted>)$/i;

/** The variables that a response shows; unknown where it has a mask or no value, or where all are empty. */
export function shownVariables({ secrets }: Pick<Deployment, "secrets">): Variables | undefined {
  const shown = secrets?.map(({ name, value = null }): [string, string | Unknown] => {
    return [name, value === null || MASK.test(value) ? Unknown : value];
  });
  const hasValues = shown?.some(([, value]) => value !== Unknown && value !== "");
  return shown && Object.fromEntries(hasValues ? shown : shown.map(([name]) => [name, Unknown]));
}

/**
 * The declared environment with the service's values: a variable keeps its place, and its value where none is shown; one
 * that is gone is gone; and one that was added elsewhere counts as a secret, empty where its value is not shown, but for
 * those that services add themselves. An environment that the program does not own is left out.
 */
function observedEnvironment(
  environment: Environment,
  shown: Variables | undefined,
): EnvironmentValues {
  const { env, secrets, variables, isOwned } = environment;
  if (!isOwned || !shown) return { env, secrets, environment };
  const recorded = new Map(Object.entries(variables));
  const observed = Object.entries(shown)
    .filter(([name]) => recorded.has(name) || !isReserved(name))
    .map(([name, value]): [string, string | Unknown] => [
      name,
      value === Unknown ? (recorded.get(name) ?? "") : value,
    ]);
  const isPlain = ([name]: [string, unknown]): boolean => Object.hasOwn(env ?? {}, name);
  const others = observed.filter((variable) => !isPlain(variable));
  return withEnvironment({
    env: env && Object.fromEntries(observed.filter(isPlain)),
    secrets: secrets !== undefined || others.length > 0 ? Object.fromEntries(others) : undefined,
  });
}

/** An environment with the values that a response shows; the others are unknown. */
function shownEnvironment(
  { env, secrets }: Environment,
  shown: Variables | undefined,
): EnvironmentValues {
  const asShown = (own: Variables | undefined): Variables | undefined =>
    own && Object.fromEntries(Object.keys(own).map((name) => [name, shown?.[name] ?? Unknown]));
  return withEnvironment({ env: asShown(env), secrets: asShown(secrets) });
}

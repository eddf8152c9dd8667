import type { Deployment, Revision, UpdateDeployment } from "../../../sdk";
import { recordOf } from "../../../shared/records";
import { camelKeys } from "../../arguments/casing";
import { present, type Props, sameValue, UNKNOWN } from "../../arguments/props";
import { ARGUMENTS, COMMANDS } from "../declared/argument-table";
import { type Declared, declaredBy } from "../declared/declared";
import { fromSecrets, observedEnvironment } from "../declared/environment";
import { observedObject } from "../declared/resource-spec";
import { isCommit } from "./revision-source";

/** All that is known of a deployment on the service. */
export interface Observed {
  readonly deployment: Deployment;
  /** The newest ones, newest first. */
  readonly revisions: readonly Revision[];
}

/** The declared state with the service's values in the place of the declared ones: what a refresh shows as drift. */
export function observedState(declared: Declared, deployment: Deployment): Declared {
  const { env: _env, secrets: _secrets, ...rest } = declared.inputs;
  return declaredBy({
    ...rest,
    name: deployment.name,
    source: deployment.source,
    ...observedConfig(
      withBuildOnPush(declared, deployment),
      "sourceConfig",
      deployment.source_config,
    ),
    ...observedConfig(declared.inputs, "sourceRevisionConfig", deployment.source_revision_config),
    ...observedEnvironment(declared.environment, deployment.secrets),
  });
}

/** What is read with `get` was declared by nobody: all that the service has, its whole environment taken for secret. */
export function everythingObserved(deployment: Deployment): Declared {
  return declaredBy({
    name: deployment.name,
    source: deployment.source,
    sourceConfig: present(camelKeys(deployment.source_config)),
    sourceRevisionConfig: present(camelKeys(deployment.source_revision_config)),
    secrets: fromSecrets(deployment.secrets ?? []),
  });
}

/** Members of the configurations that the service may leave out of its responses. */
const OPTIONAL = ARGUMENTS.filter(({ isOptionalInResponse }) => isOptionalInResponse).map(
  ({ path }) => path.slice(path.lastIndexOf(".") + 1),
);

/**
 * The observed state with an unknown value for each that the service left out of its response: so a change sends the
 * declared one.
 */
export function withHiddenAsUnknown(
  { inputs, environment }: Declared,
  { source_config: config, secrets }: Deployment,
): Declared {
  const own = recordOf(inputs["sourceConfig"]);
  const shown: Props = camelKeys(config);
  const hidden = COMMANDS.filter(
    (name) => !sameValue(own[name], null) && sameValue(shown[name], null),
  );
  return declaredBy({
    ...inputs,
    sourceConfig: { ...own, ...allUnknown(hidden) },
    ...(!secrets && {
      env: allUnknown(Object.keys(environment.env ?? {})),
      secrets: allUnknown(Object.keys(environment.secrets ?? {})),
    }),
  });
}

function allUnknown(names: readonly string[]): Props {
  return Object.fromEntries(names.map((name) => [name, UNKNOWN]));
}

/** Whether a deployment has all that a PATCH sent; what the service may leave out or resolve counts neither way. */
export function reflects(deployment: Deployment, body: UpdateDeployment): boolean {
  const { source_config: config, source_revision_config: revision, secrets } = body;
  const sent: Props = {
    ...(config && { sourceConfig: camelKeys(config) }),
    ...(revision && { sourceRevisionConfig: camelKeys(revision) }),
    ...(secrets && { secrets: fromSecrets(secrets) }),
  };
  const { inputs } = observedState(declaredBy(sent), deployment);
  return Object.keys(sent).every((name) => sameValue(inputs[name], sent[name]));
}

/** Omitting `buildOnPush` declares `false`, so `true` on the service is drift. */
function withBuildOnPush({ inputs, values }: Declared, { source_config: config }: Deployment) {
  if (config.build_on_push !== true || values["sourceConfig.buildOnPush"] !== false) return inputs;
  return { ...inputs, sourceConfig: { ...recordOf(inputs["sourceConfig"]), buildOnPush: false } };
}

/** What was not declared is not an input. */
function observedConfig(inputs: Props, name: string, wire: Props): Props {
  const given = inputs[name] ?? undefined;
  return given === undefined ? {} : { [name]: observedMembers(given, camelKeys(wire)) };
}

/** A member that was declared as null was not declared. */
function observedMembers(given: unknown, observed: Props): Props {
  const members = Object.entries(recordOf(given)).map(([name, value]): [string, unknown] => {
    if (value === null) return [name, value];
    const seen = observed[name] ?? undefined;
    // A resource spec that is null was removed; one that is left out says nothing.
    const isOmitted =
      name === "resourceSpec" ? observed[name] === undefined : OPTIONAL.includes(name);
    if (seen === undefined && isOmitted) return [name, value];
    if (name === "resourceSpec" || name === "listenerConfig")
      return [name, observedObject(recordOf(value), recordOf(seen))];
    if (name === "repoRef" && isResolved(seen, value)) return [name, value];
    return [name, sameValue(seen, value) ? value : seen];
  });
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

/** The service may show the commit that a ref was resolved to: that is not drift of a ref that is not a commit. */
function isResolved(seen: unknown, value: unknown): boolean {
  return isCommit(seen) && !isCommit(value);
}

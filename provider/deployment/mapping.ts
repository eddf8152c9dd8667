import type { CreateDeployment, Deployment, Revision, UpdateDeployment } from "../../sdk";
import { hasFailed } from "../../sdk/status";
import { camelKeys, snakeKeys } from "../inputs/casing";
import { bodyOf } from "../inputs/problems";
import { recordOf } from "../../shared/records";
import { type Props, sameValue, UNKNOWN } from "../inputs/props";
import { fromSecrets, observedEnvironment, toSecrets, variablesOf } from "./environment";
import { BUILD_ON_PUSH, declared } from "./fields";
import { observedObject } from "./resource-spec";
import type { Rollout } from "./rollout-state";
import { toRevisionOutput, toServiceOutputs } from "./service-outputs";

/** All that is known of a deployment on the service. */
export interface Observed {
  readonly deployment: Deployment;
  /** The newest ones, newest first. */
  readonly revisions: readonly Revision[];
}

/** The newest revisions that the outputs list. */
export const LISTED_REVISIONS = 10;

/** The body of the POST; parsed by the wire's schema, so that what is sent has its shape. */
export async function toCreateRequest(inputs: Props, name: string): Promise<CreateDeployment> {
  const schema = await import("../../sdk/schema/index.js");
  const config = snakeKeys(recordOf(inputs["sourceConfig"]));
  const body = {
    name,
    source: inputs["source"],
    // The service wants both said for a git source and refuses them for others.
    source_config: inputs["source"] === "git_host" ? { build_on_push: false, ...config } : config,
    source_revision_config: snakeKeys(recordOf(inputs["sourceRevisionConfig"])),
    secrets: toSecrets(variablesOf(inputs)),
  };
  return bodyOf(schema.CreateDeployment, body, `create deployment '${name}'`);
}

/** What is not declared is null: an output that the state lacks is unknown at every preview, and so is what uses it. */
const UNDECLARED = { sourceConfig: null, sourceRevisionConfig: null, env: null, secrets: null };

/** Everything the state keeps: the inputs as they were declared, and what the service says. */
export function toOutputs(
  inputs: Props,
  observed: Observed,
  rollout: Rollout,
  baseUrl: string,
): Props {
  const { deployment, revisions } = observed;
  return {
    ...UNDECLARED,
    ...inputs,
    ...toServiceOutputs(deployment, baseUrl),
    revisions: revisions.slice(0, LISTED_REVISIONS).map(toRevisionOutput),
    failedRevision: failedRevision(revisions),
    rollout,
    ready: rollout.state === "done",
  };
}

/** The newest revision where it has failed, also one that a push made. */
function failedRevision([newest]: readonly Revision[]) {
  return newest && hasFailed(newest.status) ? toRevisionOutput(newest) : null;
}

/** The inputs with the service's values in the place of the declared ones: what a refresh shows as drift. */
export function toInputs(inputs: Props, deployment: Deployment): Props {
  const { env: _env, secrets: _secrets, ...rest } = inputs;
  return {
    ...rest,
    name: deployment.name,
    source: deployment.source,
    ...observedConfig(
      withBuildOnPush(inputs, deployment),
      "sourceConfig",
      deployment.source_config,
    ),
    ...observedConfig(inputs, "sourceRevisionConfig", deployment.source_revision_config),
    ...observedEnvironment(inputs, deployment.secrets),
  };
}

/**
 * The inputs with an unknown value for each that the service leaves out of its answers: nobody knows what it has there,
 * so that a change sends the declared one.
 */
export function withHiddenAsUnknown(
  seen: Props,
  { source_config: config, secrets }: Deployment,
): Props {
  const own = recordOf(seen["sourceConfig"]);
  const shown: Props = camelKeys(config);
  const hidden = COMMANDS.filter(
    (name) => !sameValue(own[name], null) && sameValue(shown[name], null),
  );
  return {
    ...seen,
    sourceConfig: { ...own, ...allUnknown(hidden) },
    ...(!secrets && {
      env: allUnknown(Object.keys(recordOf(seen["env"]))),
      secrets: allUnknown(Object.keys(recordOf(seen["secrets"]))),
    }),
  };
}

const COMMANDS = ["installCommand", "buildCommand"];

function allUnknown(names: readonly string[]): Props {
  return Object.fromEntries(names.map((name) => [name, UNKNOWN]));
}

/** Whether a deployment shows all that a PATCH says; what the service may leave out or resolve speaks neither way. */
export function reflects(deployment: Deployment, body: UpdateDeployment): boolean {
  const { source_config: config, source_revision_config: revision, secrets } = body;
  const sent: Props = {
    ...(config && { sourceConfig: camelKeys(config) }),
    ...(revision && { sourceRevisionConfig: camelKeys(revision) }),
    ...(secrets && { secrets: fromSecrets(secrets) }),
  };
  const seen = toInputs(sent, deployment);
  return Object.keys(sent).every((name) => sameValue(seen[name], sent[name]));
}

/** Members that the service may leave out of its answers: their absence says nothing. */
const OMITTED = new Set([...COMMANDS, "listenerConfig"]);

/** Whether a ref is a commit's id in full. */
export function isCommit(ref: unknown): boolean {
  return /^[0-9a-f]{40}$/.test(String(ref));
}

/** Left out, building on push is declared all the same, as `false`: where the service does build, that is no silence. */
function withBuildOnPush(inputs: Props, { source_config: { build_on_push: builds } }: Deployment) {
  if (builds !== true || declared(inputs, BUILD_ON_PUSH) !== false) return inputs;
  return { ...inputs, sourceConfig: { ...recordOf(inputs["sourceConfig"]), buildOnPush: false } };
}

/** What was not declared is no input. */
function observedConfig(inputs: Props, name: string, wire: Props): Props {
  const given = inputs[name] ?? undefined;
  return given === undefined ? {} : { [name]: observedMembers(given, camelKeys(wire)) };
}

/** A member that was declared as null was not declared. */
function observedMembers(given: unknown, observed: Props): Props {
  const members = Object.entries(recordOf(given)).map(([name, value]): [string, unknown] => {
    if (value === null) return [name, value];
    const seen = observed[name] ?? undefined;
    // A size that is null was taken away; one that is left out says nothing.
    const isOmitted = name === "resourceSpec" ? observed[name] === undefined : OMITTED.has(name);
    if (seen === undefined && isOmitted) return [name, value];
    if (name === "resourceSpec" || name === "listenerConfig")
      return [name, observedObject(recordOf(value), recordOf(seen))];
    if (name === "repoRef" && isResolved(seen, value)) return [name, value];
    return [name, sameValue(seen, value) ? value : seen];
  });
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

/** The service may show the commit that a ref was resolved to: that is no drift of a ref that is no commit itself. */
function isResolved(seen: unknown, value: unknown): boolean {
  return isCommit(seen) && !isCommit(value);
}

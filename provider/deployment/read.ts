import type { Deployment } from "../../sdk";
import { isDeleted } from "../../sdk/status";
import type { Found } from "../resource/define-lifecycle";
import { notFoundError } from "../resource/find";
import { operationOf } from "../resource/operation";
import type { Context } from "../resource/context";
import { known, Unknown } from "../arguments/decode";
import type { Props } from "../arguments/props";
import { COMMIT } from "./declared/argument-table";
import { declarable, declarableValues, importable } from "./declared/declarable";
import { type Declared, type Values, withArguments } from "./declared/declared";
import { advance } from "./rollout/advance";
import {
  LISTED_REVISIONS,
  asShown,
  findDeployment,
  latestOf,
  type Observed,
  observedOf,
} from "./service/observe";
import { everythingObserved, merge, shownVariables } from "./service/shown";
import { outputsOf } from "./service/outputs";
import { planOf } from "./declared/plan";
import { foreignWarning } from "./service/revision-order";
import type { Rollout, State } from "./declared/state";

/**
 * Reads the deployment for a refresh or for `Deployment.get`: the outputs, and the recorded inputs with the service's
 * values in them. Undefined when it is surely gone; for `get` that is an error.
 */
export async function readDeployment(
  id: string,
  state: State,
  context: Context,
): Promise<Found | undefined> {
  const operation = operationOf(context, id);
  const isGet = state.declared.source === undefined;
  const found = await findDeployment(operation, state.outputs);
  if (found === undefined || isDeleted(found.status)) {
    if (isGet) throw notFoundError("deployment", operation);
    return undefined;
  }
  const observed = observedOf(found, await operation.client.revisions.newest(id, LISTED_REVISIONS));
  const { deployment } = observed;
  const declared = isGet
    ? everythingObserved(deployment)
    : withArguments(state.recorded, merge<Values>(state.recorded, deployment));
  const rollout = isGet ? latestRollout(observed) : knownRollout(state, declared, observed);
  const expected = { ...observed, commit: known(state.declared[COMMIT]) };
  const result = { ...observed, rollout: await advance(operation, rollout, declared, expected) };
  const outs = outputsOf(operation, { declared, lastGood: state.lastGood }, result);
  const warning = foreignWarning(outs);
  if (warning !== undefined) context.log.warn(warning);
  return { outs, inputs: inputsOf(declared, isGet, context) };
}

/**
 * The inputs of an import of a deployment that a list shows, which has the members of a read in both dialects (contract,
 * "DeploymentsList"). Undefined where it leaves out variables or the source, which a read may show.
 */
export function listedInputs(listed: Deployment, context: Context): Props | undefined {
  const deployment = asShown({ settings: context.settings() }, listed);
  const { source, source_revision_config: shown } = deployment;
  const isSourceShown =
    source === "git_host"
      ? shown.repo_ref && shown.graph_config_path
      : source === "external_container" && shown.image_uri;
  const variables = shownVariables(deployment);
  if (!isSourceShown || !variables || Object.values(variables).includes(Unknown)) return undefined;
  return importable(everythingObserved(deployment));
}

/** Without `import`, a read returns everything that the service reports, also after a refresh. */
function inputsOf(declared: Declared, isGet: boolean, { canImport }: Context): Props {
  if (!canImport) return declared.props;
  return isGet ? importable(declared) : declarable(declared).props;
}

/** No update created it: the newest revision stands for it. */
function latestRollout(observed: Observed): Rollout {
  const revisionId = latestOf(observed);
  return { revisionId, state: revisionId === null ? "done" : "pending" };
}

/**
 * The recorded rollout; for values that came with a newer revision, which another client created or an update that was
 * killed, that revision's. Declared later, they are not ready before it is.
 */
function knownRollout(state: State, declared: Declared, observed: Observed): Rollout {
  const latest = latestRollout(observed);
  const { createsRevision } = planOf(state.declared, declarableValues(declared));
  return createsRevision && latest.revisionId !== state.rollout.revisionId ? latest : state.rollout;
}

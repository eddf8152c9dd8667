import type { dynamic } from "@pulumi/pulumi";
import { NotFound } from "../../sdk";
import { camelKeys } from "../inputs/casing";
import { notFoundError } from "../host/find";
import { jobOf, type Job } from "../host/job";
import type { Context } from "../host/serve";
import { textOf } from "../../shared/records";
import { hiddenOf, membersOf, present, type Props } from "../inputs/props";
import { fromSecrets } from "./environment";
import { INPUT_NAMES } from "./fields";
import { classify } from "./status";
import { LISTED_REVISIONS, type Observed, toInputs, toOutputs } from "./mapping";
import { findDeployment } from "./observe";
import { makesRevision, planOf } from "./plan";
import { comesAfter } from "./rollout";
import { type Rollout, rolloutOf, untilOf } from "./rollout-state";
import { smokeCheckOf } from "./smoke-check";
import { foreignFailure } from "./words";

/**
 * Reads the deployment for a refresh or for `Deployment.get`: the outputs, and the recorded inputs with the service's
 * values in them. An empty id says that it is surely gone; for `get` that is an error.
 */
export async function readDeployment(
  id: string,
  props: Props,
  context: Context,
): Promise<dynamic.ReadResult<Props>> {
  const job = jobOf(id, context);
  const isGet = props["source"] === undefined;
  const deployment = await findDeployment(job, props);
  if (deployment === undefined) {
    if (isGet) throw notFoundError("deployment", job);
    return { id: "", props: {} };
  }
  const revisions = await job.client.revisions.newest(id, LISTED_REVISIONS);
  const observed = { deployment, revisions };
  const inputs = isGet ? everyInput(observed) : toInputs(recordedIn(props), deployment);
  const kept = hiddenOf(props);
  const rollout = isGet ? latestRollout(observed) : knownRollout(props, inputs, observed);
  const advanced = await advance(job, inputs, rollout, observed);
  const outputs = toOutputs(inputs, observed, advanced, job.settingsInForce.baseUrl);
  const failure = foreignFailure(outputs);
  if (failure !== undefined) context.log.warn(failure);
  return { id, props: { ...kept, ...outputs }, inputs: { ...kept, ...inputs, ...wrapped(inputs) } };
}

/** The wire form of a secret: the engine encrypts an input that it has not known as one before only in this form. */
const SECRET_FORM = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };

function wrapped({ secrets }: Props): Props {
  return secrets === undefined ? {} : { secrets: { ...SECRET_FORM, value: secrets } };
}

/** Nobody's update made it: the newest revision stands for it. */
function latestRollout({ deployment, revisions }: Observed): Rollout {
  const revisionId = deployment.latest_revision_id ?? revisions[0]?.id ?? null;
  return { revisionId, state: revisionId === null ? "done" : "pending" };
}

/**
 * The recorded rollout; of values that came with a newer revision, which somebody else made or an update that was killed,
 * that revision's. Declared later, they are not ready before it is.
 */
function knownRollout(props: Props, inputs: Props, observed: Observed): Rollout {
  const recorded = rolloutOf(props);
  const latest = latestRollout(observed);
  const isChanged = makesRevision(planOf(recordedIn(props), inputs));
  return isChanged && latest.revisionId !== recorded.revisionId ? latest : recorded;
}

const RECORDED = [...INPUT_NAMES, "nameDerived"];

/** The inputs that the state holds. */
function recordedIn(props: Props): Props {
  return present(membersOf(props, RECORDED));
}

/** What is read with `get` was declared by nobody: all that the service says, its whole environment taken for secret. */
function everyInput({ deployment }: Observed): Props {
  return {
    name: deployment.name,
    source: deployment.source,
    sourceConfig: present(camelKeys(deployment.source_config)),
    sourceRevisionConfig: present(camelKeys(deployment.source_revision_config)),
    secrets: fromSecrets(deployment.secrets ?? []),
  };
}

/** The rollout moves by the status of its own revision alone, wherever newer ones may stand. */
async function advance(
  job: Job,
  inputs: Props,
  rollout: Rollout,
  { deployment, revisions }: Observed,
): Promise<Rollout> {
  // A revision that failed comes back no more; only the next update knows what became of the one asked for.
  if (rollout.state !== "pending" || rollout.revisionId === null) return rollout;
  const status = await statusOf(job, rollout.revisionId, revisions);
  if (status === undefined) return rollout;
  const until = untilOf(inputs);
  const active = textOf(deployment.active_revision_id);
  const isActive =
    status === "DEPLOYED" &&
    active !== undefined &&
    (active === rollout.revisionId || (await comesAfter(job, active, rollout.revisionId)));
  const result = classify({
    status,
    until: until === "none" ? "deployed" : until,
    isActive,
    deployedForMs: 0,
  });
  // Whether the agent server passes its smoke check is for the next update to find out.
  if (result.state === "failed" || (result.state === "done" && !smokeCheckOf(inputs)))
    return { ...rollout, state: result.state };
  return { ...rollout, state: "pending" };
}

async function statusOf(
  job: Job,
  revisionId: string,
  revisions: Observed["revisions"],
): Promise<string | undefined> {
  const listed = revisions.find(({ id }) => id === revisionId);
  if (listed !== undefined) return listed.status;
  try {
    return (await job.client.revisions.get(job.id, revisionId)).status;
  } catch (error) {
    // A revision that is not there is no sign that the deployment is gone.
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}

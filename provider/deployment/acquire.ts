import { Conflict, type ControlPlane, type Deployment } from "../../sdk";
import type { Job } from "../host/job";
import { postOnce } from "../host/post-once";
import { InitializationFailure } from "../host/serve";
import { textOf } from "../../shared/records";
import type { Props } from "../inputs/props";
import { waitUntilGone } from "./delete";
import { isBeingDeleted } from "./judge";
import { toCreateRequest, toInputs } from "./mapping";
import { deriveName, MOST_NAMES, NameTaken } from "./name";
import { adopt } from "./adoption";
import { placeOf } from "./ownership";
import { planOf } from "./plan";

/** A deployment that this resource owns from here on. */
interface Acquired {
  readonly deployment: Deployment;
  /** The revision that runs the declared state, or will. */
  readonly revisionId: string | null;
}

/** Creates the deployment or adopts one. While a derived name is taken, the next one is tried. */
export async function createOrAdopt(job: Job, inputs: Props): Promise<Acquired> {
  const isDerived = inputs["nameDerived"] === true;
  let taken: NameTaken | undefined;
  for (let attempt = 0; attempt < (isDerived ? MOST_NAMES : 1); attempt += 1) {
    const name =
      attempt === 0 ? (textOf(inputs["name"]) ?? "") : deriveName(job.urn ?? "", inputs, attempt);
    try {
      return await createOrAdoptNamed(job, inputs, name);
    } catch (error) {
      if (!(error instanceof NameTaken)) throw error;
      taken = error;
    }
  }
  const advice = isDerived ? "set the argument `name`" : "choose another name";
  throw new Error(`${taken?.message}; ${advice}`, { cause: taken?.cause });
}

async function createOrAdoptNamed(job: Job, inputs: Props, name: string): Promise<Acquired> {
  const { ownership } = job.memory;
  const place = placeOf(job.settingsInForce.workspaceId, name);
  // Before the first await: another resource may be creating a deployment of this name.
  const rival = ownership.startCreate(place, job.urn);
  if (rival !== undefined)
    throw new NameTaken(
      `create deployment '${name}': ${rival} is creating a deployment of this name`,
    );
  try {
    const existing = await findByName(job, inputs, name);
    const acquired = await (existing ? adopt(job, inputs, existing) : create(job, inputs, name));
    ownership.own(acquired.deployment.id, job.urn);
    return acquired;
  } catch (error) {
    if (error instanceof InitializationFailure) ownership.own(error.id, job.urn);
    else ownership.failCreate(place, job.urn);
    throw error;
  }
}

async function create(job: Job, inputs: Props, name: string): Promise<Acquired> {
  try {
    const deployment = await post(job, inputs, name);
    return { deployment, revisionId: deployment.latest_revision_id ?? null };
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    // Somebody else may have created it between the look-up and the POST.
    const rival = await byName(job.client, name);
    if (rival !== undefined) return adopt(job, inputs, rival);
    const reason = "no deployment has this name: a deleted one leaves its tracing project behind";
    throw new NameTaken(`${error.message}; ${reason}`, { cause: error });
  }
}

/** Waits for the end of a deployment of this name that is being deleted. */
async function findByName(job: Job, inputs: Props, name: string): Promise<Deployment | undefined> {
  const existing = await byName(job.client, name);
  if (existing === undefined || !isBeingDeleted(existing.status)) return existing;
  job.log.progress(`waiting for the end of deployment ${existing.id}, which has this name`);
  const task = `create deployment '${name}': deployment ${existing.id}, which has this name, is being deleted`;
  await waitUntilGone({ ...job, id: existing.id }, inputs, task);
  return undefined;
}

async function byName(client: ControlPlane, name: string): Promise<Deployment | undefined> {
  for await (const deployment of client.deployments.list({ name_contains: name }))
    if (deployment.name === name) return deployment;
  return undefined;
}

/** No deployment had the name before, so one of equal immutable fields that has it after a lost answer is ours. */
async function post(job: Job, inputs: Props, name: string): Promise<Deployment> {
  const body = await toCreateRequest(inputs, name);
  const look = async (): Promise<Deployment | undefined> => {
    const found = await byName(job.client, name);
    const isOurs = found && planOf(toInputs(inputs, found), inputs).replaces.length === 0;
    return isOurs ? found : undefined;
  };
  return postOnce(job.clock, () => job.client.deployments.create(body), look);
}

import { Conflict, type ControlPlane, type Deployment } from "../../sdk";
import { postOnce } from "../host/post-once";
import { waitUntilGone } from "./delete";
import { isBeingDeleted } from "./status";
import type { Declared } from "./declared";
import { observedState } from "./observed";
import { toCreateRequest } from "./request";
import type { Target } from "./target";
import { deriveName, MOST_NAMES } from "./name";
import { release, reserve } from "./owners";
import { planOf } from "./plan";
import { OwnedElsewhere, adopt } from "./take-over";

/** A deployment to go on with, and what it shows when it was there before. */
interface Acquired {
  readonly deployment: Deployment;
  readonly seen?: Declared;
}

/**
 * Makes the deployment or takes one over. A derived name is given up for the next one where another resource of the
 * program has it, or where no deployment has it and the service refuses it all the same.
 */
export async function createOrAdopt(job: Target): Promise<Acquired> {
  const { declared } = job;
  const { baseUrl, workspaceId } = job.settings;
  const derived = declared.isNameDerived && job.urn !== undefined;
  let refusal: Conflict | undefined;
  for (let attempt = 0; attempt < (derived ? MOST_NAMES : 1); attempt += 1) {
    const name =
      attempt === 0 ? (declared.name ?? "") : deriveName(job.urn ?? "", declared, attempt);
    const place = [baseUrl, workspaceId.toLowerCase(), name].join(" ");
    // Before anything is awaited: another resource of the same name may be created at this very time.
    const maker = reserve(job.memory, place, job.urn);
    if (derived && maker !== undefined) continue;
    if (maker !== undefined)
      throw new Error(`create deployment '${name}': ${maker} has this name; choose another name`);
    try {
      return await acquireNamed(job, name);
    } catch (error) {
      release(job.memory, place);
      if (derived && error instanceof OwnedElsewhere) continue;
      if (!(error instanceof Conflict)) throw error;
      refusal = error;
    }
  }
  throw refused(refusal, derived);
}

function refused(refusal: Conflict | undefined, derived: boolean): Error {
  const advice = derived ? "Give the deployment a name" : "Choose another name";
  const reason =
    refusal === undefined
      ? "create deployment: other resources of this program have every name that can be derived"
      : `${refusal.message}; no deployment has this name: a deleted one leaves its tracing project behind`;
  return new Error(`${reason}. ${advice}`, { cause: refusal });
}

/** Throws a `Conflict` when the service refuses a name that no deployment has. */
async function acquireNamed(job: Target, name: string): Promise<Acquired> {
  const existing = await findByName(job, name);
  if (existing !== undefined) return { deployment: existing, seen: await adopt(job, existing) };
  try {
    return { deployment: await post(job, name) };
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    // Somebody else was a moment faster: what to do about it is decided as if it had been there before.
    const rival = await byName(job.client, name);
    if (rival === undefined) throw error;
    return { deployment: rival, seen: await adopt(job, rival) };
  }
}

/** A deployment of that name which is on its way out is waited for. */
async function findByName(job: Target, name: string): Promise<Deployment | undefined> {
  const existing = await byName(job.client, name);
  if (existing === undefined || !isBeingDeleted(existing.status)) return existing;
  job.log.progress(`waiting for the end of deployment ${existing.id}, which has this name`);
  const task = `create deployment '${name}': deployment ${existing.id}, which has this name, is on its way out`;
  await waitUntilGone({ ...job, id: existing.id }, task);
  return undefined;
}

async function byName(client: ControlPlane, name: string): Promise<Deployment | undefined> {
  for await (const deployment of client.deployments.list({ name_contains: name }))
    if (deployment.name === name) return deployment;
  return undefined;
}

/** Nobody had the name before, so a deployment of equal immutable fields that has it now is ours. */
async function post(job: Target, name: string): Promise<Deployment> {
  const body = await toCreateRequest(job.declared, name);
  const look = async (): Promise<Deployment | undefined> => {
    const found = await byName(job.client, name);
    const isOurs =
      found && planOf(observedState(job.declared, found), job.declared).replaces.length === 0;
    return isOurs ? found : undefined;
  };
  return postOnce(job.clock, () => job.client.deployments.create(body), look);
}

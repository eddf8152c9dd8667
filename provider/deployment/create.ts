import { Conflict, type ControlPlane, type Deployment } from "../../sdk";
import type { Context } from "../kind/context";
import { InitializationFailure } from "../kind/initialization-failure";
import { operationOf } from "../kind/operation";
import { postOnce, type Posted } from "../kind/post-once";
import { known } from "../arguments/decode";
import type { Props } from "../arguments/props";
import { adopt, wouldCreate } from "./adoption";
import { awaitRollout } from "./rollout/await";
import type { Declared } from "./declared/declared";
import { deriveName, MOST_NAMES, NameTaken } from "./declared/name";
import { placeOf } from "../kind/ownership";
import { toCreateRequest } from "./service/request";
import { waitUntilGone } from "./service/deletion";
import { isBeingDeleted } from "../../sdk/status";
import { NOTHING_GOOD } from "./state";
import type { Target } from "./target";

/** Creates the deployment, or adopts one that is there, and waits for its revision. */
export async function createDeployment(
  declared: Declared,
  context: Context,
): Promise<{ id: string; outs: Props }> {
  const target: Target = { ...operationOf(context), declared, lastGood: NOTHING_GOOD };
  const { deployment, revisionId } = await createOrAdopt(target);
  const { id } = deployment;
  return { id, outs: await awaitRollout({ ...target, id }, deployment, revisionId) };
}

/** A deployment that this resource owns from here on. */
interface Acquired {
  readonly deployment: Deployment;
  /** The revision that runs the declared state, or will. */
  readonly revisionId: string | null;
}

/** Creates the deployment or adopts one. While a derived name is taken, the next one is tried. */
async function createOrAdopt(target: Target): Promise<Acquired> {
  const { declared, urn = "" } = target;
  const { isNameDerived } = declared;
  let taken: NameTaken | undefined;
  for (let attempt = 0; attempt < (isNameDerived ? MOST_NAMES : 1); attempt += 1) {
    const name = attempt === 0 ? (known(declared.name) ?? "") : deriveName(urn, declared, attempt);
    try {
      return await createOrAdoptNamed(target, name);
    } catch (error) {
      if (!(error instanceof NameTaken)) throw error;
      taken = error;
    }
  }
  const advice = isNameDerived ? "set the argument `name`" : "choose another name";
  throw new Error(`${taken?.message}; ${advice}`, { cause: taken?.cause });
}

async function createOrAdoptNamed(target: Target, name: string): Promise<Acquired> {
  const { settings, urn, memory } = target;
  const { ownership } = memory;
  const place = placeOf(settings.workspaceId, name);
  // Before the first await: another resource may be creating a deployment of this name.
  const rival = ownership.startCreate(place, urn);
  if (rival !== undefined)
    throw new NameTaken(
      `create deployment '${name}': ${rival} is creating a deployment of this name`,
    );
  try {
    const existing = await findByName(target, name);
    const acquired = await (existing ? adopt(target, existing) : create(target, name));
    ownership.own(acquired.deployment.id, urn);
    return acquired;
  } catch (error) {
    if (error instanceof InitializationFailure) ownership.own(error.id, urn);
    else ownership.failCreate(place, urn);
    throw error;
  }
}

/** Another client may create one of this name meanwhile: that is adopted only as one that was there before. */
async function create(target: Target, name: string): Promise<Acquired> {
  const posted = await post(target, name).catch((error: unknown) => {
    if (!(error instanceof Conflict)) throw error;
    const reason = "no deployment has this name: a deleted one leaves its tracing project behind";
    throw new NameTaken(`${error.message}; ${reason}`, { cause: error });
  });
  if ("rival" in posted) return adopt(target, posted.rival);
  return { deployment: posted.own, revisionId: posted.own.latest_revision_id ?? null };
}

/** Waits for the end of a deployment of this name that is being deleted. */
async function findByName(target: Target, name: string): Promise<Deployment | undefined> {
  const existing = await byName(target.client, name);
  if (existing === undefined || !isBeingDeleted(existing.status)) return existing;
  const { id } = existing;
  target.log.progress(`waiting for the end of deployment ${id}, which has this name`);
  const task = `create deployment '${name}': deployment ${id}, which has this name, is being deleted`;
  await waitUntilGone({ ...target, id }, task);
  return undefined;
}

async function byName(client: ControlPlane, name: string): Promise<Deployment | undefined> {
  for await (const deployment of client.deployments.list({ name_contains: name }))
    if (deployment.name === name) return deployment;
  return undefined;
}

async function post(target: Target, name: string): Promise<Posted<Deployment>> {
  const { client, clock, declared } = target;
  const body = toCreateRequest(declared, name);
  return postOnce(clock, client, {
    key: name,
    post: () => client.deployments.create(body),
    find: () => byName(client, name),
    isEqual: (found) => wouldCreate(declared, found),
    createdAt: ({ created_at }) => created_at,
  });
}

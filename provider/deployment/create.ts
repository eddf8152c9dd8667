import { Conflict, type Deployment } from "../../sdk";
import type { Context } from "../resource/context";
import { type Operation, operationOf } from "../resource/operation";
import { postOnce, type Posted } from "../resource/post-once";
import { known } from "../arguments/decode";
import { textOf } from "../../shared/records";
import type { Props } from "../arguments/props";
import { controlPlaneAdvice } from "../resource/advice";
import { formatError } from "../resource/errors";
import { adopt, wouldCreate } from "./adoption";
import { outputsAfter } from "./result";
import { awaitRollout } from "./rollout/await";
import { deploymentArguments } from "./declared/argument-table";
import type { Declared } from "./declared/declared";
import { deriveName, MOST_NAMES, NameTaken } from "./declared/name";
import { byName } from "./service/observe";
import { toCreateRequest } from "./service/request";
import { waitUntilGone } from "./service/deletion";
import { RolloutError, type RolloutResult } from "./service/rollout-result";
import { isBeingDeleted } from "../../sdk/status";
import { NOTHING_GOOD } from "./declared/state";
import type { Target } from "./declared/state";

/** Creates the deployment, or adopts one that is there, and waits for its revision. */
export async function createDeployment(
  declared: Declared,
  context: Context,
): Promise<{ id: string; outs: Props }> {
  const operation = operationOf(context);
  const target: Target = { declared, lastGood: NOTHING_GOOD };
  const result = createAndFollow(operation, target);
  const outs = await outputsAfter(operation, target, result);
  return { id: (await result).deployment.id, outs };
}

async function createAndFollow(operation: Operation, target: Target): Promise<RolloutResult> {
  const accepted = await createOrAdopt(operation, target.declared);
  return awaitRollout({ ...operation, id: accepted.deployment.id }, target, accepted);
}

/** Creates the deployment or adopts one. While a derived name is taken, the next one is tried. */
async function createOrAdopt(operation: Operation, declared: Declared): Promise<RolloutResult> {
  const { urn = "" } = operation;
  const { isNameDerived } = declared;
  let refused: NameTaken | undefined;
  for (let attempt = 0; attempt < (isNameDerived ? MOST_NAMES : 1); attempt += 1) {
    const name = attempt === 0 ? (known(declared.name) ?? "") : deriveName(urn, declared, attempt);
    try {
      return await createOrAdoptNamed(operation, declared, name);
    } catch (error) {
      if (!(error instanceof NameTaken)) throw error;
      refused = error;
    }
  }
  const advice = isNameDerived ? "set the argument `name`" : "choose another name";
  throw new Error(`${refused?.message}; ${advice}`, { cause: refused?.cause });
}

async function createOrAdoptNamed(
  operation: Operation,
  declared: Declared,
  name: string,
): Promise<RolloutResult> {
  const { urn, processCache } = operation;
  const { owners } = processCache;
  // Before the first await: another resource may be creating a deployment of this name.
  const creating = owners.startCreate(name, urn);
  if (creating !== undefined)
    throw new NameTaken(
      `create deployment '${name}': ${creating} is creating a deployment of this name`,
    );
  try {
    const existing = await findByName(operation, declared, name);
    const accepted = await (existing
      ? adopt(operation, declared, existing)
      : create(operation, declared, name));
    owners.add(accepted.deployment.id, urn);
    return accepted;
  } catch (error) {
    if (error instanceof RolloutError) owners.add(error.result.deployment.id, urn);
    else owners.failCreate(name, urn);
    throw error;
  }
}

/** Another client may create one of this name meanwhile: that is adopted only as one that was there before. */
async function create(
  operation: Operation,
  declared: Declared,
  name: string,
): Promise<RolloutResult> {
  const posted = await post(operation, declared, name).catch((error: unknown) => {
    if (!(error instanceof Conflict)) throw error;
    const reason = "no deployment has this name: a deleted one leaves its tracing project behind";
    throw new NameTaken(`${error.message}; ${reason}`, { cause: error });
  });
  if ("existing" in posted) return adopt(operation, declared, posted.existing);
  const deployment = posted.created;
  const rollout = { revisionId: deployment.latest_revision_id ?? null, state: "pending" } as const;
  const created = { deployment, revisions: [], rollout };
  await setDisplayName(operation, declared, created);
  return created;
}

/** The service takes it in a PATCH alone. Where that fails, the state is one without it. */
async function setDisplayName(
  { client, settings, urn }: Operation,
  declared: Declared,
  created: RolloutResult,
): Promise<void> {
  const display_name = textOf(declared.displayName);
  if (display_name === undefined) return;
  try {
    await client.deployments.update(created.deployment.id, { display_name }, { resource: urn });
  } catch (error) {
    const putBack = deploymentArguments.withValues(declared, { displayName: undefined });
    throw new RolloutError({ ...created, putBack }, [
      `deployment '${created.deployment.name}' was created without its display name: ${formatError(error, controlPlaneAdvice(settings))}`,
      "run `pulumi up` again; it waits for the same revision and sets the name",
    ]);
  }
}

/** Waits for the end of a deployment of this name that is being deleted. */
async function findByName(
  operation: Operation,
  { timeoutSeconds }: Declared,
  name: string,
): Promise<Deployment | undefined> {
  const existing = await byName(operation.client, name);
  if (existing === undefined || !isBeingDeleted(existing.status)) return existing;
  const { id } = existing;
  void operation.log.progress(`waiting for the end of deployment ${id}, which has this name`);
  const task = `create deployment '${name}': deployment ${id}, which has this name, is being deleted`;
  await waitUntilGone({ ...operation, id }, timeoutSeconds, task);
  return undefined;
}

async function post(
  { client, clock, urn }: Operation,
  declared: Declared,
  name: string,
): Promise<Posted<Deployment>> {
  const body = toCreateRequest(declared, name);
  return postOnce(clock, client, {
    key: name,
    post: () => client.deployments.create(body, { resource: urn }),
    find: () => byName(client, name),
    isEqual: (found) => wouldCreate(declared, found),
    createdAt: ({ created_at }) => created_at,
  });
}

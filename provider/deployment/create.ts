import type { Deployment } from "../../sdk";
import type { Context } from "../resource/context";
import { type Operation, operationOf } from "../resource/operation";
import { known } from "../arguments/decode";
import type { Props } from "../arguments/props";
import { adopt, wouldCreate } from "./adoption";
import { awaitRollout } from "./rollout/await";
import type { Declared } from "./declared/declared";
import { deriveName, MOST_NAMES, NameTaken } from "./declared/name";
import { byName } from "./service/observe";
import { outputsAfter } from "./service/outputs";
import { postDeployment, withDisplayName } from "./service/post";
import { waitUntilGone } from "./service/deletion";
import { RolloutError, type RolloutResult } from "./service/rollout-result";
import { isBeingDeleted } from "../../sdk/status";
import { NOTHING_GOOD, type Target } from "./declared/state";

/** Creates the deployment, or adopts one that is there, and waits for its revision. */
export async function createDeployment(
  declared: Declared,
  context: Context,
): Promise<{ id: string; outs: Props }> {
  const operation = operationOf(context);
  const target: Target = { declared, lastGood: NOTHING_GOOD };
  const result = createAndFollow(operation, target);
  return outputsAfter(operation, target, result);
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
    const posted = existing
      ? { existing }
      : await postDeployment(operation, declared, name, (found) => wouldCreate(declared, found));
    const accepted = await ("created" in posted
      ? withDisplayName(operation, declared, posted.created)
      : adopt(operation, declared, posted.existing));
    owners.add(accepted.deployment.id, urn);
    return accepted;
  } catch (error) {
    if (error instanceof RolloutError) owners.add(error.result.deployment.id, urn);
    else owners.failCreate(name, urn);
    throw error;
  }
}

/** Waits for the end of a deployment of this name that is being deleted. */
async function findByName(
  operation: Operation,
  { timeoutSeconds }: Declared,
  name: string,
): Promise<Deployment | undefined> {
  const existing = await byName(operation, name);
  if (existing === undefined || !isBeingDeleted(existing.status)) return existing;
  const { id } = existing;
  void operation.log.progress(`waiting for the end of deployment ${id}, which has this name`);
  const task = `create deployment '${name}': deployment ${id}, which has this name, is being deleted`;
  await waitUntilGone({ ...operation, id }, timeoutSeconds, task, true);
  return undefined;
}

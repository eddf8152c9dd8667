import type { Deployment } from "../../sdk";
import {
  adviceToAdopt,
  isOwnBy,
  mayAdopt,
  type Ownership,
  ownershipOf,
  refusalOf,
  reportAdoption,
} from "../resource/ownership";
import type { Context } from "../resource/context";
import type { Unconfirmed } from "../resource/define-lifecycle";
import { findTwice } from "../resource/find";
import { type Operation, operationOf } from "../resource/operation";
import { COMMIT } from "./declared/argument-table";
import { type Declared, declaredBy, type Values } from "./declared/declared";
import { NameTaken } from "./declared/name";
import { ignoring } from "./service/ignored";
import { merge, shownState, withCommands } from "./service/shown";
import { byName, LISTED_REVISIONS } from "./service/observe";
import { patchOf } from "./service/patch";
import { planOf, revisionReasons } from "./declared/plan";
import type { RolloutResult } from "./service/rollout-result";
import { sendPatch } from "./service/send-patch";

/** Adopts the deployment that has the name: what it lacks is sent in one PATCH. Throws where it must not be adopted. */
export async function adopt(
  operation: Operation,
  declared: Declared,
  existing: Deployment,
): Promise<RolloutResult> {
  await claim(operation, declared, existing);
  const adopting: Operation = { ...operation, id: existing.id };
  const revisions = await adopting.client.revisions.newest(adopting.id, LISTED_REVISIONS);
  const after = ignoring(declared, existing)(declared);
  const plan = planOf(shownState(declared, existing), after);
  const patch = patchOf(plan, existing);
  return sendPatch(adopting, { deployment: existing, revisions }, patch);
}

/**
 * Reports the adoption of a deployment that this resource may adopt: one that its own interrupted create made, by the state
 * of the stack, or with `adoptExisting` any that no other resource has. Else throws what to do.
 */
async function claim(
  operation: Operation,
  declared: Declared,
  existing: Deployment,
): Promise<void> {
  const { processCache, urn } = operation;
  const { id, name } = existing;
  const owner = processCache.owners.otherOwner(id, urn);
  if (owner !== undefined)
    throw new NameTaken(
      `create deployment '${name}': deployment ${id} has this name and belongs to ${owner}`,
    );
  const { differences, obstacle } = compare(declared, existing);
  const inputs = declared.props;
  const ownership = await ownershipOf(operation, id, inputs);
  const isOwn = isOwnBy(ownership, (made) => wouldCreate(declaredBy(made), existing));
  const isAdoptable = mayAdopt(ownership, declared.replacementOrder) || isLeftBy(ownership, urn);
  if (!isOwn && !(declared.adoptExisting === true && isAdoptable)) {
    const conflict = {
      id,
      ownership,
      inputs,
      differences,
      adoption: [ADOPT],
      otherwise: "choose another name",
    };
    const refusal = refusalOf(operation, conflict);
    throw new Error(
      `create deployment '${name}': deployment ${id} has this name already, ${refusal}`,
    );
  }
  if (obstacle !== undefined) throw new Error(`adopt deployment '${name}' (${id}): ${obstacle}`);
  reportAdoption(operation, `deployment ${id}`, ownership, isOwn);
}

export const ADOPT = adviceToAdopt("its threads and database");

/** In what a deployment differs from what is declared, and the obstacle to becoming that, whoever has it. */
export function compare(
  declared: Declared,
  existing: Deployment,
): { readonly differences: readonly string[]; readonly obstacle: string | undefined } {
  const plan = planOf(withCommands(merge<Values>(declared, existing), existing), declared);
  const { replaces, settings } = plan;
  return {
    differences: [...replaces, ...settings, ...revisionReasons(plan)],
    obstacle:
      replaces.length === 0
        ? undefined
        : `${replaces.join(", ")} differ and can't be changed; declare its values, or choose another name`,
  };
}

/** Whether a deployment is what a create makes of these values, as far as they are known. It does not choose the commit. */
export function wouldCreate(declared: Declared, existing: Deployment): boolean {
  return compare({ ...declared, [COMMIT]: undefined }, existing).differences.length === 0;
}

/** Finds the deployment of the name under which a POST without a response may have created one. */
export async function findUnconfirmed(
  name: string,
  declared: Declared,
  context: Context,
): Promise<Unconfirmed | undefined> {
  const operation = operationOf(context);
  const found = await findTwice(context.clock, () => byName(operation, name));
  return found && { id: found.id, isEqual: wouldCreate(declared, found) };
}

/** Whether another resource of the stack has it and does not delete it: this process serves that too, as one that was renamed. */
function isLeftBy(ownership: Ownership, urn: string | undefined): boolean {
  return ownership.status === "recorded" && ownership.isServedHere && ownership.by !== urn;
}

import type { Deployment } from "../../sdk";
import {
  isOwnBy,
  mayAdopt,
  type Ownership,
  ownershipOf,
  refusalOf,
  reportAdoption,
} from "../resource/ownership";
import type { Operation } from "../resource/operation";
import { COMMIT } from "./declared/argument-table";
import { type Declared, declaredBy, type Values } from "./declared/declared";
import { NameTaken } from "./declared/name";
import { ignoring } from "./service/ignored";
import { merge, shownState } from "./service/observed";
import { patchOf } from "./service/patch";
import { type Plan, planOf } from "./declared/plan";
import { revisionReasons } from "./preview";
import type { RolloutResult } from "./service/rollout-result";
import { sendPatch } from "./service/send-patch";

/** Adopts the deployment that has the name: what it lacks is sent in one PATCH. Throws where it must not be adopted. */
export async function adopt(
  operation: Operation,
  declared: Declared,
  existing: Deployment,
): Promise<RolloutResult> {
  const seen = await adoptableState(operation, declared, existing);
  const adopting: Operation = { ...operation, id: existing.id };
  const revisions = await adopting.client.revisions.newest(adopting.id, 2);
  const after = ignoring(declared, existing)(declared);
  const patch = patchOf(planOf(seen, after), existing);
  return sendPatch(adopting, { deployment: existing, revisions }, patch);
}

/**
 * The observed state of a deployment that this resource may adopt: one that its own interrupted create made, by the state
 * of the stack, or with `adoptExisting` any that no other resource has. Else throws what to do.
 */
async function adoptableState(
  operation: Operation,
  declared: Declared,
  existing: Deployment,
): Promise<Values> {
  const { processCache, urn } = operation;
  const { id, name } = existing;
  const owner = processCache.owners.otherOwner(id, urn);
  if (owner !== undefined)
    throw new NameTaken(
      `create deployment '${name}': deployment ${id} has this name and belongs to ${owner}`,
    );
  const ownership = await ownershipOf(operation, id, declared.props);
  const isOwn = isOwnBy(ownership, (inputs) => wouldCreate(declaredBy(inputs), existing));
  const plan = planOf(merge<Values>(declared, existing), declared);
  const obstacle = obstacleTo(plan);
  const isAdopted =
    declared.adoptExisting === true && (mayAdopt(ownership) || isLeftBy(ownership, urn));
  if (!isOwn && !isAdopted)
    throw takenError(operation, declared, existing, { ownership, plan });
  if (obstacle !== undefined) throw new Error(`adopt deployment '${name}' (${id}): ${obstacle}`);
  reportAdoption(operation, `deployment ${id}`, ownership, isOwn);
  return shownState(declared, existing);
}

/** Why a deployment cannot become what is declared, whoever has it. */
export function obstacleTo({ replaces }: Plan): string | undefined {
  const differing = replaces.filter((path) => path !== "name");
  if (differing.length === 0) return undefined;
  return `${differing.join(", ")} differ and can't be changed; declare its values, or choose another name`;
}

/** Whether a deployment is what a create makes of these values, as far as they are known. It does not choose the commit. */
export function wouldCreate(declared: Declared, existing: Deployment): boolean {
  const asked = { ...declared, [COMMIT]: undefined };
  return differences(planOf(merge(asked, existing), asked)).length === 0;
}

function differences(plan: Plan): string[] {
  return [...plan.replaces, ...plan.settings, ...revisionReasons(plan)];
}

/** Whether another resource of the stack has it and does not delete it: this process serves that too, as one that was renamed. */
function isLeftBy(ownership: Ownership, urn: string | undefined): boolean {
  return ownership.status === "recorded" && ownership.isServedHere && ownership.by !== urn;
}

function takenError(
  operation: Operation,
  declared: Declared,
  existing: Deployment,
  { ownership, plan }: { readonly ownership: Ownership; readonly plan: Plan },
): Error {
  const { id, name } = existing;
  const refusal = refusalOf(operation, {
    id,
    ownership,
    inputs: declared.props,
    differences: differences(plan),
    adoption: [
      "to adopt it, set adoptExisting: true until it is adopted; if another resource or stack has it, a destroy of either then deletes its threads and database",
    ],
    otherwise: "choose another name",
  });
  return new Error(
    `create deployment '${name}': deployment ${id} has this name already, ${refusal}`,
  );
}

import type { Deployment } from "../../sdk";
import { recordOf } from "../../shared/records";
import { identityOf } from "../host/urn";
import { present } from "../inputs/props";
import { type Declared, declaredBy } from "./declared";
import { NameTaken } from "./name";
import { observedState, withHiddenAsUnknown } from "./observed";
import { patchOf } from "./patch";
import { createsRevision, type Plan, planOf } from "./plan";
import { revisionReasons } from "./preview";
import { type Change, sendPatch } from "./send-patch";
import type { Target } from "./target";

const OWN_CREATE_MS = 3_600_000;

/** Adopts the deployment that has the name: what it lacks is sent in one PATCH. Throws where it must not be adopted. */
export async function adopt(target: Target, existing: Deployment): Promise<Change> {
  const seen = await adoptableState(target, existing);
  const own: Target = { ...target, id: existing.id };
  const revisions = await own.client.revisions.newest(own.id, 2);
  const patch = patchOf(planOf(seen, own.declared), existing);
  return sendPatch(own, { deployment: existing, revisions }, patch);
}

/**
 * The observed state of a deployment that this resource may adopt: one that its own unfinished create made, or any with
 * `adoptExisting`. Else throws what to do.
 */
async function adoptableState(target: Target, existing: Deployment): Promise<Declared> {
  const { declared, memory, log } = target;
  const { id, name } = existing;
  const task = `create deployment '${name}'`;
  const owner = memory.ownership.otherOwner(id, target.urn);
  if (owner !== undefined)
    throw new NameTaken(`${task}: deployment ${id} has this name and belongs to ${owner}`);
  if (declared.replacementOrder === "creates first")
    throw new Error(
      `${task}: deployment ${id} has this name and still exists; with deleteBeforeReplace: false, set another name for the new one`,
    );
  if (target.door === "native" && !declared.adoptsExisting) throw takenError(target, existing);
  const seen = observedState(declared, existing);
  const plan = planOf(seen, declared);
  const replaces = plan.replaces.filter((path) => path !== "name");
  const { isNameDerived, adoptsExisting } = declared;
  const mayBeOwn = replaces.length === 0;
  const isFresh = mayBeOwn && (await isUnfinished(target, existing));
  if (isFresh && isNameDerived && !createsRevision(plan)) {
    log.warn(`adopts deployment ${id}, which an unfinished create of this resource created`);
    return withHiddenAsUnknown(seen, existing);
  }
  if (!adoptsExisting) {
    const hint = isFresh || (mayBeOwn && isNameDerived) ? unfinishedCreate(plan) : "";
    throw new Error(
      `${task}: deployment ${id} has this name already; ${hint}set adoptExisting: true until it is adopted, or choose another name`,
    );
  }
  if (replaces.length > 0)
    throw new Error(
      `adopt deployment '${name}' (${id}): ${replaces.join(", ")} differ and can't be changed; declare its values, or choose another name`,
    );
  log.info(`adopts deployment ${id}`);
  return withHiddenAsUnknown(withCommands(seen, existing), existing);
}

/**
 * The native provider cannot tell the create of a forced replacement, whose old deployment is deleted right after it, from
 * one that finds what an interrupted create of the same resource left. It adopts neither by itself.
 */
function takenError({ urn = "" }: Target, { id, name }: Deployment): Error {
  const { logicalName } = identityOf(urn);
  return new Error(
    `create deployment '${name}': deployment ${id} has this name already; ` +
      "where this run is to replace it, set the option deleteBeforeReplace: true; " +
      `where an interrupted create left it, or it is to be managed from now on, run \`pulumi import agentserver:index:Deployment ${logicalName} ${id}\`, ` +
      "or set adoptExisting: true until it is adopted; else choose another name",
  );
}

/** Whether it looks as a killed create leaves it: young, by the server's own clock, and with its first revision alone. */
async function isUnfinished({ client }: Target, { id, created_at }: Deployment): Promise<boolean> {
  const age = client.serverNow().getTime() - Date.parse(created_at);
  return age < OWN_CREATE_MS && (await client.revisions.newest(id, 2)).length === 1;
}

/** Why it is not adopted all the same: values have changed since, or the name is set, and any program may set the same. */
function unfinishedCreate(plan: Plan): string {
  const changes = revisionReasons(plan);
  const since = changes.length > 0 ? `, before a change of ${changes.join(", ")}` : "";
  return `an unfinished create of this resource may have created it${since}; `;
}

/** Undeclared commands count as declared before: the service can't clear them, so that removing them is refused. */
function withCommands({ inputs }: Declared, { source_config: config }: Deployment): Declared {
  const { install_command: installCommand, build_command: buildCommand } = config;
  const commands = present({ installCommand, buildCommand });
  return declaredBy({
    ...inputs,
    sourceConfig: { ...recordOf(inputs["sourceConfig"]), ...commands },
  });
}

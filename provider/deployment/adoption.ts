import type { Deployment } from "../../sdk";
import type { Job } from "../host/job";
import { recordOf } from "../../shared/records";
import { present, type Props } from "../inputs/props";
import { withHiddenAsUnknown, toInputs } from "./mapping";
import { sendPatch } from "./apply";
import { NameTaken } from "./name";
import { patchOf } from "./patch";
import { makesRevision, type Plan, planOf } from "./plan";
import { variableReasons } from "./words";

const OWN_CREATE_MS = 3_600_000;

/** Adopts the deployment that has the name: what it lacks is sent in one PATCH. Throws where it must not be adopted. */
export async function adopt(job: Job, inputs: Props, existing: Deployment) {
  const seen = await adoptableInputs(job, inputs, existing);
  const own: Job = { ...job, id: existing.id };
  const revisions = await job.client.revisions.newest(own.id, 2);
  const patch = patchOf(seen, inputs, existing, false);
  return sendPatch(own, inputs, { deployment: existing, revisions }, patch);
}

/**
 * The inputs that a deployment reflects which this resource may adopt: one that its own unfinished create made, or any
 * with `adoptExisting`. Else throws what to do.
 */
async function adoptableInputs(job: Job, inputs: Props, existing: Deployment): Promise<Props> {
  const { id, name } = existing;
  const task = `create deployment '${name}'`;
  const owner = job.memory.ownership.otherOwner(id, job.urn);
  if (owner !== undefined)
    throw new NameTaken(`${task}: deployment ${id} has this name and belongs to ${owner}`);
  if (inputs["__createFirst"] === true)
    throw new Error(
      `${task}: deployment ${id} has this name and is still there; with deleteBeforeReplace: false give the new one another name`,
    );
  const seen = toInputs(inputs, existing);
  const plan = planOf({ ...seen, nameDerived: inputs["nameDerived"] }, inputs);
  const replaces = plan.replaces.filter((path) => path !== "name");
  const isDerived = inputs["nameDerived"] === true;
  const mayBeOwn = replaces.length === 0;
  const isFresh = mayBeOwn && (await isUnfinished(job, existing));
  if (isFresh && isDerived && !makesRevision(plan)) {
    job.log.warn(`adopts deployment ${id}, which an unfinished create of this resource created`);
    return withHiddenAsUnknown(seen, existing);
  }
  if (inputs["adoptExisting"] !== true) {
    const hint = isFresh || (mayBeOwn && isDerived) ? unfinishedCreate(plan) : "";
    throw new Error(
      `${task}: deployment ${id} has this name already; ${hint}set adoptExisting: true until it is adopted, or choose another name`,
    );
  }
  if (replaces.length > 0)
    throw new Error(
      `adopt deployment '${name}' (${id}): ${replaces.join(", ")} differ and can't be changed; declare its values, or choose another name`,
    );
  job.log.info(`adopts deployment ${id}`);
  return withHiddenAsUnknown(withCommands(seen, existing), existing);
}

/** Whether it looks as a killed create leaves it: young, by the server's own clock, and with its first revision alone. */
async function isUnfinished({ client }: Job, { id, created_at }: Deployment): Promise<boolean> {
  const age = client.serverNow().getTime() - Date.parse(created_at);
  return age < OWN_CREATE_MS && (await client.revisions.newest(id, 2)).length === 1;
}

/** Why it is not adopted all the same: values have changed since, or the name is set, and any program may set the same. */
function unfinishedCreate(plan: Plan): string {
  const changes = [...plan.revision, ...variableReasons(plan)];
  const since = changes.length > 0 ? `, before a change of ${changes.join(", ")}` : "";
  return `an unfinished create of this resource may have created it${since}; `;
}

/** Undeclared commands count as declared before: the service can't clear them, so that removing them is refused. */
function withCommands(seen: Props, { source_config: config }: Deployment): Props {
  const { install_command: installCommand, build_command: buildCommand } = config;
  const commands = present({ installCommand, buildCommand });
  return { ...seen, sourceConfig: { ...recordOf(seen["sourceConfig"]), ...commands } };
}

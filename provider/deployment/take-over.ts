import type { Deployment } from "../../sdk";
import type { Operation } from "../host/operation";
import { recordOf } from "../../shared/records";
import { present } from "../inputs/props";
import { type Declared, declaredBy } from "./declared";
import { observedState, withHiddenAsUnknown } from "./observed";
import type { Target } from "./target";
import { otherOwner, want } from "./owners";
import { createsRevision, type Plan, planOf } from "./plan";
import { revisionReasons } from "./preview";

const OWN_CREATE_MS = 3_600_000;

/** Another resource of the program has the deployment. */
export class OwnedElsewhere extends Error {
  override readonly name = "OwnedElsewhere";
}

/** What a deployment shows that is adopted, or that an own unfinished create made; throws what to do when it is neither. */
export async function adopt(job: Target, existing: Deployment): Promise<Declared> {
  const { declared } = job;
  const { id, name } = existing;
  const seen = observedState(declared, existing);
  const plan = planOf(seen, declared);
  const replaces = plan.replaces.filter((path) => path !== "name");
  const owner = otherOwner(job.memory, id, job.urn);
  if (owner !== undefined)
    throw new OwnedElsewhere(
      `create deployment '${name}': deployment ${id} has this name, and ${owner} has the deployment; choose another name`,
    );
  if (declared.createsFirst)
    throw new Error(
      `create deployment '${name}': deployment ${id} has this name and is still there; with deleteBeforeReplace: false give the new one another name`,
    );
  want(job.memory, id, job.urn, "its create has not succeeded");
  const refusal = (task: string, why: string, advice: string): Error => {
    want(job.memory, id, job.urn, why);
    return new Error(`${task}: ${why}; ${advice}`);
  };
  const isDerived = declared.isNameDerived;
  const mayBeOwn = replaces.length === 0;
  const isFresh = mayBeOwn && (await isUnfinished(job, existing));
  if (isFresh && isDerived && !createsRevision(plan)) {
    job.log.warn(`takes over deployment ${id}, which an unfinished create of this resource made`);
    return withHiddenAsUnknown(seen, existing);
  }
  if (!declared.adoptsExisting)
    throw refusal(
      `create deployment '${name}'`,
      `deployment ${id} has this name already`,
      `${isFresh || (mayBeOwn && isDerived) ? unfinishedCreate(plan) : ""}set adoptExisting: true until it is taken over, or choose another name`,
    );
  if (replaces.length > 0)
    throw refusal(
      `adopt deployment '${name}' (${id})`,
      `${replaces.join(", ")} differ and can't be changed`,
      "declare what it has, or choose another name",
    );
  job.log.info(`takes over deployment ${id}`);
  return withHiddenAsUnknown(withCommands(seen, existing), existing);
}

/** Whether it is as a create leaves it that was killed: young, by the server's own clock, and with its first revision. */
async function isUnfinished(
  { client }: Operation,
  { id, created_at }: Deployment,
): Promise<boolean> {
  const age = client.serverNow().getTime() - Date.parse(created_at);
  return age < OWN_CREATE_MS && (await client.revisions.newest(id, 2)).length === 1;
}

/** Why it is not taken over all the same: values changed in between, or a given name, which anybody may have given. */
function unfinishedCreate(plan: Plan): string {
  const changes = revisionReasons(plan);
  const since = changes.length > 0 ? `, before a change of ${changes.join(", ")}` : "";
  return `an unfinished create of this resource may have made it${since}; `;
}

/** Commands that nobody declared are taken for declared before: the service can't clear them, which is refused. */
function withCommands({ inputs }: Declared, { source_config: config }: Deployment): Declared {
  const { install_command: installCommand, build_command: buildCommand } = config;
  const commands = present({ installCommand, buildCommand });
  return declaredBy({
    ...inputs,
    sourceConfig: { ...recordOf(inputs["sourceConfig"]), ...commands },
  });
}

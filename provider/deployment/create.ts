import { Conflict, type ControlPlane, type Deployment } from "../../sdk";
import { jobOf, type Job } from "../job";
import { postOnce } from "../post";
import type { Context } from "../process";
import { type Props, recordOf, textOf } from "../props";
import { applyChange } from "./apply";
import { waitUntilGone } from "./delete";
import { toCreateRequest, toInputs } from "./mapping";
import { deriveName, MOST_NAMES } from "./name";
import { patchOf } from "./patch";
import { makesRevision, planOf } from "./plan";
import { settle } from "./settle";

/** Makes the deployment, or finds the one that an unfinished create made, and waits for its revision. */
export async function createDeployment(
  inputs: Props,
  context: Context,
): Promise<{ id: string; outs: Props }> {
  const job = jobOf("", context);
  const { deployment, seen } = await acquire(job, inputs);
  const own: Job = { ...job, id: deployment.id };
  const made = seen
    ? await bringToDeclared(own, inputs, deployment, seen)
    : { deployment, revisionId: deployment.latest_revision_id ?? null };
  const outs = await settle(own, inputs, made.deployment, made.revisionId);
  return { id: deployment.id, outs };
}

/** A deployment to go on with, and what it shows when it was there before. */
interface Acquired {
  readonly deployment: Deployment;
  readonly seen?: Props;
}

/** A name that no deployment has and that the service refuses all the same is given up for the next derived one. */
async function acquire(job: Job, inputs: Props): Promise<Acquired> {
  const first = textOf(inputs["name"]) ?? "";
  const derived = inputs["nameDerived"] === true && job.urn !== undefined;
  for (let attempt = 0; ; attempt += 1) {
    const name = attempt === 0 ? first : deriveName(job.urn ?? "", inputs, attempt);
    const existing = await findByName(job, inputs, name);
    if (existing !== undefined)
      return { deployment: existing, seen: await takeOver(job, inputs, existing) };
    try {
      return { deployment: await post(job, inputs, name) };
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
      // Somebody else was a moment faster: what to do about it is decided as if it had been there before.
      const rival = await byName(job.client, name);
      if (rival !== undefined)
        return { deployment: rival, seen: await takeOver(job, inputs, rival) };
      if (!derived || attempt + 1 === MOST_NAMES)
        throw new Error(
          `${error.message}; no deployment has this name: a deleted one leaves its tracing project behind. ${
            derived ? "Give the deployment a name" : "Choose another name"
          }`,
          { cause: error },
        );
    }
  }
}

/** A deployment of that name which is on its way out is waited for. */
async function findByName(job: Job, inputs: Props, name: string): Promise<Deployment | undefined> {
  const existing = await byName(job.client, name);
  if (existing?.status !== "AWAITING_DELETE") return existing;
  job.log.progress(`waiting for the end of deployment ${existing.id}, which has this name`);
  const task = `create deployment '${name}': deployment ${existing.id}, which has this name, is on its way out`;
  await waitUntilGone({ ...job, id: existing.id }, inputs, task);
  return undefined;
}

async function byName(client: ControlPlane, name: string): Promise<Deployment | undefined> {
  for await (const deployment of client.deployments.list({ name_contains: name }))
    if (deployment.name === name) return deployment;
  return undefined;
}

/** Nobody had the name before, so a deployment of equal immutable fields that has it now is ours. */
async function post(job: Job, inputs: Props, name: string): Promise<Deployment> {
  const body = await toCreateRequest(inputs, name);
  const look = async (): Promise<Deployment | undefined> => {
    const found = await byName(job.client, name);
    const isOurs = found && planOf(toInputs(inputs, found), inputs).replaces.length === 0;
    return isOurs ? found : undefined;
  };
  return postOnce(job.clock, () => job.client.deployments.create(body), look);
}

const OWN_CREATE_MS = 3_600_000;

/** What a deployment shows that is adopted, or that an own unfinished create made; throws what to do when it is neither. */
async function takeOver(job: Job, inputs: Props, existing: Deployment): Promise<Props> {
  const { id, name } = existing;
  const seen = toInputs(inputs, existing);
  const plan = planOf({ ...seen, nameDerived: inputs["nameDerived"] }, inputs);
  const replaces = plan.replaces.filter((path) => path !== "name");
  if (inputs["__createFirst"] === true)
    throw new Error(
      `create deployment '${name}': deployment ${id} has this name and is still there; with deleteBeforeReplace: false give the new one another name`,
    );
  const age = job.client.serverNow().getTime() - Date.parse(existing.created_at);
  const isOwnCreate =
    inputs["nameDerived"] === true &&
    replaces.length === 0 &&
    !makesRevision(plan) &&
    age < OWN_CREATE_MS &&
    (await job.client.revisions.newest(id, 2)).length === 1;
  if (isOwnCreate) {
    job.log.warn(`takes over deployment ${id}, which an unfinished create of this resource made`);
    return seen;
  }
  if (inputs["adoptExisting"] !== true)
    throw new Error(
      `create deployment '${name}': deployment ${id} has this name already; set adoptExisting: true until it is taken over, or choose another name`,
    );
  if (replaces.length > 0)
    throw new Error(
      `adopt deployment '${name}' (${id}): ${replaces.join(", ")} differ and can't be changed; declare what it has, or choose another name`,
    );
  job.log.info(`takes over deployment ${id}`);
  return withShownCommands(seen, existing);
}

/** What a deployment that was taken over lacks is sent in one PATCH. */
async function bringToDeclared(job: Job, inputs: Props, deployment: Deployment, seen: Props) {
  const revisions = await job.client.revisions.newest(job.id, 2);
  const patch = patchOf(seen, inputs, deployment, false);
  return applyChange(job, inputs, { deployment, revisions }, patch);
}

/** Nobody knows of a command that somebody else's deployment does not show: it is sent. */
function withShownCommands(seen: Props, existing: Deployment): Props {
  const { installCommand: _i, buildCommand: _b, ...rest } = recordOf(seen["sourceConfig"]);
  const { install_command: installCommand, build_command: buildCommand } = existing.source_config;
  return { ...seen, sourceConfig: { ...rest, installCommand, buildCommand } };
}

import { randomUUID } from "node:crypto";
import type { CreateDeployment, UpdateDeployment } from "../../sdk/schema";
import { isBeingDeleted } from "../../sdk/status";
import { mergeRevisionConfig, mergeSourceConfig } from "./configuration";
import type { Platform } from "./platform";
import { notFound, problem } from "./problems";
import {
  changesVariables,
  makesRevision,
  namesSetTwice,
  problemsOfCreate,
  problemsOfUpdate,
} from "./rules";
import type { StoredDeployment, Workspace } from "../store";
import { addRevision, newRevision } from "../rollout/revisions";
import { moveDeployment } from "../rollout/transitions";

/** A deployment of this workspace; throws 404. */
export function findDeployment(
  { store }: Platform,
  workspace: Workspace,
  id: string,
): StoredDeployment {
  const deployment = store.deployments.get(id);
  if (deployment?.workspace_id !== workspace.id) throw notFound("deployment", id);
  return deployment;
}

/** A deployment of this workspace that is not being deleted; throws 404 and 409. */
export function findChangeableDeployment(
  platform: Platform,
  workspace: Workspace,
  id: string,
): StoredDeployment {
  const deployment = findDeployment(platform, workspace, id);
  if (isBeingDeleted(deployment.status)) throw problem(409, `deployment ${id} is being deleted`);
  return deployment;
}

/** Creates a deployment and its first revision; throws 400 and 409. */
export function createDeployment(
  platform: Platform,
  workspace: Workspace,
  body: CreateDeployment,
): StoredDeployment {
  const { store, clock, scheduler } = platform;
  const { name, source, secrets } = body;
  const secret_references = body.secret_references ?? [];
  const { integration_id, listener_id } = body.source_config;
  refuse(
    problemsOfCreate(body, {
      dialect: platform.dialect,
      hosting: platform.hosting,
      integration: integration_id && store.integrations.get(workspace.id, integration_id),
      listener: listener_id ? store.listeners.get(workspace.id, listener_id) : undefined,
    }),
  );
  refuse(namesSetTwice(secrets, secret_references));
  refuseTakenName(platform, workspace, name);
  const id = randomUUID();
  const url = `${platform.url}/agents/${id}`;
  const source_config = mergeSourceConfig({}, body.source_config);
  const source_revision_config = mergeRevisionConfig({}, body.source_revision_config);
  const revision = newRevision(id, {
    source_config,
    source_revision_config,
    secrets,
    secret_references,
  });
  const owner = { workspace_id: workspace.id, latest_revision_id: revision.id };
  const at = clock.stamp();
  store.transaction(() => {
    store.deployments.add({ id, name, source, source_config, url, ...owner }, at);
    store.revisions.add(revision, at);
  });
  scheduler.enqueue(revision);
  return findDeployment(platform, workspace, id);
}

/** Changes a deployment; creates one revision if a trigger is among the changes. Throws 400, 404 and 409. */
export function updateDeployment(
  platform: Platform,
  workspace: Workspace,
  id: string,
  body: UpdateDeployment,
): StoredDeployment {
  return changeDeployment(platform, workspace, id, body, makesRevision(body, platform.dialect));
}

/** Changes a deployment, and creates a revision if `withRevision` says so. Throws 400, 404 and 409. */
export function changeDeployment(
  platform: Platform,
  workspace: Workspace,
  id: string,
  body: UpdateDeployment,
  withRevision: boolean,
): StoredDeployment {
  const { store, clock } = platform;
  const old = findChangeableDeployment(platform, workspace, id);
  // The namespace can't be changed, and a listener's configuration has nothing else: what is there stays.
  const changes = { ...body.source_config, listener_config: null };
  const source_config = mergeSourceConfig(old.source_config, changes);
  const source_revision_config = mergeRevisionConfig(
    old.source_revision_config,
    body.source_revision_config,
  );
  const merged = { source_config, source_revision_config };
  refuse(problemsOfUpdate(old.source, body, merged, platform.dialect));
  const { secrets } = changesVariables(body, platform.dialect) ? body : old;
  const secret_references = body.secret_references ?? old.secret_references;
  refuse(namesSetTwice(secrets, secret_references));
  store.transaction(() => {
    if (Object.values(changes).some((value) => value !== null && value !== undefined))
      store.deployments.setSourceConfig(id, source_config, clock.stamp());
    if (body.display_name) store.deployments.setDisplayName(id, body.display_name, clock.stamp());
    if (withRevision)
      addRevision(platform, id, {
        source_config,
        source_revision_config,
        secrets,
        secret_references,
      });
  });
  return findDeployment(platform, workspace, id);
}

/** Starts to delete a deployment; its status is `AWAITING_DELETE` until it is gone. Throws 404. */
export function deleteDeployment(platform: Platform, workspace: Workspace, id: string): void {
  const { store, clock, scheduler } = platform;
  findDeployment(platform, workspace, id);
  if (moveDeployment(store, clock, id, "deleted")) scheduler.remove(id);
}

/** Throws 400 with every problem, if there is one. */
export function refuse(problems: readonly string[]): void {
  if (problems.length > 0) throw problem(400, problems.join("; "));
}

function refuseTakenName({ store }: Platform, workspace: Workspace, name: string): void {
  const other = store.deployments.named(workspace.id, name);
  if (other && isBeingDeleted(other.status))
    throw problem(409, `the deployment ${other.id} of this name is still being deleted: ${name}`);
  if (other) throw problem(409, `a deployment of this name exists already (${other.id}): ${name}`);
  if (store.leftoverNames.has(name))
    throw problem(409, `a tracing project of this name exists already: ${name}`);
}

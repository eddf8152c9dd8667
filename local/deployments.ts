import { randomUUID } from "node:crypto";
import type { z } from "zod";
import {
  roundCpu,
  SourceConfig,
  SourceRevisionConfig,
  type CreateDeployment,
  type SourceConfigRequest,
  type UpdateDeployment,
} from "../sdk/schema";
import { nextDeployment } from "./machine";
import type { Platform } from "./platform";
import { notFound, problem } from "./problems";
import { makesRevision, problemsOfCreate, problemsOfUpdate } from "./rules";
import type { StoredDeployment, Workspace } from "./store";
import type { NewRevision } from "./store/revisions";

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

/** The same, and it is not being deleted; throws 404 and 409. */
export function findLivingDeployment(
  platform: Platform,
  workspace: Workspace,
  id: string,
): StoredDeployment {
  const deployment = findDeployment(platform, workspace, id);
  if (deployment.status === "AWAITING_DELETE")
    throw problem(409, `deployment ${id} is being deleted`);
  return deployment;
}

/** Creates a deployment and its first revision; throws 400 and 409. */
export function createDeployment(
  platform: Platform,
  workspace: Workspace,
  body: CreateDeployment,
): StoredDeployment {
  const { store, clock, scheduler } = platform;
  const { integration_id, listener_id } = body.source_config;
  refuse(
    problemsOfCreate(body, {
      hosting: platform.hosting,
      integration: integration_id && store.integrations.get(workspace.id, integration_id),
      listener: listener_id ? store.listeners.get(workspace.id, listener_id) : undefined,
    }),
  );
  refuseTakenName(platform, workspace, body.name);
  const id = randomUUID();
  const source_config = mergedSourceConfig({}, body.source_config);
  const revision = newRevision(id, {
    source_config,
    source_revision_config: mergedRevisionConfig({}, body.source_revision_config),
    secrets: body.secrets,
  });
  store.transaction(() => {
    const at = clock.stamp();
    const { name, source } = body;
    const url = `${platform.url}/agents/${id}`;
    store.deployments.add(
      {
        id,
        workspace_id: workspace.id,
        name,
        source,
        source_config,
        url,
        latest_revision_id: revision.id,
      },
      at,
    );
    store.revisions.add(revision, at);
  });
  scheduler.enqueue(revision);
  return findDeployment(platform, workspace, id);
}

/** Changes a deployment; makes one revision when a trigger is among the changes. Throws 400, 404 and 409. */
export function updateDeployment(
  platform: Platform,
  workspace: Workspace,
  id: string,
  body: UpdateDeployment,
): StoredDeployment {
  const { store, clock, scheduler } = platform;
  const old = findLivingDeployment(platform, workspace, id);
  // The one thing that a listener's configuration can say can't be changed: what is there stays.
  const changes = { ...body.source_config, listener_config: null };
  const source_config = mergedSourceConfig(old.source_config, changes);
  const source_revision_config = mergedRevisionConfig(
    old.source_revision_config,
    body.source_revision_config ?? {},
  );
  refuse(problemsOfUpdate(old.source, body, { source_config, source_revision_config }));
  const secrets = body.secrets?.length ? body.secrets : old.secrets;
  const revision = makesRevision(body)
    ? newRevision(id, {
        source_config,
        source_revision_config,
        secrets,
      })
    : undefined;
  store.transaction(() => {
    const at = clock.stamp();
    if (Object.values(changes).some((value) => value !== null && value !== undefined))
      store.deployments.setSourceConfig(id, source_config, at);
    if (!revision) return;
    store.revisions.add(revision, at);
    store.deployments.setLatestRevision(id, revision.id, at);
  });
  if (revision) scheduler.enqueue(revision);
  return findDeployment(platform, workspace, id);
}

/** Begins to delete a deployment; it answers `AWAITING_DELETE` until it is gone. Throws 404. */
export function deleteDeployment(platform: Platform, workspace: Workspace, id: string): void {
  const { store, clock, scheduler } = platform;
  const { status } = findDeployment(platform, workspace, id);
  const next = nextDeployment(status, "deleted");
  if (!next) return;
  store.deployments.setStatus(id, next, clock.stamp());
  scheduler.remove(id);
}

/** A revision like this one, made now with the deployment's present settings and environment. */
export function redeploy(
  platform: Platform,
  deployment: StoredDeployment,
  source_revision_config: SourceRevisionConfig,
): StoredDeployment {
  const { store, clock, scheduler } = platform;
  const { id, source_config, secrets } = deployment;
  const revision = newRevision(id, { source_config, source_revision_config, secrets });
  store.transaction(() => {
    const at = clock.stamp();
    store.revisions.add(revision, at);
    store.deployments.setLatestRevision(id, revision.id, at);
  });
  scheduler.enqueue(revision);
  return store.deployments.get(id) ?? deployment;
}

function refuse(problems: readonly string[]): void {
  if (problems.length > 0) throw problem(400, problems.join("; "));
}

function refuseTakenName({ store }: Platform, workspace: Workspace, name: string): void {
  const other = store.deployments.named(workspace.id, name);
  if (other?.status === "AWAITING_DELETE")
    throw problem(409, `the deployment ${other.id} of this name is still being deleted: ${name}`);
  if (other) throw problem(409, `a deployment of this name exists already (${other.id}): ${name}`);
  if (store.leftoverNames.has(name))
    throw problem(409, `a tracing project of this name exists already: ${name}`);
}

function newRevision(
  deploymentId: string,
  made: Pick<NewRevision, "source_config" | "source_revision_config" | "secrets">,
): NewRevision {
  return {
    id: randomUUID(),
    deployment_id: deploymentId,
    image_version: imageVersion(made.source_revision_config.image_uri),
    ...made,
  };
}

/** The tag of an image: `1.2` of `registry:5000/acme/agent:1.2`; null without one. */
export function imageVersion(imageUri: string | null | undefined): string | null {
  return /^[^@]*:([^:/@]+)(@.*)?$/.exec(imageUri ?? "")?.[1] ?? null;
}

/** The configuration after a request; null means "not supplied": what is there stays. */
function merged<Config extends object>(
  schema: z.ZodType<Config>,
  stored: Config,
  request: object,
): Config {
  const given = Object.entries(request).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  return schema.parse({ ...stored, ...Object.fromEntries(given) });
}

/** The same for a source configuration, whose CPU values the service rounds. */
function mergedSourceConfig(stored: SourceConfig, request: SourceConfigRequest): SourceConfig {
  const config = merged(SourceConfig, stored, request);
  return config.resource_spec
    ? { ...config, resource_spec: roundCpu(config.resource_spec) }
    : config;
}

/** The same for what a new revision is made of; its commit is found later, and is not for a request to say. */
function mergedRevisionConfig(
  stored: SourceRevisionConfig,
  request: SourceRevisionConfig,
): SourceRevisionConfig {
  return { ...merged(SourceRevisionConfig, stored, request), repo_commit_sha: null };
}

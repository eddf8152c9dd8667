import { randomUUID } from "node:crypto";
import { imageVersion } from "./configuration";
import { findDeployment, findLivingDeployment, findRevision } from "./lookups";
import { hasEnded } from "../rollout/machine";
import type { Platform } from "../platform/platform";
import { problem } from "./problems";
import type { NewRevision, StoredDeployment, StoredRevision, Workspace } from "../store";

/** What a revision is made with. */
export type Making = Pick<
  NewRevision,
  "source_config" | "source_revision_config" | "secrets" | "pushed"
>;

/** Names a revision in a path. */
export interface RevisionPath {
  readonly deployment_id: string;
  readonly revision_id: string;
}

/** A new revision of a deployment, not stored yet. */
export function newRevision(deploymentId: string, making: Making): NewRevision {
  const image_version = imageVersion(making.source_revision_config.image_uri);
  return { id: randomUUID(), deployment_id: deploymentId, image_version, ...making };
}

/** Makes the latest revision of a deployment that has one already. */
export function addRevision(
  { store, clock, scheduler }: Pick<Platform, "store" | "clock" | "scheduler">,
  deploymentId: string,
  making: Making,
): void {
  const revision = newRevision(deploymentId, making);
  const at = clock.stamp();
  store.transaction(() => {
    store.revisions.add(revision, at);
    store.deployments.setLatestRevision(deploymentId, revision.id, at);
  });
  scheduler.enqueue(revision);
}

/**
 * Makes a revision of the same commit or image as an old one, with the deployment's present settings and environment;
 * throws 404 and 409.
 */
export function redeploy(
  platform: Platform,
  workspace: Workspace,
  path: RevisionPath,
): StoredDeployment {
  const { source_revision_config } = findRevision(platform, workspace, path);
  const { id, source_config, secrets } = findLivingDeployment(
    platform,
    workspace,
    path.deployment_id,
  );
  addRevision(platform, id, { source_config, source_revision_config, secrets });
  return findDeployment(platform, workspace, id);
}

/** Interrupts a revision in progress; resolves with what became of it. Throws 400, 404 and 409. */
export async function interrupt(
  platform: Platform,
  workspace: Workspace,
  path: RevisionPath,
): Promise<StoredRevision> {
  const { id, status } = findRevision(platform, workspace, path);
  findLivingDeployment(platform, workspace, path.deployment_id);
  if (status !== "INTERRUPTED" && hasEnded(status))
    throw problem(400, `revision ${id} has ended already: ${status}`);
  await platform.scheduler.interrupt(id);
  return findRevision(platform, workspace, path);
}

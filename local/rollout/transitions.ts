import type { PlatformClock } from "../platform/clock";
import { nextDeployment, nextRevision, type DeploymentEvent, type RevisionEvent } from "./machine";
import type { Store } from "../store";

/** Applies an event to a stored revision; one that is deployed becomes the active revision. */
export function moveRevision(
  store: Store,
  clock: PlatformClock,
  revisionId: string,
  event: RevisionEvent,
): void {
  const revision = store.revisions.get(revisionId);
  const next = revision && nextRevision(revision, event, clock.stamp());
  if (!next) return;
  store.transaction(() => {
    store.revisions.update({ ...revision, ...next });
    if (next.status === "DEPLOYED")
      store.deployments.setActiveRevision(revision.deployment_id, revisionId, next.updated_at);
  });
}

/** Applies an event to a stored deployment; false if that changes nothing. */
export function moveDeployment(
  store: Store,
  clock: PlatformClock,
  deploymentId: string,
  event: DeploymentEvent,
): boolean {
  const deployment = store.deployments.get(deploymentId);
  const next = deployment && nextDeployment(deployment.status, event);
  if (next) store.deployments.setStatus(deploymentId, next, clock.stamp());
  return next !== undefined;
}

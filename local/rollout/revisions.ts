import { randomUUID } from "node:crypto";
import type { PlatformClock } from "../platform/clock";
import type { NewRevision, Store } from "../store";
import type { Scheduler } from "./scheduler";

/** The source and configuration of a revision to create. */
type RevisionSpec = Pick<
  NewRevision,
  "source_config" | "source_revision_config" | "secrets" | "secret_references" | "pushed"
>;

/** Dependencies of the creation of revisions. */
export interface RevisionParts {
  readonly store: Store;
  readonly clock: PlatformClock;
  readonly scheduler: Scheduler;
}

/** A new revision of a deployment, not stored yet. */
export function newRevision(deploymentId: string, spec: RevisionSpec): NewRevision {
  const image_version = imageVersion(spec.source_revision_config.image_uri);
  return { id: randomUUID(), deployment_id: deploymentId, image_version, ...spec };
}

/** Creates a further revision of a deployment, which becomes its latest. */
export function addRevision(
  { store, clock, scheduler }: RevisionParts,
  deploymentId: string,
  spec: RevisionSpec,
): void {
  const revision = newRevision(deploymentId, spec);
  const at = clock.stamp();
  store.transaction(() => {
    store.revisions.add(revision, at);
    store.deployments.setLatestRevision(deploymentId, revision.id, at);
  });
  scheduler.enqueue(revision);
}

/** The tag of an image: `1.2` of `registry:5000/acme/agent:1.2`; null without one. */
function imageVersion(imageUri: string | null | undefined): string | null {
  return /^[^@]*:([^:/@]+)(@.*)?$/.exec(imageUri ?? "")?.[1] ?? null;
}

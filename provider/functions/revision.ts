import type { Output } from "@pulumi/pulumi";
import type { Revision } from "../../sdk";
import type { RevisionOutput } from "../deployment/resource";
import { toRevisionOutput } from "../deployment/service-outputs";
import { collect } from "./collect";
import { type LookUpOptions, lookUp, type OutputArgs } from "./function";

/** Which revision of which deployment. */
export interface GetRevisionArgs {
  readonly deploymentId: string;
  readonly revisionId: string;
}

/** Which revisions. */
export interface ListRevisionsArgs {
  readonly deploymentId: string;
  /** The newest so many. @default all */
  readonly limit?: number;
}

/** A revision as the service has it: what `Deployment` lists of it, and a little more. */
export interface GetRevisionResult extends RevisionOutput {
  readonly deploymentId: string;
  readonly source: string | null;
  /** What the service says of the status, for example why it failed. */
  readonly statusMessage: string | null;
  /** ISO 8601. */
  readonly updatedAt: string | null;
}

/**
 * Looks up a revision.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * export = async () => {
 *   const { id, activeRevisionId } = await agentserver.getDeployment({ name: "support" });
 *   if (activeRevisionId === null) return {};
 *   const revision = await agentserver.getRevision({ deploymentId: id, revisionId: activeRevisionId });
 *   return { commit: revision.repoCommitSha };
 * };
 * ```
 */
export function getRevision(
  args: GetRevisionArgs,
  options?: LookUpOptions,
): Promise<GetRevisionResult> {
  return one.plain(args, options);
}

/** As `getRevision`, with ids that may be outputs. */
export function getRevisionOutput(
  args: OutputArgs<GetRevisionArgs>,
  options?: LookUpOptions,
): Output<GetRevisionResult> {
  return one.output(args, options);
}

/**
 * Looks up the revisions of a deployment, newest first.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * const { id } = agentserver.getDeploymentOutput({ name: "support" });
 * const revisions = agentserver.listRevisionsOutput({ deploymentId: id, limit: 20 });
 * export const failed = revisions.apply((all) => all.filter(({ status }) => status.includes("FAILED")));
 * ```
 */
export function listRevisions(
  args: ListRevisionsArgs,
  options?: LookUpOptions,
): Promise<GetRevisionResult[]> {
  return every.plain(args, options);
}

/** As `listRevisions`, with arguments that may be outputs. */
export function listRevisionsOutput(
  args: OutputArgs<ListRevisionsArgs>,
  options?: LookUpOptions,
): Output<GetRevisionResult[]> {
  return every.output(args, options);
}

const one = lookUp({
  name: "getRevision",
  schema: ({ GetRevision }) => GetRevision,
  find: async ({ deployment_id: deploymentId, revision_id: revisionId }, { client }) =>
    toResult(deploymentId, await client.revisions.get(deploymentId, revisionId)),
});

const every = lookUp({
  name: "listRevisions",
  schema: ({ ListRevisions }) => ListRevisions,
  find: async ({ deployment_id: deploymentId, limit }, { client }) => {
    const revisions = await collect(client.revisions.list(deploymentId), limit);
    return revisions.map((revision) => toResult(deploymentId, revision));
  },
});

function toResult(deploymentId: string, revision: Revision): GetRevisionResult {
  return {
    ...toRevisionOutput(revision),
    deploymentId,
    source: revision.source ?? null,
    statusMessage: revision.status_message ?? null,
    updatedAt: revision.updated_at ?? null,
  };
}

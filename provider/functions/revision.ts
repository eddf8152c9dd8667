import type { Output } from "@pulumi/pulumi";
import type { Revision } from "../../sdk";
import type { RevisionOutput } from "../deployment/resource";
import { toRevisionOutput } from "../deployment/service-outputs";
import { defineFunction, type FunctionOptions, type OutputArgs } from "./define-function";
import { collect } from "./list";

/** Arguments of `getRevision`. */
export interface GetRevisionArgs {
  /** The id of the deployment, a UUID. */
  readonly deploymentId: string;
  /** The id of the revision, a UUID. */
  readonly revisionId: string;
}

/** Arguments of `listRevisions`. */
export interface ListRevisionsArgs {
  /** The id of the deployment, a UUID. */
  readonly deploymentId: string;
  /**
   * How many revisions at most, the newest ones.
   * @default all
   */
  readonly limit?: number;
  /**
   * How many of the newest revisions to skip.
   * @default 0
   */
  readonly offset?: number;
  /**
   * The status of the revisions, for example `BUILD_FAILED`; `limit` and `offset` count only these. The contract names no
   * filter: a control plane without one returns every revision, and the others are left out here.
   * @default any
   */
  readonly status?: string;
}

/** A revision on the service: the members that the output `revisions` of `Deployment` has too, and further ones. */
export interface GetRevisionResult extends RevisionOutput {
  /** The deployment of the revision, a UUID. */
  readonly deploymentId: string;
  /** `git_host`, `external_container` or `internal_container`. */
  readonly source: string | null;
  /** The service's reason for the status, for example why the build failed. */
  readonly statusMessage: string | null;
  /** ISO 8601. */
  readonly updatedAt: string | null;
}

/**
 * Gets a revision by the ids of its deployment and its own.
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
  options?: FunctionOptions,
): Promise<GetRevisionResult> {
  return one.direct(args, options);
}

/**
 * The output form of `getRevision`: ids may be outputs.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * const { id: deploymentId, latestRevisionId } = agentserver.getDeploymentOutput({ name: "support" });
 * const revisionId = latestRevisionId.apply((id) => id ?? "");
 * export const { status, statusMessage } = agentserver.getRevisionOutput({ deploymentId, revisionId });
 * ```
 */
export function getRevisionOutput(
  args: OutputArgs<GetRevisionArgs>,
  options?: FunctionOptions,
): Output<GetRevisionResult> {
  return one.output(args, options);
}

/**
 * Lists the revisions of a deployment, newest first.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * export = async () => {
 *   const { id: deploymentId } = await agentserver.getDeployment({ name: "support" });
 *   const [newest] = await agentserver.listRevisions({ deploymentId, limit: 1 });
 *   return { commit: newest?.repoCommitSha };
 * };
 * ```
 */
export function listRevisions(
  args: ListRevisionsArgs,
  options?: FunctionOptions,
): Promise<GetRevisionResult[]> {
  return every.direct(args, options);
}

/**
 * The output form of `listRevisions`: arguments may be outputs.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * const { id } = agentserver.getDeploymentOutput({ name: "support" });
 * const failed = agentserver.listRevisionsOutput({ deploymentId: id, status: "BUILD_FAILED", limit: 5 });
 * export const reasons = failed.apply((all) => all.map(({ statusMessage }) => statusMessage));
 * ```
 */
export function listRevisionsOutput(
  args: OutputArgs<ListRevisionsArgs>,
  options?: FunctionOptions,
): Output<GetRevisionResult[]> {
  return every.output(args, options);
}

const one = defineFunction<GetRevisionArgs, GetRevisionResult>({
  name: "getRevision",
  service: "control plane",
  isList: false,
  schema: ({ uuid }) => ({ deploymentId: uuid, revisionId: uuid }),
  find: async ({ deploymentId, revisionId }, { client }) =>
    toResult(deploymentId, await client.revisions.get(deploymentId, revisionId)),
});

const every = defineFunction<ListRevisionsArgs, GetRevisionResult[]>({
  name: "listRevisions",
  service: "control plane",
  isList: true,
  schema: ({ z, uuid, text }) => ({
    deploymentId: uuid,
    limit: z.int().min(1).optional(),
    offset: z.int().min(0).optional(),
    status: text.optional(),
  }),
  async find({ deploymentId, limit, ...filters }, { client }) {
    const revisions = await collect(client.revisions.list(deploymentId, filters), limit);
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

import type { Revision } from "../../../sdk";
import type { RevisionOutput } from "../../deployment/resource";
import { toRevisionOutput } from "../../deployment/service/service-outputs";
import { collect } from "../list";
import type { FunctionDeclaration } from "../invoke";

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
   * The most revisions to return, the newest ones.
   * @default all
   */
  readonly limit?: number | undefined;
  /**
   * Number of the newest revisions to skip.
   * @default 0
   */
  readonly offset?: number | undefined;
  /**
   * The status of the revisions, for example `BUILD_FAILED`; `limit` and `offset` count only these. The contract names no
   * filter: a control plane without one returns every revision, and the others are left out here.
   * @default any
   */
  readonly status?: string | undefined;
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

export const getRevision: FunctionDeclaration<GetRevisionArgs, GetRevisionResult> = {
  name: "getRevision",
  service: "control plane",
  list: undefined,
  schema: ({ uuid }) => ({ deploymentId: uuid, revisionId: uuid }),
  find: async ({ deploymentId, revisionId }, { client }) =>
    toResult(deploymentId, await client.revisions.get(deploymentId, revisionId)),
};

export const listRevisions: FunctionDeclaration<ListRevisionsArgs, GetRevisionResult[]> = {
  name: "listRevisions",
  service: "control plane",
  list: "revisions",
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
};

function toResult(deploymentId: string, revision: Revision): GetRevisionResult {
  return {
    ...toRevisionOutput(revision),
    deploymentId,
    source: revision.source ?? null,
    statusMessage: revision.status_message ?? null,
    updatedAt: revision.updated_at ?? null,
  };
}

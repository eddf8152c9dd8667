import { defineFunction } from "./define-function";
import * as declarations from "./declarations/revision";

export type * from "./declarations/revision";

const getForms = defineFunction(declarations.getRevision);
const listForms = defineFunction(declarations.listRevisions);

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
 * @function
 */
export const getRevision = getForms.direct;

/**
 * The output form of `getRevision`: ids may be outputs.
 * @function
 */
export const getRevisionOutput = getForms.output;

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
 * @function
 */
export const listRevisions = listForms.direct;

/**
 * The output form of `listRevisions`: arguments may be outputs.
 * @function
 */
export const listRevisionsOutput = listForms.output;

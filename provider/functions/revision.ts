import type { Output } from "@pulumi/pulumi";
import {
  defineFunction,
  type FunctionOptions,
  type OutputArgs,
  type OutputFunctionOptions,
} from "./define-function";
import * as declarations from "./declarations/revision";
import type {
  GetRevisionArgs,
  ListRevisionsArgs,
  GetRevisionResult,
} from "./declarations/revision";

export type * from "./declarations/revision";

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
  return getForms.direct(args, options);
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
  options?: OutputFunctionOptions,
): Output<GetRevisionResult> {
  return getForms.output(args, options);
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
  return listForms.direct(args, options);
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
  options?: OutputFunctionOptions,
): Output<GetRevisionResult[]> {
  return listForms.output(args, options);
}

const getForms = defineFunction(declarations.getRevision);
const listForms = defineFunction(declarations.listRevisions);

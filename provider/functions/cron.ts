import { defineAgentServerFunction } from "./define-function";
import * as declarations from "./declarations/cron";

export type * from "./declarations/cron";

const getForms = defineAgentServerFunction(declarations.getCron);
const searchForms = defineAgentServerFunction(declarations.searchCrons);

/**
 * Gets a cron by its id.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * export = async () => {
 *   const deploymentUrl = "https://support.example.com";
 *   const cronId = "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed";
 *   const { nextRunDate } = await agentserver.getCron({ deploymentUrl, cronId });
 *   return { nextRunDate };
 * };
 * ```
 * @function
 */
export const getCron = getForms.direct;

/**
 * The output form of `getCron`: arguments may be outputs.
 * @function
 */
export const getCronOutput = getForms.output;

/**
 * Searches the crons of an agent server, newest first.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * export = async () => {
 *   const deploymentUrl = "https://support.example.com";
 *   const crons = await agentserver.searchCrons({ deploymentUrl, metadata: { team: "support" } });
 *   return { schedules: crons.map(({ schedule }) => schedule) };
 * };
 * ```
 * @function
 */
export const searchCrons = searchForms.direct;

/**
 * The output form of `searchCrons`: arguments may be outputs.
 * @function
 */
export const searchCronsOutput = searchForms.output;

import { defineAgentServerFunction } from "./define-function";
import * as declarations from "./declarations/assistant";

export type * from "./declarations/assistant";

const getForms = defineAgentServerFunction(declarations.getAssistant);
const searchForms = defineAgentServerFunction(declarations.searchAssistants);
const versionForms = defineAgentServerFunction(declarations.listAssistantVersions);
const schemaForms = defineAgentServerFunction(declarations.getAssistantSchemas);

/**
 * Gets an assistant by its id.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * export = async () => {
 *   const deploymentUrl = "https://support.example.com";
 *   const assistantId = "8d2fdf5d-7331-4702-b419-c34f4de91ad4";
 *   const { context } = await agentserver.getAssistant({ deploymentUrl, assistantId });
 *   return { prompt: context["prompt"] };
 * };
 * ```
 * @function
 */
export const getAssistant = getForms.direct;

/**
 * The output form of `getAssistant`: arguments may be outputs.
 * @function
 */
export const getAssistantOutput = getForms.output;

/**
 * Searches the assistants of an agent server, newest first.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * export = async () => {
 *   const deploymentUrl = "https://support.example.com";
 *   const found = await agentserver.searchAssistants({ deploymentUrl, graphId: "agent", name: "german" });
 *   return { assistantIds: found.map(({ assistantId }) => assistantId) };
 * };
 * ```
 * @function
 */
export const searchAssistants = searchForms.direct;

/**
 * The output form of `searchAssistants`: arguments may be outputs.
 * @function
 */
export const searchAssistantsOutput = searchForms.output;

/**
 * Lists the versions of an assistant, newest first, with the values that each had.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * export = async () => {
 *   const deploymentUrl = "https://support.example.com";
 *   const assistantId = "8d2fdf5d-7331-4702-b419-c34f4de91ad4";
 *   const [newest, before] = await agentserver.listAssistantVersions({ deploymentUrl, assistantId, limit: 2 });
 *   return { newest: newest?.context, before: before?.context };
 * };
 * ```
 * @function
 */
export const listAssistantVersions = versionForms.direct;

/**
 * The output form of `listAssistantVersions`: arguments may be outputs.
 * @function
 */
export const listAssistantVersionsOutput = versionForms.output;

/**
 * Gets the JSON schemas of an assistant's graph. The built-in server has none, and a JavaScript graph may take its server
 * 20 s.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * export = async () => {
 *   const deploymentUrl = "https://support.example.com";
 *   const assistantId = "8d2fdf5d-7331-4702-b419-c34f4de91ad4";
 *   const { contextSchema } = await agentserver.getAssistantSchemas({ deploymentUrl, assistantId });
 *   return { contextSchema };
 * };
 * ```
 * @function
 */
export const getAssistantSchemas = schemaForms.direct;

/**
 * The output form of `getAssistantSchemas`: arguments may be outputs.
 * @function
 */
export const getAssistantSchemasOutput = schemaForms.output;

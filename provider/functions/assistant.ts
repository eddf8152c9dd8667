import type { Output } from "@pulumi/pulumi";
import { defineFunction, type OutputArgs } from "./define-function";
import * as declarations from "./declarations/assistant";
import type {
  GetAssistantArgs,
  GetAssistantResult,
  GetAssistantSchemasArgs,
  GetAssistantSchemasResult,
  ListAssistantVersionsArgs,
  GetAssistantVersionResult,
  SearchAssistantsArgs,
} from "./declarations/assistant";

export type * from "./declarations/assistant";

/**
 * Gets an assistant by its id.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * export = async () => {
 *   const deploymentUrl = "https://support.example.com";
 *   const assistantId = "5f0c1f9e-0c5b-4c3a-9d57-1a2b3c4d5e6f";
 *   const { context } = await agentserver.getAssistant({ deploymentUrl, assistantId });
 *   return { prompt: context["prompt"] };
 * };
 * ```
 */
export function getAssistant(args: GetAssistantArgs): Promise<GetAssistantResult> {
  return getForms.direct(args);
}

/**
 * The output form of `getAssistant`: arguments may be outputs.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * const german = new agentserver.Assistant("support-de", {
 *   deploymentUrl: "https://support.example.com",
 *   graphId: "agent",
 * });
 * const { deploymentUrl, assistantId } = german;
 * export const { version } = agentserver.getAssistantOutput({ deploymentUrl, assistantId });
 * ```
 */
export function getAssistantOutput(args: OutputArgs<GetAssistantArgs>): Output<GetAssistantResult> {
  return getForms.output(args);
}

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
 */
export function searchAssistants(args: SearchAssistantsArgs): Promise<GetAssistantResult[]> {
  return searchForms.direct(args);
}

/**
 * The output form of `searchAssistants`: arguments may be outputs.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * const support = agentserver.Deployment.get("support", "11111111-1111-4111-8111-111111111111");
 * const ours = agentserver.searchAssistantsOutput({
 *   deploymentUrl: support.url,
 *   metadata: { team: "support" },
 * });
 * export const names = ours.apply((assistants) => assistants.map(({ name }) => name));
 * ```
 */
export function searchAssistantsOutput(
  args: OutputArgs<SearchAssistantsArgs>,
): Output<GetAssistantResult[]> {
  return searchForms.output(args);
}

/**
 * Lists the versions of an assistant, newest first, with the values that each had.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * export = async () => {
 *   const deploymentUrl = "https://support.example.com";
 *   const assistantId = "5f0c1f9e-0c5b-4c3a-9d57-1a2b3c4d5e6f";
 *   const [newest, before] = await agentserver.listAssistantVersions({ deploymentUrl, assistantId, limit: 2 });
 *   return { newest: newest?.context, before: before?.context };
 * };
 * ```
 */
export function listAssistantVersions(
  args: ListAssistantVersionsArgs,
): Promise<GetAssistantVersionResult[]> {
  return versionForms.direct(args);
}

/**
 * The output form of `listAssistantVersions`: arguments may be outputs.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * const german = new agentserver.Assistant("support-de", {
 *   deploymentUrl: "https://support.example.com",
 *   graphId: "agent",
 * });
 * const { deploymentUrl, assistantId } = german;
 * const versions = agentserver.listAssistantVersionsOutput({ deploymentUrl, assistantId });
 * export const count = versions.apply((all) => all.length);
 * ```
 */
export function listAssistantVersionsOutput(
  args: OutputArgs<ListAssistantVersionsArgs>,
): Output<GetAssistantVersionResult[]> {
  return versionForms.output(args);
}

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
 *   const assistantId = "5f0c1f9e-0c5b-4c3a-9d57-1a2b3c4d5e6f";
 *   const { contextSchema } = await agentserver.getAssistantSchemas({ deploymentUrl, assistantId });
 *   return { contextSchema };
 * };
 * ```
 */
export function getAssistantSchemas(
  args: GetAssistantSchemasArgs,
): Promise<GetAssistantSchemasResult> {
  return schemaForms.direct(args);
}

/**
 * The output form of `getAssistantSchemas`: arguments may be outputs.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * const german = new agentserver.Assistant("support-de", {
 *   deploymentUrl: "https://support.example.com",
 *   graphId: "agent",
 * });
 * const { deploymentUrl, assistantId } = german;
 * export const { contextSchema } = agentserver.getAssistantSchemasOutput({ deploymentUrl, assistantId });
 * ```
 */
export function getAssistantSchemasOutput(
  args: OutputArgs<GetAssistantSchemasArgs>,
): Output<GetAssistantSchemasResult> {
  return schemaForms.output(args);
}

const getForms = defineFunction(declarations.getAssistant);
const searchForms = defineFunction(declarations.searchAssistants);
const versionForms = defineFunction(declarations.listAssistantVersions);
const schemaForms = defineFunction(declarations.getAssistantSchemas);

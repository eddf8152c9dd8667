import type { Assistant, AssistantSchemas, AssistantVersion } from "../../../sdk";
import { camelKeys, snakeKeys } from "../../arguments/casing";
import { RESOURCE_TYPES } from "../../resource-types";
import { collect } from "../list";
import type { AgentServerFunction } from "../invoke";
import type { AgentServerArgs } from "./thread";

/** Arguments of `getAssistant`. */
export interface GetAssistantArgs extends AgentServerArgs {
  /** The id of the assistant, a UUID. */
  readonly assistantId: string;
}

/** Arguments of `listAssistantVersions`. */
export interface ListAssistantVersionsArgs extends AgentServerArgs {
  /** The id of the assistant, a UUID. */
  readonly assistantId: string;
  /**
   * The most versions to return.
   * @default all
   */
  readonly limit?: number | undefined;
}

/** Arguments of `getAssistantSchemas`. */
export interface GetAssistantSchemasArgs extends AgentServerArgs {
  /** The id of the assistant, a UUID. */
  readonly assistantId: string;
}

/** Arguments of `searchAssistants`: the assistants match every filter that is set. */
export interface SearchAssistantsArgs extends AgentServerArgs {
  /**
   * The graph.
   * @default any
   */
  readonly graphId?: string | undefined;
  /**
   * A part of the name, in any case.
   * @default any
   */
  readonly name?: string | undefined;
  /**
   * Members that an assistant's metadata contains, at any depth. The default assistants have `created_by: "system"`.
   * @default any
   */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /**
   * The most assistants to return.
   * @default all
   */
  readonly limit?: number | undefined;
}

/** A version of an assistant on its agent server. */
export interface GetAssistantVersionResult {
  /** A UUID. */
  readonly assistantId: string;
  /** From 1. */
  readonly version: number;
  /** The graph. */
  readonly graphId: string;
  /** The name that users see. */
  readonly name: string;
  /** Null for none. */
  readonly description: string | null;
  /** The configuration of runs, with the server's names; without `configurable` where that repeats `context`. */
  readonly config: Readonly<Record<string, unknown>>;
  /** The values that the graph reads. */
  readonly context: Readonly<Record<string, unknown>>;
  /** Set by the programs that created and changed it. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** ISO 8601: when the version was created. */
  readonly createdAt: string;
}

/** An assistant on its agent server. */
export interface GetAssistantResult {
  /** A UUID. */
  readonly assistantId: string;
  /** The version in use, from 1. */
  readonly version: number;
  /** The graph. */
  readonly graphId: string;
  /** The name that users see. */
  readonly name: string;
  /** Null for none. */
  readonly description: string | null;
  /** The configuration of runs, with the server's names; without `configurable` where that repeats `context`. */
  readonly config: Readonly<Record<string, unknown>>;
  /** The values that the graph reads. */
  readonly context: Readonly<Record<string, unknown>>;
  /** Set by the programs that created and changed it. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601. */
  readonly updatedAt: string;
}

/** The JSON schemas of an assistant's graph. */
export interface GetAssistantSchemasResult {
  /** The graph. */
  readonly graphId: string;
  /** Null where the server has none. */
  readonly inputSchema: Readonly<Record<string, unknown>> | null;
  /** Null where the server has none. */
  readonly outputSchema: Readonly<Record<string, unknown>> | null;
  /** Null where the server has none. */
  readonly stateSchema: Readonly<Record<string, unknown>> | null;
  /** Null where the server has none. */
  readonly configSchema: Readonly<Record<string, unknown>> | null;
  /** The schema of an assistant's `context`; null where the graph declares none. */
  readonly contextSchema: Readonly<Record<string, unknown>> | null;
}

export const getAssistant: AgentServerFunction<GetAssistantArgs, GetAssistantResult> = {
  name: "getAssistant",
  service: "agent server",
  list: undefined,
  secretMembers: RESOURCE_TYPES.Assistant.secrets.outputs,
  schema: ({ deploymentUrl, uuid }) => ({ deploymentUrl, assistantId: uuid }),
  find: async ({ assistantId }, { client }) => toResult(await client.assistants.get(assistantId)),
};

export const searchAssistants: AgentServerFunction<SearchAssistantsArgs, GetAssistantResult[]> = {
  name: "searchAssistants",
  service: "agent server",
  list: "assistants",
  secretMembers: RESOURCE_TYPES.Assistant.secrets.outputs,
  schema: ({ z, wire, deploymentUrl }) => ({
    deploymentUrl,
    ...camelKeys(wire.CountAssistants.shape),
    limit: z.int().min(1).optional(),
  }),
  async find({ deploymentUrl: _url, limit, ...filter }, { client }) {
    const assistants = client.assistants.searchAll(snakeKeys(filter));
    return (await collect(assistants, limit)).map(toResult);
  },
};

export const listAssistantVersions: AgentServerFunction<
  ListAssistantVersionsArgs,
  GetAssistantVersionResult[]
> = {
  name: "listAssistantVersions",
  service: "agent server",
  list: "versions",
  secretMembers: RESOURCE_TYPES.Assistant.secrets.outputs,
  schema: ({ z, deploymentUrl, uuid }) => ({
    deploymentUrl,
    assistantId: uuid,
    limit: z.int().min(1).optional(),
  }),
  async find({ assistantId, limit }, { client }) {
    const versions = client.assistants.listVersions(assistantId);
    return (await collect(versions, limit)).map((version) => camelKeys<AssistantVersion>(version));
  },
};

export const getAssistantSchemas: AgentServerFunction<
  GetAssistantSchemasArgs,
  GetAssistantSchemasResult
> = {
  name: "getAssistantSchemas",
  service: "agent server",
  list: undefined,
  schema: ({ deploymentUrl, uuid }) => ({ deploymentUrl, assistantId: uuid }),
  find: async ({ assistantId }, { client }) =>
    camelKeys<AssistantSchemas>(await client.assistants.schemas(assistantId)),
};

function toResult(assistant: Assistant): GetAssistantResult {
  return camelKeys<Assistant>(assistant);
}

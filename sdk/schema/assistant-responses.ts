import { isDeepStrictEqual } from "node:util";
import { isRecord, recordOf } from "../../shared/records";
import type * as wire from "./assistant";

type FreeForm = Record<string, unknown>;

/** A version of an assistant, the same from every agent server. */
export interface AssistantVersion {
  readonly assistant_id: string;
  /** The graph that it runs. */
  readonly graph_id: string;
  readonly version: number;
  readonly name: string;
  /** Null for an empty one. */
  readonly description: string | null;
  /** Without `configurable` where that repeats `context`, or is empty. */
  readonly config: FreeForm;
  readonly context: FreeForm;
  readonly metadata: FreeForm;
  /** ISO 8601. */
  readonly created_at: string;
}

/** An assistant, the same from every agent server. `version` is the one in use. */
export interface Assistant extends AssistantVersion {
  /** ISO 8601. */
  readonly updated_at: string;
}

/** The JSON schemas of an assistant's graph; null where the server has none. */
export interface AssistantSchemas {
  readonly graph_id: string;
  readonly input_schema: FreeForm | null;
  readonly output_schema: FreeForm | null;
  readonly state_schema: FreeForm | null;
  readonly config_schema: FreeForm | null;
  /** The schema of `context`. */
  readonly context_schema: FreeForm | null;
}

export function assistantOf({ updated_at, ...assistant }: wire.Assistant): Assistant {
  return { ...assistantVersionOf(assistant), updated_at };
}

/** The Python server copies `context` into `config.configurable` and back; a description can't become null again. */
export function assistantVersionOf(version: wire.AssistantVersion): AssistantVersion {
  const { name, description, config, context, metadata, ...others } = version;
  const { configurable, ...rest } = config ?? {};
  const isOwn =
    isRecord(configurable) &&
    Object.keys(configurable).length > 0 &&
    !isDeepStrictEqual(configurable, context);
  return {
    ...others,
    name: name ?? "",
    description: description || null,
    config: isOwn ? { ...rest, configurable } : rest,
    context: recordOf(context),
    metadata: metadata ?? {},
  };
}

export function assistantSchemasOf(schemas: wire.AssistantSchemas): AssistantSchemas {
  return {
    graph_id: schemas.graph_id,
    input_schema: schemas.input_schema ?? null,
    output_schema: schemas.output_schema ?? null,
    state_schema: schemas.state_schema ?? null,
    config_schema: schemas.config_schema ?? null,
    context_schema: schemas.context_schema ?? null,
  };
}

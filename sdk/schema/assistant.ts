import { z } from "zod";
import { uuidV5 } from "../../shared/uuid";

const FreeForm = z.record(z.string(), z.unknown());

/** Identifies an assistant; the message is the real server's. Case-insensitive. */
export const AssistantId = z.guid("Invalid assistant ID: must be a UUID").toLowerCase();

const DEFAULTS_NAMESPACE = "6ba7b821-9dad-11d1-80b4-00c04fd430c8";

/** The id of the assistant that a server creates for each of its graphs by itself (the real servers). */
export function defaultAssistantId(graphId: string): string {
  return uuidV5(DEFAULTS_NAMESPACE, graphId);
}

/** The configuration of an assistant's runs. `configurable` is the older form of `context`; a server refuses both. */
export const AssistantConfig = z.looseObject({
  tags: z.array(z.string()).optional(),
  recursion_limit: z.int().optional(),
  configurable: FreeForm.optional(),
});
export type AssistantConfig = z.infer<typeof AssistantConfig>;

/** Body of `PATCH /assistants/{assistant_id}` (the real servers'): what is omitted stays, `metadata` is merged one level deep. */
export const UpdateAssistant = z.object({
  graph_id: z.string().min(1).optional(),
  name: z.string().optional(),
  description: z.string().optional(),
  config: AssistantConfig.optional(),
  context: FreeForm.optional(),
  metadata: FreeForm.optional(),
});
export type UpdateAssistant = z.infer<typeof UpdateAssistant>;

/** Body of `POST /assistants` (the real servers'). With `do_nothing` an existing one is returned as it is. */
export const CreateAssistant = UpdateAssistant.extend({
  graph_id: z.string().min(1),
  assistant_id: AssistantId.optional(),
  if_exists: z.enum(["raise", "do_nothing"]).optional(),
});
export type CreateAssistant = z.infer<typeof CreateAssistant>;

/** A version of an assistant as an agent server returns it. */
export const AssistantVersion = z.object({
  assistant_id: z.string().min(1),
  graph_id: z.string(),
  version: z.int(),
  name: z.string().nullish(),
  description: z.string().nullish(),
  config: FreeForm.nullish(),
  context: z.unknown().optional(),
  metadata: FreeForm.nullish(),
  created_at: z.string(),
});
export type AssistantVersion = z.infer<typeof AssistantVersion>;

/** An assistant as an agent server returns it. */
export const Assistant = AssistantVersion.extend({ updated_at: z.string() });
export type Assistant = z.infer<typeof Assistant>;

/** Body of `POST /assistants/{assistant_id}/versions`. */
export const ListAssistantVersions = z.object({
  limit: z.int().min(1).max(1000).default(10),
  offset: z.int().min(0).default(0),
  metadata: FreeForm.optional(),
});
export type ListAssistantVersions = z.infer<typeof ListAssistantVersions>;

/** Body of `POST /assistants/{assistant_id}/latest`. */
export const SetLatestVersion = z.object({ version: z.int() });

/** Body of `POST /assistants/count`: which assistants. Everything set must match; `name` is a part of the name, in any case. */
export const CountAssistants = z.object({
  graph_id: z.string().optional(),
  name: z.string().optional(),
  metadata: FreeForm.optional(),
});
export type CountAssistants = z.infer<typeof CountAssistants>;

/** Body of `POST /assistants/search`: the newest first. */
export const SearchAssistants = CountAssistants.extend({
  limit: z.int().min(1).max(1000).default(10),
  offset: z.int().min(0).default(0),
});
export type SearchAssistants = z.infer<typeof SearchAssistants>;

/** Response to `GET /assistants/{assistant_id}/graph`, a drawing; its edges are of no use here. */
export const AssistantGraph = z.object({ nodes: z.array(z.object({ id: z.coerce.string() })) });

const JsonSchema = FreeForm.nullish();

/** Response to `GET /assistants/{assistant_id}/schemas`: JSON schemas, null where the graph has none. */
export const AssistantSchemas = z.object({
  graph_id: z.string(),
  input_schema: JsonSchema,
  output_schema: JsonSchema,
  state_schema: JsonSchema,
  config_schema: JsonSchema,
  context_schema: JsonSchema,
});
export type AssistantSchemas = z.infer<typeof AssistantSchemas>;

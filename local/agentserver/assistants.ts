import { randomUUID } from "node:crypto";
import { z } from "zod";
import {
  type Assistant,
  type AssistantConfig,
  type AssistantVersion,
  type CountAssistants,
  type CreateAssistant,
  defaultAssistantId,
  type ListAssistantVersions,
  type SearchAssistants,
  type UpdateAssistant,
} from "../../sdk/schema/assistant";
import type { Database } from "../sqlite/database";
import { json } from "../sqlite/json";
import { contains } from "./contains";
import { Conflict, InvalidRequest, NotFound } from "./errors";
import { isKnownGraph, requireGraph } from "./graphs";

type FreeForm = Record<string, unknown>;
const FreeForm = z.record(z.string(), z.unknown());
const Values = z.object({
  graph_id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  config: json(FreeForm),
  context: json(FreeForm),
  metadata: json(FreeForm),
});
type Values = z.infer<typeof Values>;
const VersionRow = Values.extend({
  assistant_id: z.string(),
  version: z.int(),
  version_created_at: z.string(),
}).transform(({ version_created_at: created_at, ...row }) => ({ ...mirrored(row), created_at }));
const Row = Values.extend({
  assistant_id: z.string(),
  version: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
}).transform(mirrored);
const Found = z.object({ number: z.int() });

const CURRENT = "assistants JOIN assistant_versions USING (assistant_id, version)";
const DEFAULT_NAME = "Untitled";
/** Members that the Python server drops from metadata: runs have them. */
const RESERVED = ["thread_id", "assistant_id", "run_id", "cron_id"];

/**
 * The assistants of one deployment, in versions; as the Python server has them. A PATCH creates a version, whatever it
 * changes. Ids are in lower case.
 */
export class Assistants {
  readonly #database: Database;
  readonly #graphs: readonly string[];
  readonly #now: () => Date;

  constructor(database: Database, graphs: readonly string[], now = () => new Date()) {
    this.#database = database;
    this.#graphs = graphs;
    this.#now = now;
  }

  /** Creates the assistant of each graph that every server has by itself. */
  createDefaults(): void {
    for (const graph of this.#graphs)
      this.create({
        assistant_id: defaultAssistantId(graph),
        graph_id: graph,
        name: graph,
        metadata: { created_by: "system" },
        if_exists: "do_nothing",
      });
  }

  /** The graph is checked before the id. `if_exists: "do_nothing"` returns an existing one unchanged. */
  create(request: CreateAssistant): Assistant {
    const { assistant_id: id = randomUUID(), graph_id, name, description = null } = request;
    requireGraph(graph_id, this.#graphs);
    const settings = settingsAfter(request, { config: {}, context: {} });
    const metadata = withoutReserved(request.metadata);
    return this.#database.transaction(() => {
      const existing = this.#find(id);
      if (existing !== undefined) {
        if (request.if_exists === "do_nothing") return existing;
        throw new Conflict(`Assistant with ID ${id} already exists`);
      }
      const time = this.#now().toISOString();
      const insert = "INSERT INTO assistants VALUES (?, 1, ?, ?)";
      this.#database.run(insert, id, time, time);
      this.#addVersion(id, 1, time, {
        graph_id,
        name: name || DEFAULT_NAME,
        description,
        metadata,
        ...settings,
      });
      return this.#require(id);
    });
  }

  /** An assistant whose graph is not in the running revision is hidden from this alone. */
  get(id: string): Assistant {
    const assistant = this.#require(id);
    if (!isKnownGraph(assistant.graph_id, this.#graphs)) throw notFound(id);
    return assistant;
  }

  /** Creates a version. Metadata is merged one level deep. */
  update(id: string, request: UpdateAssistant): Assistant {
    requireGraph(request.graph_id, this.#graphs);
    return this.#database.transaction(() => {
      const { graph_id, name, description, metadata, config, context } = this.#values(id);
      const version = this.#newestVersion(id) + 1;
      const time = this.#now().toISOString();
      this.#addVersion(id, version, time, {
        graph_id: request.graph_id ?? graph_id,
        name: request.name ?? name,
        description: request.description ?? description,
        metadata: { ...metadata, ...withoutReserved(request.metadata) },
        ...settingsAfter(request, { config, context }),
      });
      return this.#use(id, version, time);
    });
  }

  /** Removes an assistant with its versions. */
  delete(id: string): void {
    if (this.#database.run("DELETE FROM assistants WHERE assistant_id = ?", id) === 0)
      throw notFound(id);
  }

  /** The versions, newest first. None is a 404, also for a filter or an offset, as on the real servers. */
  versions(
    id: string,
    { limit, offset, metadata = {} }: ListAssistantVersions,
  ): AssistantVersion[] {
    const versions = this.#database.all(
      VersionRow,
      `SELECT * FROM assistant_versions WHERE assistant_id = ? AND ${contains("metadata")}
       ORDER BY version DESC LIMIT ? OFFSET ?`,
      id,
      JSON.stringify(metadata),
      limit,
      offset,
    );
    if (versions.length === 0) throw notFound(id);
    return versions;
  }

  /** Puts a version in use, all of it; creates none. */
  setLatest(id: string, version: number): Assistant {
    return this.#database.transaction(() => {
      const sql =
        "SELECT version AS number FROM assistant_versions WHERE assistant_id = ? AND version = ?";
      if (this.#database.get(Found, sql, id, version) === undefined)
        throw new NotFound(`Assistant ${id} has no version ${version}`);
      return this.#use(id, version, this.#now().toISOString());
    });
  }

  /** The matching assistants, newest first. */
  search({ limit, offset, ...filter }: SearchAssistants): Assistant[] {
    const { sql, parameters } = this.#conditionOf(filter);
    const query = `SELECT * FROM ${CURRENT} WHERE ${sql}
      ORDER BY created_at DESC, assistants.rowid DESC LIMIT ? OFFSET ?`;
    return this.#database.all(Row, query, ...parameters, limit, offset);
  }

  count(filter: CountAssistants): number {
    const { sql, parameters } = this.#conditionOf(filter);
    const query = `SELECT count(*) AS number FROM ${CURRENT} WHERE ${sql}`;
    return this.#database.get(Found, query, ...parameters)?.number ?? 0;
  }

  #conditionOf({ graph_id, name, metadata }: CountAssistants) {
    requireGraph(graph_id, this.#graphs);
    return {
      sql: `(? IS NULL OR graph_id = ?) AND instr(lower(name), lower(?)) > 0 AND ${contains("metadata")}`,
      parameters: [graph_id ?? null, graph_id ?? null, name ?? "", JSON.stringify(metadata ?? {})],
    };
  }

  #find(id: string): Assistant | undefined {
    return this.#database.get(Row, `SELECT * FROM ${CURRENT} WHERE assistant_id = ?`, id);
  }

  #require(id: string): Assistant {
    const assistant = this.#find(id);
    if (assistant === undefined) throw notFound(id);
    return assistant;
  }

  #values(id: string): Values {
    const values = this.#database.get(
      Values,
      `SELECT * FROM ${CURRENT} WHERE assistant_id = ?`,
      id,
    );
    if (values === undefined) throw notFound(id);
    return values;
  }

  #newestVersion(id: string): number {
    const sql = "SELECT max(version) AS number FROM assistant_versions WHERE assistant_id = ?";
    return this.#database.get(Found, sql, id)?.number ?? 0;
  }

  #use(id: string, version: number, time: string): Assistant {
    const sql = "UPDATE assistants SET version = ?, updated_at = ? WHERE assistant_id = ?";
    this.#database.run(sql, version, time, id);
    return this.#require(id);
  }

  #addVersion(id: string, version: number, time: string, values: Values): void {
    this.#database.run(
      "INSERT INTO assistant_versions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
      id,
      version,
      values.graph_id,
      values.name,
      values.description,
      JSON.stringify(values.config),
      JSON.stringify(values.context),
      JSON.stringify(values.metadata),
      time,
    );
  }
}

function notFound(id: string): NotFound {
  return new NotFound(`Assistant with ID ${id} not found`);
}

/** `config.configurable` and `context` are two names of the same values; what is stored has them in `context` alone. */
function settingsAfter(
  { config, context }: UpdateAssistant,
  before: Pick<Values, "config" | "context">,
): Pick<Values, "config" | "context"> {
  const { configurable = {}, ...rest }: AssistantConfig = config ?? {};
  const isGiven = Object.keys(configurable).length > 0;
  if (isGiven && Object.keys(context ?? {}).length > 0)
    throw new InvalidRequest("Cannot specify both configurable and context");
  return {
    config: config === undefined ? before.config : rest,
    context: isGiven ? configurable : (context ?? before.context),
  };
}

function mirrored<Stored extends { readonly config: FreeForm; readonly context: FreeForm }>(
  stored: Stored,
): Stored {
  const { config, context } = stored;
  const isEmpty = Object.keys(context).length === 0;
  return isEmpty ? stored : { ...stored, config: { ...config, configurable: context } };
}

function withoutReserved(metadata: FreeForm = {}): FreeForm {
  return Object.fromEntries(Object.entries(metadata).filter(([key]) => !RESERVED.includes(key)));
}

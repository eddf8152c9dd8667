import {
  type Assistant,
  assistantOf,
  type AssistantSchemas,
  assistantSchemasOf,
  type AssistantVersion,
  assistantVersionOf,
} from "./schema/assistant-responses";
import { named, ofId, type Optional, reading } from "./call";
import { walkSearch } from "./pages";
import { path } from "./path";
import type {
  CountAssistants,
  CreateAssistant,
  ListAssistantVersions,
  SearchAssistants,
  UpdateAssistant,
} from "./schema";
import type { CallOptions, Transport } from "./transport";

/** Of the 1,000 that servers accept: a version may hold a long prompt. */
const PAGE = 100;

const SEARCH = reading("search assistants", "/assistants/search");

/**
 * Assistants of a deployed agent server: a graph with its configuration, in versions. Not in the contract: the real
 * servers offer them. The results are the same from every server. Every method throws a `RequestError`.
 */
export class Assistants {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  create(body: CreateAssistant, options?: CallOptions): Promise<Assistant> {
    return this.#transport.request({
      ...options,
      ...named("create assistant", "POST", "/assistants", body.assistant_id ?? body.name),
      body,
      response: (schema) => schema.Assistant.transform(assistantOf),
    });
  }

  /** Gets an assistant; the Python server has none (404) whose graph is not in the running revision. */
  get(assistantId: string, options?: CallOptions): Promise<Assistant> {
    return this.#transport.request({
      ...options,
      ...named("get assistant", "GET", path`/assistants/${assistantId}`, assistantId),
      response: (schema) =>
        ofId(schema.Assistant, "assistant_id", assistantId).transform(assistantOf),
    });
  }

  /**
   * Creates a new version, even where nothing differs. `metadata` is merged one level deep and no key of it can be removed.
   * With `config` or `context` both are replaced, since servers keep parts of the one that is omitted.
   */
  update(assistantId: string, body: UpdateAssistant, options?: CallOptions): Promise<Assistant> {
    const { config, context } = body;
    const both = (config ?? context) !== undefined && {
      config: { configurable: {}, ...config },
      context: context ?? {},
    };
    return this.#transport.request({
      ...options,
      ...named("update assistant", "PATCH", path`/assistants/${assistantId}`, assistantId),
      body: { ...body, ...both },
      response: (schema) => schema.Assistant.transform(assistantOf),
    });
  }

  /** Deletes an assistant with its versions, and with `deleteThreads` the threads that its runs worked on. */
  delete(
    assistantId: string,
    {
      deleteThreads,
      ...options
    }: CallOptions & { readonly deleteThreads?: boolean | undefined } = {},
  ): Promise<void> {
    return this.#transport.request({
      ...options,
      ...named("delete assistant", "DELETE", path`/assistants/${assistantId}`, assistantId),
      query: deleteThreads ? { delete_threads: true } : undefined,
      response: (schema) => schema.NoContent,
    });
  }

  /** One page of the versions, newest first. Past the last one that is a 404, as for an assistant that does not exist. */
  versions(
    assistantId: string,
    body: Optional<ListAssistantVersions> = {},
    options?: CallOptions,
  ): Promise<AssistantVersion[]> {
    return this.#transport.request({
      ...options,
      ...versionsOf(assistantId),
      body,
      response: (schema) => schema.AssistantVersion.transform(assistantVersionOf).array(),
    });
  }

  /** Every version, newest first. */
  listVersions(
    assistantId: string,
    filter: Pick<Optional<ListAssistantVersions>, "metadata"> = {},
    options?: CallOptions,
  ): AsyncIterable<AssistantVersion> {
    const fetchPage = (page: object) => this.versions(assistantId, { ...filter, ...page }, options);
    const idOf = ({ version }: AssistantVersion) => String(version);
    return walkSearch(this.#transport, versionsOf(assistantId), { fetchPage, idOf, limit: PAGE });
  }

  /**
   * Puts an earlier version in use, and creates none. The real servers restore a part of it only, not its context and
   * graph: to go back, update with the values of that version.
   */
  setLatest(assistantId: string, version: number, options?: CallOptions): Promise<Assistant> {
    return this.#transport.request({
      ...options,
      ...named(
        "set latest version of assistant",
        "POST",
        path`/assistants/${assistantId}/latest`,
        assistantId,
      ),
      body: { version },
      response: (schema) => schema.Assistant.transform(assistantOf),
    });
  }

  /** The JSON schemas of its graph, as far as the server can derive them; a JavaScript graph may take it 20 s. */
  schemas(assistantId: string, options?: CallOptions): Promise<AssistantSchemas> {
    return this.#transport.request({
      ...options,
      ...named(
        "get schemas of assistant",
        "GET",
        path`/assistants/${assistantId}/schemas`,
        assistantId,
      ),
      response: (schema) => schema.AssistantSchemas.transform(assistantSchemasOf),
    });
  }

  /**
   * The nodes of its graph by id, also of an assistant by the name of its graph. A 404 where the server does not have the
   * graph: the JavaScript server creates an assistant of any.
   */
  async nodes(assistantId: string, options?: CallOptions): Promise<string[]> {
    const { nodes } = await this.#transport.request({
      ...options,
      ...named(
        "get graph of assistant",
        "GET",
        path`/assistants/${assistantId}/graph`,
        assistantId,
      ),
      response: (schema) => schema.AssistantGraph,
    });
    return nodes.map(({ id }) => id);
  }

  /** One page of the matching assistants, newest first; the Python server has none (404) of a graph that it does not know. */
  search(body: Optional<SearchAssistants> = {}, options?: CallOptions): Promise<Assistant[]> {
    return this.#transport.request({
      ...options,
      ...SEARCH,
      body,
      response: (schema) => schema.Assistant.transform(assistantOf).array(),
    });
  }

  /** Every matching assistant, newest first. */
  searchAll(filter: CountAssistants = {}, options?: CallOptions): AsyncIterable<Assistant> {
    const fetchPage = (page: object) => this.search({ ...filter, ...page }, options);
    const idOf = ({ assistant_id }: Assistant) => assistant_id;
    return walkSearch(this.#transport, SEARCH, { fetchPage, idOf, limit: PAGE });
  }

  count(body: CountAssistants = {}, options?: CallOptions): Promise<number> {
    return this.#transport.request({
      ...options,
      ...reading("count assistants", "/assistants/count"),
      body,
      response: (schema) => schema.Count,
    });
  }
}

function versionsOf(assistantId: string) {
  return reading(
    "list versions of assistant",
    path`/assistants/${assistantId}/versions`,
    assistantId,
  );
}

import { named, ofId, type Optional, reading } from "./call";
import { NotFound } from "./errors";
import { walkSearch } from "./pages";
import { path } from "./path";
import type { CountCrons, CreateCron, Cron, SearchCrons, ServerInfo, UpdateCron } from "./schema";
import type { CallOptions, Transport } from "./transport";

const PAGE = 100;

/** Asks the server what it says of itself. */
type Info = (options?: CallOptions) => Promise<Optional<ServerInfo>>;

const SEARCH = reading("search crons", "/runs/crons/search");

/**
 * Crons of a deployed agent server: schedules by which it runs an assistant. Not in the contract: the real Python server
 * offers them, and `flags.crons` of `AgentServer.info` says whether one does. Every method throws a `RequestError`.
 */
export class Crons {
  readonly #transport: Transport;
  readonly #info: Info;

  constructor(transport: Transport, info: Info) {
    this.#transport = transport;
    this.#info = info;
  }

  /** Creates a cron, on a thread where one is set. The server chooses its id: a repeated request makes a second one. */
  create(
    body: CreateCron,
    { threadId, ...options }: CallOptions & { readonly threadId?: string | undefined } = {},
  ): Promise<Cron> {
    return this.#transport.request({
      ...options,
      ...named(
        "create cron",
        "POST",
        threadId === undefined ? "/runs/crons" : path`/threads/${threadId}/runs/crons`,
        body.schedule,
      ),
      body,
      response: (schema) => schema.CronResponse,
    });
  }

  get(cronId: string, options?: CallOptions): Promise<Cron> {
    return this.#transport.request({
      ...options,
      ...named("get cron", "GET", path`/runs/crons/${cronId}`, cronId),
      response: (schema) => ofId(schema.CronResponse, "cron_id", cronId),
    });
  }

  /** Changes a cron. One that is enabled again fires at once, unless its schedule is sent too. */
  update(cronId: string, body: UpdateCron, options?: CallOptions): Promise<Cron> {
    return this.#transport.request({
      ...options,
      ...named("update cron", "PATCH", path`/runs/crons/${cronId}`, cronId),
      body,
      response: (schema) => schema.CronResponse,
    });
  }

  delete(cronId: string, options?: CallOptions): Promise<void> {
    return this.#transport.request({
      ...options,
      ...named("delete cron", "DELETE", path`/runs/crons/${cronId}`, cronId),
      response: (schema) => schema.NoContent,
    });
  }

  /** One page of the matching crons, newest first. */
  search(body: Optional<SearchCrons> = {}, options?: CallOptions): Promise<Cron[]> {
    return this.#transport.request({
      ...options,
      ...SEARCH,
      body,
      response: (schema) => schema.CronResponse.array(),
    });
  }

  /** Every matching cron, newest first. */
  searchAll(filter: CountCrons = {}, options?: CallOptions): AsyncIterable<Cron> {
    const fetchPage = (page: object) => this.search({ ...filter, ...page }, options);
    const idOf = ({ cron_id }: Cron) => cron_id;
    return walkSearch(this.#transport, SEARCH, { fetchPage, idOf, limit: PAGE });
  }

  /** Number of matching crons. 0 where the server has none at all: one that keeps crons answers no 404, a gateway may. */
  async count(body: CountCrons = {}, options?: CallOptions): Promise<number> {
    try {
      return await this.#transport.request({
        ...options,
        ...reading("count crons", "/runs/crons/count"),
        body,
        response: (schema) => schema.Count,
      });
    } catch (error) {
      if (!(error instanceof NotFound)) throw error;
      const { flags } = await this.#info(options).catch(
        (unknown: unknown): Optional<ServerInfo> => {
          if (unknown instanceof NotFound) return {};
          throw unknown;
        },
      );
      if (flags?.["crons"]) throw error;
      return 0;
    }
  }
}

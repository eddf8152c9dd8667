import { Assistants } from "./assistants";
import { normalizeBaseUrl } from "./base-url";
import { Crons } from "./crons";
import { RequestError } from "./errors";
import { keyHeader, requireHeaderValues } from "./header-value";
import { named, type Optional } from "./call";
import type { ServerInfo } from "./schema";
import { Runs } from "./runs";
import { Threads } from "./threads";
import { type CallOptions, Transport, type TransportOptions } from "./transport";
import { messageOf } from "../shared/errors";

/** What an agent server reports of itself: the real ones have a version and flags. */
export type AnyServerInfo = Optional<ServerInfo>;

/** Address and credentials of a deployed agent server. */
export interface AgentServerOptions extends Pick<
  TransportOptions,
  "requestTimeoutSeconds" | "clock" | "onMismatch"
> {
  /** The deployment's URL. */
  readonly url: string;
  /**
   * The agent server's own key, never the control plane's. Sent as `X-Api-Key`; one that begins with `Bearer ` or `Basic `
   * as `Authorization`.
   */
  readonly apiKey?: string | undefined;
}

/** An agent server may be on a private network without TLS, and it never gets the control plane's key. */
const URL_RULES = { allowInsecureHttp: true };

/**
 * Client of one deployed agent server.
 *
 * @example
 * ```ts
 * const thread = await new AgentServer({ url }).threads.create({ metadata: { graph_id: "agent" } });
 * ```
 */
export class AgentServer {
  readonly assistants: Assistants;
  readonly crons: Crons;
  readonly threads: Threads;
  readonly runs: Runs;
  readonly #transport: Transport;

  /** Throws a `TypeError` when the URL or the key is not valid. */
  constructor({ url, apiKey, ...options }: AgentServerOptions) {
    requireHeaderValues({ apiKey });
    this.#transport = new Transport({
      ...options,
      baseUrl: normalizeBaseUrl(url, URL_RULES),
      headers: apiKey === undefined ? {} : keyHeader(apiKey),
      credentials: apiKey === undefined ? [] : [apiKey],
      refusesInVariousWays: true,
    });
    this.assistants = new Assistants(this.#transport);
    this.crons = new Crons(this.#transport, (call) => this.info(call));
    this.threads = new Threads(this.#transport);
    this.runs = new Runs(this.#transport);
  }

  /** The time by the server's clock, according to the `Date` of its last response; undefined before one. */
  serverTime(): Date | undefined {
    return this.#transport.serverTime();
  }

  /** Version and flags; of the built-in server also name, graphs, variable names and commit. */
  info(options?: CallOptions): Promise<AnyServerInfo> {
    return this.#transport.request({
      ...options,
      ...named("get information of the agent server", "GET", "/info"),
      response: (schema) => schema.ServerInfo.partial(),
    });
  }
}

/**
 * The agent server of a deployment, at the URL that the control plane names. One that cannot be used is an answer like any
 * other that does not fit, so that it ends nothing but the work on this deployment: throws a `RequestError`.
 */
export function agentServerOf(options: AgentServerOptions): AgentServer {
  try {
    normalizeBaseUrl(options.url, URL_RULES);
  } catch (error) {
    const reason = `its URL, as the control plane names it, ${messageOf(error)}`;
    const action = "connect to agent server";
    throw new RequestError({ action, method: "GET", url: "", reason, secrets: [] });
  }
  return new AgentServer(options);
}

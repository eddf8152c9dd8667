import type { AxiosResponse } from "axios";
import type { ZodType } from "zod";
import { answerOf, type Exchange } from "./answer";
import { isLoopback } from "../shared/net";
import { type Clock, systemClock } from "../shared/clock";
import { type Dialect, type DialectName, dialectOf } from "./dialect";
import { ConnectionError, TimeoutError } from "./errors";
import { withRetries } from "./retry";

type Schemas = typeof import("./schema");

/** What every method of the clients takes. */
export interface CallOptions {
  /** Ends the request, or the pause before it is sent again, at once. */
  readonly signal?: AbortSignal | undefined;
}

/** One request in the words of the contract. */
export interface Call<Answer> extends CallOptions {
  /** Verb and noun, for messages: `create deployment`. */
  readonly action: string;
  /** The name or id of the thing, for messages. */
  readonly subject?: string | undefined;
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  readonly body?: unknown;
  /** Instead of the client's `requestTimeoutSeconds`. */
  readonly timeoutSeconds?: number | undefined;
  /** Picks the answer's schema. */
  readonly answer: (schemas: Schemas) => ZodType<Answer>;
  /** Values in the body that no error may show. */
  readonly secrets?: readonly string[];
}

export interface TransportOptions {
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Values of `headers` that no error may show. */
  readonly credentials: readonly string[];
  /** For one request, from the connection to the last byte. @default 30 */
  readonly requestTimeoutSeconds?: number | undefined;
  /** Requests under way at once. @default 16 */
  readonly maxConcurrentRequests?: number | undefined;
  readonly clock?: Clock | undefined;
  /** The names that the server knows things by. @default "agentserver" */
  readonly dialect?: DialectName | undefined;
  /** Whether a 404 or 405 without own words means that there is no such endpoint. @default false */
  readonly endpointsMayBeMissing?: boolean | undefined;
  /** Whether a 400, or a success whose body only says what is wrong, is a refusal as a 422 is. @default false */
  readonly refusesInVariousWays?: boolean | undefined;
}

/** A longer answer is not read: nothing in either contract is near it. */
const LARGEST_ANSWER_BYTES = 32 * 1024 * 1024;

/** The codes with which no byte of a request has left: it may be sent again whatever it is. */
const NEVER_SENT = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN"]);

/** Sends requests to one host: the one place for bytes, time limits, retries and errors. */
export class Transport {
  readonly #options: TransportOptions;
  readonly #clock: Clock;
  readonly #dialect: Dialect;
  #client: Promise<Client> | undefined;
  #serverClockAheadMs = 0;

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#dialect = dialectOf(options.dialect ?? "agentserver");
  }

  /** Now by the server's clock, as its last answer told it. */
  serverNow(): Date {
    return new Date(this.#clock.now() + this.#serverClockAheadMs);
  }

  /** Sends one request, again where that is safe, and returns its parsed answer; throws a `RequestError`. */
  async request<Answer>(call: Call<Answer>): Promise<Answer> {
    this.#client ??= loadClient(this.#options.maxConcurrentRequests ?? 16);
    const client = await this.#client;
    const send = () => client.limit(() => this.#send(call, client));
    return withRetries(call.method, this.#clock, call.signal, send);
  }

  async #send<Answer>(call: Call<Answer>, client: Client): Promise<Answer> {
    call.signal?.throwIfAborted();
    const url = `${this.#options.baseUrl}${this.#dialect.fromContract.path(call.path)}`;
    const exchange: Exchange = {
      action: call.action,
      subject: call.subject,
      method: call.method,
      url,
      secrets: [...this.#options.credentials, ...(call.secrets ?? [])],
      endpointsMayBeMissing: this.#options.endpointsMayBeMissing,
      refusesInVariousWays: this.#options.refusesInVariousWays,
    };
    const response = await this.#exchange(call, exchange, client);
    const date = Date.parse(String(response.headers["date"]));
    if (!Number.isNaN(date)) this.#serverClockAheadMs = date - this.#clock.now();
    const schema = call.answer(await import("./schema/index.js"));
    return answerOf(schema, response, exchange, this.#dialect.toContract.body);
  }

  async #exchange(
    call: Call<unknown>,
    exchange: Exchange,
    { axios, ownConnection }: Client,
  ): Promise<AxiosResponse<string, unknown>> {
    const timeoutSeconds = call.timeoutSeconds ?? this.#options.requestTimeoutSeconds ?? 30;
    const timeout = AbortSignal.timeout(Math.ceil(timeoutSeconds * 1000));
    try {
      return await axios.request<string>({
        url: exchange.url,
        method: call.method,
        params: call.query,
        headers: { ...this.#options.headers, ...(call.body !== undefined && JSON_BODY) },
        data:
          call.body === undefined
            ? undefined
            : JSON.stringify(this.#dialect.fromContract.body(call.body)),
        signal: call.signal ? AbortSignal.any([call.signal, timeout]) : timeout,
        // What HTTP_PROXY and its like name can't know this machine's own addresses.
        ...(isLoopback(new URL(exchange.url).hostname) && { proxy: false }),
        ...(!REPEATABLE.has(call.method) && ownConnection),
      });
    } catch (error) {
      call.signal?.throwIfAborted();
      if (timeout.aborted)
        throw new TimeoutError({ ...exchange, words: `no answer within ${timeoutSeconds} s` });
      throw connectionError(error, exchange);
    }
  }
}

const REPEATABLE = new Set(["GET", "DELETE"]);
const JSON_BODY = { "content-type": "application/json" };

function connectionError(error: unknown, exchange: Exchange): ConnectionError {
  const code =
    error instanceof Error && "code" in error && typeof error.code === "string"
      ? error.code
      : undefined;
  const reason = (error instanceof Error && error.message) || code || "the connection broke";
  const { origin } = new URL(exchange.url);
  return new ConnectionError({
    ...exchange,
    words: `no connection to ${origin}: ${reason}`,
    code,
    neverSent: code !== undefined && NEVER_SENT.has(code),
  });
}

type Client = Awaited<ReturnType<typeof loadClient>>;

/** The HTTP library is loaded with the first request: a program that only declares resources never pays for it. */
async function loadClient(maxConcurrentRequests: number) {
  // For `require` axios is one file; `import` would load it as sixty, in twice the time and memory.
  const axios: typeof import("axios") = require("axios");
  const [{ default: pLimit }, http, https] = await Promise.all([
    import("p-limit"),
    import("node:http"),
    import("node:https"),
  ]);
  return {
    // A kept connection may be closed by the server just as it is used again, and the answer is lost with it.
    ownConnection: { httpAgent: new http.Agent(), httpsAgent: new https.Agent() },
    limit: pLimit(maxConcurrentRequests),
    axios: axios.create({
      adapter: "http",
      // A redirect is never followed: the key would travel to another address.
      maxRedirects: 0,
      maxContentLength: LARGEST_ANSWER_BYTES,
      responseType: "text",
      transformResponse: [],
      validateStatus: () => true,
    }),
  };
}

import type {
  ClientRequest,
  IncomingHttpHeaders,
  IncomingMessage,
  RequestOptions,
} from "node:http";
import type { AxiosResponse } from "axios";
import type { ZodType } from "zod";
import { type Clock, systemClock, timeoutSignal } from "../shared/clock";
import { codeOf, messageOf } from "../shared/errors";
import { isLoopback } from "../shared/net";
import { recordOf } from "../shared/records";
import { type Dialect, type DialectName, dialectOf } from "./dialect";
import { ConnectionError, InvalidResponseError, TimeoutError, TlsError } from "./errors";
import { type Exchange, readResponse } from "./response";
import { paceOf } from "./pace";
import { withRetries } from "./retry";

type Schemas = typeof import("./schema");

/** Options of every method of the clients. */
export interface CallOptions {
  /** Aborts the request, or the pause before it is retried. */
  readonly signal?: AbortSignal | undefined;
  /**
   * The URN of the Pulumi resource that the request is for, which a local platform shows. It is sent to this machine's
   * own addresses only.
   */
  readonly resource?: string | undefined;
}

/** A request as messages and errors describe it, with the names of the contract. */
export interface CallName {
  /** Verb and noun, for messages: `create deployment`. */
  readonly action: string;
  /** The name or id of the resource, for messages. */
  readonly subject?: string | undefined;
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  /** Values in the request's body that are redacted in errors. */
  readonly secrets?: readonly string[];
}

/** One request, with the names of the contract. */
export interface Call<Body> extends CallName, CallOptions {
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  readonly body?: unknown;
  /** Whether sending it twice does what sending it once does. @default of a GET and a DELETE */
  readonly isRepeatable?: boolean | undefined;
  /** Instead of the client's `requestTimeoutSeconds`. */
  readonly timeoutSeconds?: number | undefined;
  /** Called with the response's head, which may come long before its body. */
  readonly onHead?: ((headers: IncomingHttpHeaders) => void) | undefined;
  /** Selects the schema of the response's body. */
  readonly response: (schemas: Schemas) => ZodType<Body>;
}

export interface TransportOptions {
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Values of `headers` that are redacted in errors. */
  readonly credentials: readonly string[];
  /** For one request, until the last byte of the response. @default 30 */
  readonly requestTimeoutSeconds?: number | undefined;
  /** Concurrent requests. @default 16 */
  readonly maxConcurrentRequests?: number | undefined;
  readonly clock?: Clock | undefined;
  /** The dialect of the server. @default "agentserver" */
  readonly dialect?: DialectName | undefined;
  /** The program that sends the requests, for the server's records: the `User-Agent`. @default "SDK" */
  readonly program?: "SDK" | "Pulumi" | "command line" | undefined;
  /** Called with each member of a response that does not match the contract and is read as absent. @default ignored */
  readonly onMismatch?: ((member: string) => void) | undefined;
  /** Whether a 404, 405 or 410 without a message of the server's own means that there is no such endpoint. @default false */
  readonly endpointsMayBeMissing?: boolean | undefined;
  /** Whether a 400, or a success whose body is only an error message, counts as a 422. @default false */
  readonly refusesInVariousWays?: boolean | undefined;
}

/** A larger response is rejected; neither contract comes near this size. */
const LARGEST_RESPONSE_MIB = 32;

/** Error codes of connections that never opened: no byte was sent, so any request may be retried. */
const NEVER_SENT = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN"]);

/** Error codes of a handshake that failed, by Node's (`EPROTO` and below) and OpenSSL's names of what is wrong. */
const TLS =
  /^(EPROTO|ERR_(TLS|SSL)_.*|UNABLE_TO_.*|(DEPTH_ZERO_)?SELF_SIGNED_CERT.*|CERT_.*|HOSTNAME_MISMATCH)$/;

/** Error codes of Node's decompression: of zlib, brotli and zstd. */
const ENCODING = /^(Z_|ERR__ERROR_|ZSTD_)/;

/** Sends requests to one host: the only place for serialisation, timeouts, retries and errors. */
export class Transport {
  readonly clock: Clock;
  readonly #options: TransportOptions;
  readonly #dialect: Dialect;
  #client: Promise<Client> | undefined;
  #serverClockAheadMs: number | undefined;

  constructor(options: TransportOptions) {
    this.#options = options;
    this.clock = options.clock ?? systemClock;
    this.#dialect = dialectOf(options.dialect ?? "agentserver");
  }

  /** The time by the server's clock, according to the `Date` of its last response; undefined before one. */
  serverTime(): Date | undefined {
    if (this.#serverClockAheadMs === undefined) return undefined;
    return new Date(this.clock.now() + this.#serverClockAheadMs);
  }

  /** The same; before such a response the time by the client's clock. */
  serverNow(): Date {
    return this.serverTime() ?? new Date(this.clock.now());
  }

  /** Sends one request, retries it where that is safe, and returns the parsed body. Throws a `RequestError`. */
  async request<Body>(call: Call<Body>): Promise<Body> {
    this.#client ??= loadClient(this.#options.maxConcurrentRequests ?? 16);
    const client = await this.#client;
    const pace = paceOf(this.clock, new URL(this.#options.baseUrl).host);
    const send = () => pace.send(() => this.#send(call, client), call.signal);
    const { isRepeatable = REPEATABLE.has(call.method) } = call;
    // Those that wait for the limit come after its retries: else a thousand of them would use up its time.
    const sent = client.limit(() => withRetries(isRepeatable, this.clock, call.signal, send));
    return orAborted(sent, call.signal);
  }

  /** The error about responses that each match the contract, and together do not. */
  invalidResponse(call: CallName, reason: string): InvalidResponseError {
    return new InvalidResponseError({ ...this.#exchangeOf(call), reason });
  }

  /** The error about a request that was ended before its response was there. */
  timeout(call: CallName, timeoutSeconds: number): TimeoutError {
    const reason = `timed out after ${timeoutSeconds} s without a response`;
    return new TimeoutError({ ...this.#exchangeOf(call), reason });
  }

  #exchangeOf({ action, subject, method, path, secrets = [] }: CallName): Exchange {
    return {
      action,
      subject,
      method,
      url: `${this.#options.baseUrl}${this.#dialect.fromContract.path(path)}`,
      secrets: [...this.#options.credentials, ...secrets],
      endpointsMayBeMissing: this.#options.endpointsMayBeMissing,
      refusesInVariousWays: this.#options.refusesInVariousWays,
    };
  }

  async #send<Body>(call: Call<Body>, client: Client): Promise<Body> {
    call.signal?.throwIfAborted();
    const exchange = this.#exchangeOf(call);
    const response = await this.#exchange(call, exchange, client);
    const date = Date.parse(String(response.headers["date"]));
    if (!Number.isNaN(date)) this.#serverClockAheadMs = date - this.clock.now();
    const schema = call.response(await import("./schema/index.js"));
    const { onMismatch = () => undefined } = this.#options;
    return readResponse(schema, response, exchange, this.#dialect.toContract.body, onMismatch);
  }

  async #exchange(
    call: Call<unknown>,
    exchange: Exchange,
    { axios, ownConnection, watching }: Client,
  ): Promise<AxiosResponse<string, unknown>> {
    const timeoutSeconds = call.timeoutSeconds ?? this.#options.requestTimeoutSeconds ?? 30;
    const timeout = timeoutSignal(timeoutSeconds * 1000);
    const isOwnMachine = isLoopback(new URL(exchange.url).hostname);
    try {
      return await axios.request<string>({
        url: exchange.url,
        method: call.method,
        params: call.query,
        headers: {
          "user-agent": `pulumi-agentserver (${this.#options.program ?? "SDK"})`,
          ...this.#options.headers,
          ...(call.body !== undefined && JSON_BODY),
          ...(isOwnMachine && call.resource && { [RESOURCE_HEADER]: encodeURI(call.resource) }),
        },
        data: JSON.stringify(this.#dialect.fromContract.body(call.body)),
        signal: call.signal ? AbortSignal.any([call.signal, timeout]) : timeout,
        // The proxies that HTTP_PROXY and the like name can't reach this machine's loopback.
        ...(isOwnMachine && { proxy: false }),
        ...(!REPEATABLE.has(call.method) && ownConnection),
        ...(call.onHead && { transport: watching(new URL(exchange.url), call.onHead) }),
      });
    } catch (error) {
      call.signal?.throwIfAborted();
      if (timeout.aborted) throw this.timeout(call, timeoutSeconds);
      if (messageOf(error).startsWith("maxContentLength"))
        throw this.invalidResponse(call, `the response is larger than ${LARGEST_RESPONSE_MIB} MiB`);
      if (ENCODING.test(codeOf(error)))
        throw new InvalidResponseError({
          ...exchange,
          isMalformedJson: true,
          reason: `a response that is not of its Content-Encoding: ${messageOf(error)}`,
        });
      throw connectionError(error, exchange);
    }
  }
}

/** Rejects as soon as the signal is aborted, also while a request waits for the limit, which knows no signals. */
function orAborted<Result>(
  sent: Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  if (signal === undefined) return sent;
  return new Promise((resolve, reject) => {
    const end = () => reject(signal.reason);
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
    sent.finally(() => signal.removeEventListener("abort", end)).then(resolve, reject);
  });
}

/** Names the Pulumi resource to a local platform, as a URN that is percent-encoded. */
const RESOURCE_HEADER = "x-pulumi-urn";

const REPEATABLE = new Set(["GET", "DELETE"]);
const JSON_BODY = { "content-type": "application/json" };

function connectionError(error: unknown, exchange: Exchange): ConnectionError {
  const code = codeOf(error) || undefined;
  const cause = messageOf(error) || code || "the connection was closed";
  const url = new URL(exchange.url);
  const { origin } = url;
  const failure = { ...exchange, reason: `no connection to ${origin}: ${cause}`, code };
  if (code !== undefined && TLS.test(code)) return new TlsError({ ...failure, neverSent: true });
  return new ConnectionError({
    ...failure,
    neverSent: code !== undefined && NEVER_SENT.has(code),
    nothingThere: isNothingThere(error, url),
  });
}

/** By what Node tried to reach, each of the host's addresses: axios goes to a proxy by itself, which fails in the same way. */
function isNothingThere(error: unknown, { protocol, hostname, port }: URL): boolean {
  const { cause } = recordOf(error);
  const { errors } = recordOf(cause);
  const ownPort = Number(port || (protocol === "https:" ? 443 : 80));
  return (Array.isArray(errors) ? errors : [cause]).map(recordOf).every((tried) => {
    if (tried["code"] === "ENOTFOUND") return tried["hostname"] === hostname;
    return tried["code"] === "ECONNREFUSED" && tried["port"] === ownPort;
  });
}

type Client = Awaited<ReturnType<typeof loadClient>>;

/** Loads the HTTP library with the first request, so that a program which only declares resources does not load it. */
async function loadClient(maxConcurrentRequests: number) {
  // `require` loads axios as one file; `import` loads sixty, in twice the time and memory.
  const axios: typeof import("axios") = require("axios");
  const [{ default: pLimit }, http, https] = await Promise.all([
    import("p-limit"),
    import("node:http"),
    import("node:https"),
  ]);
  return {
    // The server may close a kept-alive connection just as it is reused, which loses the response.
    ownConnection: { httpAgent: new http.Agent(), httpsAgent: new https.Agent() },
    limit: pLimit(maxConcurrentRequests),
    /** Node's client as axios calls it: axios itself reports the head only with the body. */
    watching: ({ protocol }: URL, onHead: (headers: IncomingHttpHeaders) => void) => ({
      request: (
        options: RequestOptions,
        onResponse: (response: IncomingMessage) => void,
      ): ClientRequest =>
        (protocol === "https:" ? https : http).request(options, (response) => {
          onHead(response.headers);
          onResponse(response);
        }),
    }),
    axios: axios.create({
      adapter: "http",
      // A redirect is never followed: it would send the key to another address.
      maxRedirects: 0,
      maxContentLength: LARGEST_RESPONSE_MIB * 1024 * 1024,
      responseType: "text",
      transformResponse: [],
      validateStatus: () => true,
    }),
  };
}

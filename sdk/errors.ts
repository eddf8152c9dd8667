import { redact, redactor } from "../shared/redact";
import { shorten } from "../shared/shorten";

/** The members of every failed request's error. */
export interface RequestFailure {
  /** Verb and noun, for example `create deployment`. */
  readonly action: string;
  /** The name or id of the resource, when there is one. */
  readonly subject?: string | undefined;
  readonly method: string;
  /** The URL without its query. */
  readonly url: string;
  /** The reason: the server's own message where there is one. */
  readonly reason: string;
  /** Values that are redacted in everything this error exposes. */
  readonly secrets: readonly string[];
}

/**
 * A request that did not succeed; every error of the client is one. The message reads
 * `create deployment 'support': 409 name is taken`. Credentials and secret values are redacted, and neither the request
 * nor the HTTP library's own error is kept.
 */
export class RequestError extends Error {
  readonly action: string;
  readonly subject: string | undefined;
  readonly method: string;
  readonly url: string;
  readonly reason: string;

  constructor(failure: RequestFailure) {
    const { action, subject, secrets } = failure;
    const reason = redact(failure.reason, secrets);
    super(redact(`${action}${subject ? ` '${subject}'` : ""}: ${reason}`, secrets));
    this.name = new.target.name;
    this.action = action;
    this.subject = subject === undefined ? undefined : redact(subject, secrets);
    this.method = failure.method;
    this.url = redact(failure.url, secrets);
    this.reason = reason;
  }
}

/** The server could not be reached, or the connection was closed before the response was complete. */
export class ConnectionError extends RequestError {
  /** The system's code, for example `ECONNREFUSED`. */
  readonly code: string | undefined;
  /** True only when the request certainly never reached the server. */
  readonly neverSent: boolean;
  /** True only when the URL's own address refused the connection or has no DNS entry, not that of a proxy in between. */
  readonly nothingThere: boolean;

  constructor(
    failure: RequestFailure & {
      code?: string | undefined;
      neverSent?: boolean;
      nothingThere?: boolean;
    },
  ) {
    super(failure);
    this.code = failure.code;
    this.neverSent = failure.neverSent ?? false;
    this.nothingThere = failure.nothingThere ?? false;
  }
}

/** The response was not complete within the request's timeout. */
export class TimeoutError extends ConnectionError {}

/** The TLS handshake failed, so that nothing was sent. A retry fails too: `advice` is what to change. */
export class TlsError extends ConnectionError {
  readonly advice: string =
    this.code === "EPROTO"
      ? "the other side does not speak TLS: write HTTPS_PROXY with its scheme, as in http://proxy.example.com:3128, and check the port of the URL"
      : "if your organization issues this certificate, set NODE_EXTRA_CA_CERTS to the file of its authority; else the name or the certificate of that host is wrong, or another host answers";
}

/** The response does not match the contract: it is not JSON, or a required member is missing. */
export class InvalidResponseError extends RequestError {
  /** Whether it is truncated or malformed JSON, or no body at all; the next response may be complete. */
  readonly isMalformedJson: boolean;
  /** Whether it is an HTML page: a gateway in between has sent it, as one to sign in, and may have kept the request. */
  readonly isPage: boolean;

  constructor(failure: RequestFailure & { isMalformedJson?: boolean; isPage?: boolean }) {
    super(failure);
    this.isMalformedJson = failure.isMalformedJson ?? false;
    this.isPage = failure.isPage ?? false;
  }
}

/** Whether the server has carried out a request, though its response is of no use. */
export function isCarriedOut(error: unknown): boolean {
  return error instanceof InvalidResponseError && !error.isPage;
}

/** The server responded with a status other than 2xx, or with a 2xx that is only an error message. */
export class StatusError extends RequestError {
  readonly status: number;
  /** The server's own message, its first 2,000 characters, or an empty string. */
  readonly detail: string;
  /** The pause that the `Retry-After` header asks for. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    failure: RequestFailure & {
      status: number;
      detail: string;
      retryAfterSeconds?: number | undefined;
    },
  ) {
    super(failure);
    this.status = failure.status;
    this.detail = redact(failure.detail, failure.secrets);
    this.retryAfterSeconds = failure.retryAfterSeconds;
  }
}

/** 400: the request violates a rule across fields. */
export class BadRequest extends StatusError {}
/** 401: the key is not accepted. */
export class Unauthorized extends StatusError {}
/** 403: the key is valid, but not for this workspace or feature. */
export class Forbidden extends StatusError {}
/** 404 or 410: there is no such resource in this workspace. */
export class NotFound extends StatusError {}
/**
 * 404, 405 or 410 without a message of the control plane's own: there is no such endpoint at this address. The control plane
 * does not offer it, or the base URL is wrong; it never means that a resource is gone.
 */
export class NotOfferedError extends StatusError {}
/** 409: the name is taken, or the state of the resource forbids this. */
export class Conflict extends StatusError {}
/** 429: too many requests. */
export class RateLimited extends StatusError {}
/** 5xx: the server failed. */
export class ServerError extends StatusError {}

/** One problem of a request's body, query or path, as the server reports it. */
export interface FieldProblem {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

/**
 * 422: the request does not match its schema (contract, "Errors"). Agent servers also report this with a 400, or with a
 * 2xx whose body is only an error message.
 */
export class Unprocessable extends StatusError {
  readonly problems: readonly FieldProblem[];

  constructor(
    failure: ConstructorParameters<typeof StatusError>[0] & { problems: readonly FieldProblem[] },
  ) {
    super(failure);
    const redacted = redactor(failure.secrets);
    const quoted = (text: string): string => shorten(redacted(text));
    this.problems = failure.problems.map(({ loc, msg, type }) => ({
      loc: loc.map((part) => (typeof part === "string" ? quoted(part) : part)),
      msg: quoted(msg),
      type: quoted(type),
    }));
  }
}

const BY_STATUS = new Map([
  [400, BadRequest],
  [401, Unauthorized],
  [403, Forbidden],
  [404, NotFound],
  [409, Conflict],
  [410, NotFound],
  [429, RateLimited],
]);

/** The class of a status other than 422. */
export function statusErrorClass(status: number): typeof StatusError {
  return BY_STATUS.get(status) ?? (status >= 500 ? ServerError : StatusError);
}

/** The message of web frameworks for what is not there: for a path without a handler, and where a handler gives none. */
export const FRAMEWORK_NOT_FOUND = "Not Found";

/** Whether a URL that has served a resource before reports it gone. A gateway that has lost its server answers in its own words. */
export function isGone(error: unknown): boolean {
  return (
    error instanceof NotFound ||
    (error instanceof NotOfferedError && error.detail === FRAMEWORK_NOT_FOUND)
  );
}

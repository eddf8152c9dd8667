import { redact } from "../shared/redact";

/** What every failed request says of itself. */
export interface RequestFailure {
  /** Verb and noun, for example `create deployment`. */
  readonly action: string;
  /** The name or id of the thing, when there is one. */
  readonly subject?: string | undefined;
  readonly method: string;
  /** The URL without its query. */
  readonly url: string;
  /** What went wrong, in the server's own words where it has any. */
  readonly words: string;
  /** Values that must not appear in anything this error shows. */
  readonly secrets: readonly string[];
}

/**
 * A request that did not succeed; every error of the client is one. The message reads
 * `create deployment 'support': 409 name is taken`. Credentials and secret values are removed here, and neither the
 * request nor the HTTP library's own error is kept.
 */
export class RequestError extends Error {
  readonly action: string;
  readonly subject: string | undefined;
  readonly method: string;
  readonly url: string;

  constructor(failure: RequestFailure) {
    const { action, subject, secrets } = failure;
    super(redact(`${action}${subject ? ` '${subject}'` : ""}: ${failure.words}`, secrets));
    this.name = new.target.name;
    this.action = action;
    this.subject = subject === undefined ? undefined : redact(subject, secrets);
    this.method = failure.method;
    this.url = redact(failure.url, secrets);
  }
}

/** The server could not be reached, or the connection broke before a whole answer came. */
export class ConnectionError extends RequestError {
  /** The system's code, for example `ECONNREFUSED`. */
  readonly code: string | undefined;
  /** True only when the request surely never reached the server. */
  readonly neverSent: boolean;

  constructor(failure: RequestFailure & { code?: string | undefined; neverSent?: boolean }) {
    super(failure);
    this.code = failure.code;
    this.neverSent = failure.neverSent ?? false;
  }
}

/** No whole answer came within the request's time. */
export class TimeoutError extends ConnectionError {}

/** The answer is not what the contract promises: no JSON, or a required member is missing. */
export class InvalidResponseError extends RequestError {
  /** Whether it is JSON that is cut off or broken: the next answer may well be whole. */
  readonly isCutOff: boolean;

  constructor(failure: RequestFailure & { isCutOff?: boolean }) {
    super(failure);
    this.isCutOff = failure.isCutOff ?? false;
  }
}

/** The server answered with a status that is no success. */
export class StatusError extends RequestError {
  readonly status: number;
  /** The server's own words, or an empty text. */
  readonly detail: string;
  /** What the `Retry-After` header asks for. */
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

/** 400: a rule across fields is broken. */
export class BadRequest extends StatusError {}
/** 401: the key is not accepted. */
export class Unauthorized extends StatusError {}
/** 403: the key is fine, but not for this workspace or feature. */
export class Forbidden extends StatusError {}
/** 404: there is no such thing in this workspace. */
export class NotFound extends StatusError {}
/**
 * 404 or 405 without words of the control plane's own: there is no such endpoint at this address. It may not offer it,
 * or the base URL leads elsewhere; it never means that a thing is gone.
 */
export class NotOfferedError extends StatusError {}
/** 409: the name is taken, or the thing is in a state that forbids this. */
export class Conflict extends StatusError {}
/** 429: too many requests. */
export class RateLimited extends StatusError {}
/** 5xx: the server failed. */
export class ServerError extends StatusError {}

/** One problem of a request's body, query or path, as the server names it. */
export interface FieldProblem {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

/**
 * 422: the request does not have the right shape (contract, "Errors"). Agent servers say the same with a 400 too, or with a
 * success whose body only tells what is wrong.
 */
export class Unprocessable extends StatusError {
  readonly problems: readonly FieldProblem[];

  constructor(
    failure: ConstructorParameters<typeof StatusError>[0] & { problems: readonly FieldProblem[] },
  ) {
    super(failure);
    this.problems = failure.problems.map(({ loc, msg, type }) => ({
      loc: [...loc],
      msg: redact(msg, failure.secrets),
      type,
    }));
  }
}

const BY_STATUS = new Map([
  [400, BadRequest],
  [401, Unauthorized],
  [403, Forbidden],
  [404, NotFound],
  [409, Conflict],
  [429, RateLimited],
]);

/** The class that stands for a status which is not a 422. */
export function statusErrorClass(status: number): typeof StatusError {
  return BY_STATUS.get(status) ?? (status >= 500 ? ServerError : StatusError);
}

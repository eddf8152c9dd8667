import { validateHeaderName, validateHeaderValue } from "node:http";
import { z } from "zod";
import { messageOf } from "../../shared/errors";

const MAX_PATTERN_LENGTH = 1000;

/** Headers that Node can send. */
const Headers = z.record(z.string(), z.string()).superRefine((headers, context) => {
  for (const [name, value] of Object.entries(headers))
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch (error) {
      context.addIssue({ code: "custom", path: [name], message: messageOf(error) });
    }
});

/**
 * A fault of the next requests that match. `path` is compared without `/api-host` and query, `*` in it matches any
 * characters; without `method` or `path` any matches. `times` (1) is the number of requests.
 *
 * - `status`: a response of `status` (500), `headers` and `body`; the request is not handled;
 * - `delay`: handled after `delayMs` (1000) of real time;
 * - `drop-before`: the connection is closed, and the request not handled;
 * - `drop-after`: handled, then the connection is closed without a response;
 * - `reset`: the connection is reset (TCP RST), and the request not handled.
 */
export const Fault = z.strictObject({
  match: z.strictObject({
    method: z.string().toUpperCase().optional(),
    path: z.string().max(MAX_PATTERN_LENGTH).optional(),
  }),
  times: z.int().min(1).default(1),
  action: z.enum(["status", "delay", "drop-before", "drop-after", "reset"]),
  status: z.int().min(200).max(599).default(500),
  headers: Headers.default({}),
  body: z.unknown().optional(),
  delayMs: z.int().min(0).default(1000),
});
export type Fault = z.infer<typeof Fault>;

/** The faults that are not used up; of several that match a request, the oldest is used. */
export class Faults {
  #waiting: Fault[] = [];

  /** Those that wait, with the number of times that are left. */
  get waiting(): readonly Fault[] {
    return this.#waiting;
  }

  add(fault: Fault): void {
    this.#waiting.push({ ...fault });
  }

  clear(): void {
    this.#waiting = [];
  }

  take(method: string, path: string): Fault | undefined {
    const fault = this.#waiting.find(({ match }) => fits(match, method, path));
    if (!fault) return undefined;
    fault.times -= 1;
    this.#waiting = this.#waiting.filter(({ times }) => times > 0);
    return fault;
  }
}

function fits(match: Fault["match"], method: string, path: string): boolean {
  if (match.method !== undefined && match.method !== method) return false;
  return match.path === undefined || fitsPattern(match.path, path);
}

/** Searches each part between two stars once, from the end of the previous one: unlike a regular expression, it never backtracks. */
function fitsPattern(pattern: string, path: string): boolean {
  const [first = "", ...middle] = pattern.split("*");
  const last = middle.pop();
  if (last === undefined) return path === first;
  if (!path.startsWith(first)) return false;
  let end = first.length;
  for (const text of middle) {
    const start = path.indexOf(text, end);
    if (start === -1) return false;
    end = start + text.length;
  }
  return path.endsWith(last) && path.length - last.length >= end;
}

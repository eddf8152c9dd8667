import { z } from "zod";

const LONGEST_PATTERN = 1000;

/**
 * What happens to the next requests that match. `path` is compared without `/api-host` and query, `*` in it stands for
 * any text; without `method` or `path` every one matches. `times` (1) is how many requests it is used for.
 *
 * - `status`: answered with `status` (500), `headers` and `body`, and not handled;
 * - `delay`: handled after `delayMs` (1000) of real time;
 * - `drop-before`: the connection is closed, and the request not handled;
 * - `drop-after`: handled, then the connection is closed without an answer;
 * - `reset`: the connection is reset (TCP RST), and the request not handled.
 */
export const Fault = z.object({
  match: z.object({
    method: z.string().toUpperCase().optional(),
    path: z.string().max(LONGEST_PATTERN).optional(),
  }),
  times: z.int().min(1).default(1),
  action: z.enum(["status", "delay", "drop-before", "drop-after", "reset"]),
  status: z.int().min(200).max(599).default(500),
  headers: z.record(z.string(), z.string()).default({}),
  body: z.unknown().optional(),
  delayMs: z.int().min(0).default(1000),
});
export type Fault = z.infer<typeof Fault>;

/** The faults that wait for their requests; the oldest that matches is used. */
export class Faults {
  #waiting: Fault[] = [];

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

/** What lies between two stars is looked for once, from where the one before was found: no regular expression goes back. */
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

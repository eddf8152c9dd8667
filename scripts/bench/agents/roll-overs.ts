import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";

/** What requests to a deployment came to while its revisions rolled over. */
export interface RollOverLoad {
  readonly requests: number;
  /** How many were sent a second, all in all. */
  readonly perSecond: number;
  /** What was said of each request that was not answered as it should be. */
  readonly failures: readonly string[];
  /** The longest that an answer took. */
  readonly longestMs: number;
  readonly threads: number;
  /** Those that were made and are not there at the end. */
  readonly lost: readonly string[];
}

/** How requests are sent. */
export interface Rate {
  readonly perSecond: number;
  /**
   * A platform that can't keep up with so many unanswered ones is sent no more: it would do nothing but catch up. Each has
   * a connection, of which a Node server takes one new one at a turn, and its turns are long when many are open.
   */
  readonly mostUnanswered: number;
}

const Thread = z.object({ thread_id: z.string() });
const CHECKS_AT_ONCE = 8;

/**
 * Sends requests to a deployment's URL at a constant rate until the roll-overs are done: one makes a thread, the next one
 * reads the newest. At the end every thread is looked for.
 */
export async function loadRollOvers(
  url: string,
  rate: Rate,
  rollOvers: () => Promise<void>,
): Promise<RollOverLoad> {
  const load = new Load(url);
  const rolling = new AbortController();
  const sending = load.send(rate, rolling.signal);
  try {
    await rollOvers();
  } finally {
    rolling.abort();
    await sending;
  }
  return load.result();
}

class Load {
  readonly #url: string;
  readonly #failures: string[] = [];
  readonly #threads: string[] = [];
  #requests = 0;
  #seconds = 0;
  #longestMs = 0;

  constructor(url: string) {
    this.#url = url;
  }

  async send({ perSecond, mostUnanswered }: Rate, signal: AbortSignal): Promise<void> {
    const startMs = performance.now();
    const unanswered = new Set<Promise<void>>();
    for (let turn = 0; !signal.aborted; turn += 1) {
      const waitMs = startMs + (turn * 1000) / perSecond - performance.now();
      if (waitMs > 0) await sleep(waitMs);
      if (unanswered.size >= mostUnanswered) continue;
      const request = this.#next(turn).finally(() => unanswered.delete(request));
      unanswered.add(request);
    }
    this.#seconds = (performance.now() - startMs) / 1000;
    await Promise.all(unanswered);
  }

  async result(): Promise<RollOverLoad> {
    return {
      requests: this.#requests,
      perSecond: this.#requests / this.#seconds,
      failures: this.#failures,
      longestMs: this.#longestMs,
      threads: this.#threads.length,
      lost: await this.#lost(),
    };
  }

  async #next(turn: number): Promise<void> {
    const newest = this.#threads.at(-1);
    const startMs = performance.now();
    this.#requests += 1;
    try {
      if (newest === undefined || turn % 2 === 0) await this.#create();
      else await this.#ask(`/threads/${newest}`);
    } catch (error) {
      this.#failures.push(String(error));
    }
    this.#longestMs = Math.max(this.#longestMs, performance.now() - startMs);
  }

  async #create(): Promise<void> {
    const headers = { "content-type": "application/json" };
    const made = await this.#ask("/threads", { method: "POST", headers, body: "{}" });
    this.#threads.push(Thread.parse(made).thread_id);
  }

  async #lost(): Promise<string[]> {
    const left = [...this.#threads];
    const lost: string[] = [];
    const check = async () => {
      for (let id = left.pop(); id !== undefined; id = left.pop())
        if (!(await fetch(`${this.#url}/threads/${id}`)).ok) lost.push(id);
    };
    await Promise.all(Array.from({ length: CHECKS_AT_ONCE }, check));
    return lost;
  }

  async #ask(path: string, init?: RequestInit): Promise<unknown> {
    const answer = await fetch(this.#url + path, init);
    if (answer.ok) return answer.json();
    throw new Error(`${init?.method ?? "GET"} ${path}: ${answer.status} ${await answer.text()}`);
  }
}

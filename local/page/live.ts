import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "hono";
import { streamSSE } from "hono/streaming";
import type { PageParts } from "./parts";

const TICK_MS = 400;
/** Each view is rendered again and again: a browser opens six at most. */
const MOST_STREAMS = 100;

/** The next event of a stream; `id` is where it continues after a lost connection. */
export interface LiveMessage {
  readonly html: string;
  readonly id?: string | undefined;
}

/** The changes that a live view follows. */
export interface Watch {
  /** Another string means that the view may have changed. */
  readonly state: () => string;
  /** The view is rendered after this time without a change too. */
  readonly idleMs: () => number;
}

/** Everything that the platform writes. Ages, durations and memory change without a write. */
function allChanges({ store, admin }: PageParts): Watch {
  return {
    state: () => `${store.writes} ${admin.recentRequests.last}`,
    idleMs: () => 4 * TICK_MS,
  };
}

/** Sends what `render` returns, and again whenever that has changed. */
export function liveFragment(
  c: Context,
  parts: PageParts,
  render: () => unknown,
  { state, idleMs }: Watch = allChanges(parts),
) {
  let seen: string | undefined;
  let idle = 0;
  let sent: string | undefined;
  return liveMessages(c, parts, async () => {
    const now = state();
    idle += TICK_MS;
    if (now === seen && idle < idleMs()) return undefined;
    seen = now;
    idle = 0;
    const html = String(await render());
    if (html === sent) return undefined;
    sent = html;
    return { html };
  });
}

/**
 * Sends messages until the reader or the platform is gone; `next` is asked again at short intervals. Answers 503 where
 * too many streams are open.
 */
export function liveMessages(
  c: Context,
  { closing, streams }: PageParts,
  next: () => Promise<LiveMessage | undefined>,
) {
  if (streams.open >= MOST_STREAMS)
    return c.text(`${MOST_STREAMS} live views of the page are open: close some\n`, 503);
  streams.open += 1;
  return streamSSE(c, async (stream) => {
    const gone = new AbortController();
    stream.onAbort(() => gone.abort());
    const ended = AbortSignal.any([closing, gone.signal]);
    try {
      while (!ended.aborted) {
        const message = await next();
        if (message && !ended.aborted)
          await stream.writeSSE({ data: message.html, ...(message.id && { id: message.id }) });
        await sleep(TICK_MS, undefined, { signal: ended, ref: false }).catch(() => {});
      }
    } finally {
      streams.open -= 1;
    }
  });
}

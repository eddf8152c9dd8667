import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";
import { ask, CREATE_THREAD, type Target, threadIn } from "./load";
import type { Run } from "./run";
import type { Numbers } from "./table";

/** The close by which a roll-over moves sockets to the next server. */
const SERVICE_RESTART = 1012;
const PAUSE_MS = 1000;

/**
 * Keeps the event streams of so many threads open until the work is done: what is closed is opened again. A socket is lost
 * that a roll-over has not closed.
 */
export async function readDuring(
  target: Target,
  readers: number,
  { signal }: Run,
  work: () => Promise<Numbers>,
): Promise<Numbers> {
  const open = new Set<WebSocket>();
  const over = new AbortController();
  let [opened, lost] = [0, 0];
  const read = async () => {
    const id = threadIn(await ask(target, CREATE_THREAD, signal));
    const url = `${target.url.replace("http", "ws")}/threads/${id}/stream/events`;
    while (!over.signal.aborted) {
      const socket = new WebSocket(url);
      open.add(socket.on("open", () => (opened += 1)));
      // A close follows each error.
      socket.on("error", () => {});
      const code = await new Promise((resolve) => socket.on("close", resolve));
      open.delete(socket);
      if (over.signal.aborted || code === SERVICE_RESTART) continue;
      lost += 1;
      await sleep(PAUSE_MS);
    }
  };
  const end = () => {
    over.abort();
    for (const socket of open) socket.terminate();
  };
  const [done] = await Promise.all([work().finally(end), ...Array.from({ length: readers }, read)]);
  return { ...done, "sockets opened": opened, "sockets lost": lost };
}

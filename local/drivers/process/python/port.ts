import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

const FIRST = 20_000;
const LAST = 32_767;
let next = randomInt(FIRST, LAST + 1);

/**
 * A port of loopback for a server that listens seconds later. It is below those that the system gives out by itself, so
 * that no connection takes it meanwhile, and each one is given out once, so that no other start of this process does.
 */
export async function takePort(): Promise<number> {
  for (;;) {
    const port = next;
    next = port === LAST ? FIRST : port + 1;
    if (await isFree(port)) return port;
  }
}

/** Whether nobody listens on a port of loopback. */
export async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, "127.0.0.1");
  const isListening = await once(server, "listening").then(
    () => true,
    () => false,
  );
  if (isListening) await once(server.close(), "close");
  return isListening;
}

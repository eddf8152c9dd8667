import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

const FIRST = 20_000;
const LAST = 32_767;
let next = randomInt(FIRST, LAST + 1);

/**
 * A free port for a server that listens seconds later. It is below the ephemeral ports, so that no connection takes it
 * meanwhile, and this process returns each port once, so that no other start takes it.
 */
export async function takePort(): Promise<number> {
  for (;;) {
    const port = next;
    next = port === LAST ? FIRST : port + 1;
    if (await isFree(port)) return port;
  }
}

/** Whether no process listens on a port of loopback. */
export async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, "127.0.0.1");
  const isListening = await once(server, "listening").then(
    () => true,
    () => false,
  );
  if (isListening) await once(server.close(), "close");
  return isListening;
}

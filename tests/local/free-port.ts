import { once } from "node:events";
import { createServer } from "node:net";
import { listen } from "./front";

/** A port of this machine that nobody listens on just now. */
export async function aFreePort(): Promise<number> {
  const server = createServer();
  const { port } = new URL(await listen(server));
  await once(server.close(), "close");
  return Number(port);
}

import { join } from "node:path";
import type { Server, Servers } from "../servers";
import { startPlatform } from "./commands";
import { populate } from "./deployments";

/** A platform with so many deployments, which can be stopped and started again. */
export class Populated {
  readonly name: string;
  readonly #servers: Servers;
  readonly #count: number;

  constructor(servers: Servers, count: number) {
    this.name = `${count.toLocaleString("en")} deployments`;
    this.#servers = servers;
    this.#count = count;
  }

  start(): Promise<Server> {
    return startPlatform(this.#servers, join(this.#servers.folder, String(this.#count)));
  }

  /** Makes its deployments. */
  async fill(signal: AbortSignal): Promise<void> {
    const server = await this.start();
    await populate(server, this.#count, signal);
    await server.stop();
  }
}

import type { DriverName } from "../../../local/drivers";
import type { Server, Servers } from "../servers";

const CLI = require.resolve("../../../cli/main");
const FLOOR = require.resolve("./floor");

/** Starts the command that users start, on a data folder that may be new. */
export function startPlatform(
  servers: Servers,
  dataDir: string,
  driver: DriverName = "simulated",
): Promise<Server> {
  const options = ["--port", "0", "--driver", driver, "--data-dir", dataDir];
  return servers.start(CLI, "local", "--json", ...options);
}

/** Starts the bare server, whose answers have these sizes in bytes: a list page, and one deployment. */
export function startFloor(servers: Servers, pageBytes = 0, oneBytes = 0): Promise<Server> {
  return servers.start(FLOOR, String(pageBytes), String(oneBytes));
}

import type { PlatformClock } from "../platform/clock";
import { pathsIn } from "../platform/folder";
import type { Logs } from "../logs/logs";
import type { Driver } from "./driver";
import { simulatedDriver } from "./simulated";

/** What the drivers work with. */
export interface DriverParts {
  readonly dataDir: string;
  readonly maxServers: number;
  readonly stageSeconds: number;
  readonly clock: PlatformClock;
  readonly logs: Logs;
}

/** Makes the driver that was chosen; what a former run of the process driver left running is ended first. */
export async function makeDriver(
  name: "process" | "simulated",
  parts: DriverParts,
): Promise<Driver> {
  if (name === "simulated") return simulatedDriver(parts);
  const { folder } = pathsIn(parts.dataDir);
  // Loaded when needed: whoever only simulates starts faster without.
  const [{ endLeftovers }, { processDriver }] = await Promise.all([
    import("./process/keeper/keeper.js"),
    import("./process.js"),
  ]);
  await endLeftovers(folder);
  return processDriver({
    dataDir: folder,
    maxServers: parts.maxServers,
    serverLog: ({ id, secrets }, line) =>
      parts.logs.write({ revisionId: id, type: "deploy" }, "INFO", line, secrets),
  });
}

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { LocalPlatform } from "pulumi-agentserver/local";

const run = promisify(execFile);

/** Number of requests to the control plane, as the platform counts them itself. */
export async function controlPlaneRequests({ url, adminKey }: LocalPlatform): Promise<number> {
  const response = await fetch(`${url}/_local/requests`, { headers: { "x-local-key": adminKey } });
  const counts: unknown = await response.json();
  return Object.values(Object(counts)).reduce<number>((sum, count) => sum + Number(count), 0);
}

/** Number of running agent servers whose data lies below a folder, by the system's process list. */
export async function runningServers(dir: string): Promise<number> {
  const { stdout } = await run("ps", ["-A", "-o", "ppid=,args="]);
  const servers = stdout
    .split("\n")
    .filter((line) => line.includes(dir) && /agentserver\/main| dev --no-browser/.test(line));
  // Each server has a keeper beside it, which is named with the same arguments.
  return servers.filter((line) => !/\bsh\b/.test(line)).length;
}

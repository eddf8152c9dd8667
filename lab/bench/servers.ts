import type { DriverName } from "../../local/drivers";
import type { AgentServerChoice } from "../../local/drivers/driver";
import { ControlPlane, type CreateDeployment } from "../../sdk";
import type { Run, Server } from "./run";

/** The command line. */
export const CLI = require.resolve("../../cli/main");
const FLOOR = require.resolve("./floor");

/** Starts the bare server that others are compared with. */
export function startFloor(run: Run): Promise<Server> {
  return run.start(FLOOR);
}

/** Starts a local platform as users do, on a data folder that may be new. */
export function startPlatform(
  run: Run,
  dataDir: string,
  driver: DriverName,
  stageSeconds = 0,
  agentServer: AgentServerChoice = "real",
): Promise<Server> {
  const options = ["--port", "0", "--driver", driver, "--data-dir", dataDir];
  const more = ["--stage-seconds", `${stageSeconds}`, "--agent-server", agentServer];
  return run.start(CLI, "local", "--json", ...options, ...more);
}

/** A client of a platform, and the body that creates a deployment of a repository's branch `main`. */
export async function clientOf(
  server: Pick<Server, "url" | "apiKey" | "workspaceId">,
  signal: AbortSignal,
) {
  const controlPlane = new ControlPlane({ ...server, baseUrl: server.url });
  const [integration] = await Array.fromAsync(controlPlane.integrations.list({ signal }));
  const integration_id = integration?.id ?? "";
  const bodyOf = (name: string, repo_url: string): CreateDeployment => ({
    name,
    source: "git_host",
    source_config: { integration_id, repo_url, deployment_type: "dev" },
    source_revision_config: { repo_ref: "main", graph_config_path: "langgraph.json" },
    secrets: [{ name: "LOG_LEVEL", value: "info" }],
  });
  return { controlPlane, bodyOf };
}

import { join } from "node:path";
import { DIALECTS } from "../../../sdk/dialect";
import { printable } from "../../../shared/printable";
import { DRIVER_NAMES, DRIVERS } from "../../drivers";
import type { LocalPlatform, LocalPlatformOptions } from "../..";
import { CommandFailure, type CommandLine } from "../command-line";
import { ADDRESS, COUNT, FOLDER, oneOf, ORIGIN, PORT, SECONDS } from "../values";

/** Adds `local`, which starts the platform and runs until a signal ends it. */
export function addLocalCommand(line: CommandLine, run = runLocal): void {
  const drivers = DRIVERS.map(({ name, description }) => `${name} ${description}`).join("; ");
  line
    .command("local")
    .description("start the local platform: a control plane and agent servers on this machine")
    .addOption(
      line.option(
        "--port <port>",
        "port of a new data folder, which keeps it; 0 takes a free one (default: 8123)",
        PORT,
      ),
    )
    .addOption(
      line.option(
        "--data-dir <folder>",
        "where everything is kept (default: .agentserver)",
        FOLDER,
      ),
    )
    .addOption(line.option("--driver <name>", `${drivers} (default: process)`, oneOf(DRIVER_NAMES)))
    .addOption(
      line.option(
        "--stage-seconds <seconds>",
        "how long a simulated stage takes (default: 0.2)",
        SECONDS,
      ),
    )
    .addOption(
      line.option(
        "--dialect <name>",
        "names on the wire: agentserver or langsmith (default: agentserver)",
        oneOf(DIALECTS),
      ),
    )
    .addOption(
      line.option(
        "--hosting <model>",
        "cloud or self-hosted: accept only the sources of this hosting model",
        oneOf(["cloud", "self-hosted"]),
      ),
    )
    .addOption(
      line.option(
        "--max-servers <count>",
        "most agent servers that run at a time (default: 10)",
        COUNT,
      ),
    )
    .addOption(
      line.option(
        "--listen <address>",
        "address to listen on; any but loopback needs --agent-auth (default: 127.0.0.1)",
        ADDRESS,
      ),
    )
    .option("--agent-auth", "require the workspace's key at agent URLs too")
    .addOption(
      line.repeatableOption(
        "--allow-origin <origin>",
        "let pages of this origin, such as http://localhost:3000, call agents (repeatable)",
        ORIGIN,
      ),
    )
    .option("--json", "print one line of JSON")
    .action(({ json = false, allowOrigin: allowOrigins, ...options }) =>
      run({ ...options, allowOrigins }, json),
    );
}

async function runLocal(options: LocalPlatformOptions, json: boolean): Promise<void> {
  const { startLocalPlatform, StartError } = await import("../../index.js");
  try {
    const platform = await startLocalPlatform(options);
    endOnSignals(platform);
    const { url, port, apiKey, workspaceId, adminKey, pid } = platform;
    const identity = { url, port, apiKey, workspaceId, adminKey, pid };
    const path = join(options.dataDir ?? ".agentserver", "platform.json");
    const message = `The local platform listens at ${url}. Its keys are in ${path}.`;
    console.log(json ? JSON.stringify(identity) : printable(message));
  } catch (error) {
    throw error instanceof StartError ? new CommandFailure(error.message, { cause: error }) : error;
  }
}

/** One Ctrl-C may arrive as several signals: npm and npx forward theirs to a process that has received it already. */
const SAME_SIGNAL_MS = 500;

/** The first signal closes the platform, a later one exits at once. */
function endOnSignals(platform: LocalPlatform): void {
  let sinceMs: number | undefined;
  const end = (signal: NodeJS.Signals) => {
    if (sinceMs === undefined) {
      sinceMs = Date.now();
      void platform.close().finally(() => process.exit());
    } else if (Date.now() - sinceMs > SAME_SIGNAL_MS) process.exit(signal === "SIGINT" ? 130 : 143);
  };
  process.on("SIGINT", end);
  process.on("SIGTERM", end);
}

import {
  type LocalPlatform,
  type LocalPlatformOptions,
  StartError,
  startLocalPlatform,
} from "../../local";
import { DEFAULT_DATA_DIR, npxCommand, pathsIn } from "../../local/platform/identity-file";
import { printable } from "../../shared/printable";
import { CommandFailure } from "../failure";

/** Starts the local platform, which runs until a signal or `local stop` ends it. */
export async function startLocal(options: LocalPlatformOptions, json: boolean): Promise<void> {
  try {
    const platform = await startLocalPlatform(options);
    endOnSignals(platform);
    void platform.closed.finally(() => process.exit());
    const { url, port, apiKey, workspaceId, adminKey, pid, dialect, pageUrl } = platform;
    const identity = { url, port, apiKey, workspaceId, adminKey, pid, dialect, pageUrl };
    console.log(json ? JSON.stringify(identity) : printable(greeting(platform, options)));
  } catch (error) {
    throw error instanceof StartError ? new CommandFailure(error.message, { cause: error }) : error;
  }
}

function greeting({ url, pid, pageUrl }: LocalPlatform, options: LocalPlatformOptions): string {
  const { dataDir = DEFAULT_DATA_DIR } = options;
  const { folder, identity, database } = pathsIn(dataDir);
  const command = (words: string) => npxCommand(words, dataDir);
  return [
    `The local platform listens at ${url}. Its process is ${pid}, its keys are in ${identity}.`,
    ...(pageUrl === undefined ? [] : [`  look at it          ${pageUrl}`]),
    `  point Pulumi at it  eval "$(${command("env")})"`,
    `  deployments         ${command("list")}`,
    `  logs                ${command("logs NAME --follow")}`,
    `  data                ${folder} (logs in ${database})`,
    `  stop                Ctrl-C, or ${command("local stop")}`,
  ].join("\n");
}

/** One Ctrl-C may arrive as several signals: npm and npx forward theirs to a process that has received it already. */
const SAME_SIGNAL_MS = 500;

/** The first signal closes the platform, a later one exits at once. */
function endOnSignals(platform: LocalPlatform): void {
  let sinceMs: number | undefined;
  const end = (signal: NodeJS.Signals) => {
    if (sinceMs === undefined) {
      sinceMs = Date.now();
      void platform.close();
    } else if (Date.now() - sinceMs > SAME_SIGNAL_MS) process.exit(signal === "SIGINT" ? 130 : 143);
  };
  process.on("SIGINT", end);
  process.on("SIGTERM", end);
}

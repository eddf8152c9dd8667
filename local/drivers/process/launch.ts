import { mkdir } from "node:fs/promises";
import type { Environment, Keeper } from "../../keeper";
import type { Launcher } from "../../servers/launcher";
import { startServer } from "../../servers/server";
import type { Revision } from "../driver";
import { serverEnvironment } from "./environment";
import type { Folders } from "./folders";
import { serverSettings } from "./settings";

/** What it takes to start the servers of revisions. */
export interface LaunchParts {
  readonly keeper: Keeper;
  readonly folders: Folders;
  /** The platform's own environment. */
  readonly environment: Environment;
  /** The script of the built-in agent server's process. */
  readonly serverScript: string;
  /** Takes what a server prints that is started outside of a deploy. */
  readonly serverLog: (revision: Revision, line: string) => void;
}

const START_LIMIT_SECONDS = 60;

/** Starts the server that stands for a revision: so far the built-in one for each. */
export function makeLauncher(parts: LaunchParts): Launcher {
  const { keeper, folders, environment, serverScript, serverLog } = parts;
  return {
    async start(revision, signal, log = (line) => serverLog(revision, line)) {
      const cwd = folders.deployment(revision.deploymentId);
      await mkdir(cwd, { recursive: true, mode: 0o700 });
      const settings = await serverSettings(folders, revision);
      const command = {
        file: process.execPath,
        args: [serverScript, JSON.stringify(settings)],
        cwd,
        environment: serverEnvironment(environment, revision),
        onLine: log,
      };
      return startServer({ keeper, command, signal, limitSeconds: START_LIMIT_SECONDS });
    },
    stateFolder: async () => undefined,
  };
}

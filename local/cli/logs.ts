import { readFile } from "node:fs/promises";
import { z } from "zod";
import { ConnectionError, ControlPlane, RequestError, type Deployment } from "../../sdk";
import type { LogType } from "../../sdk/schema";
import { codeOf, messageOf } from "../../shared/errors";
import { nearest } from "../../shared/nearest";
import { pathsIn } from "../platform/folder";
import { CommandFailure } from "./command-line";

/** Which logs to read. */
export interface LogsOptions {
  /** The deployment's name or id. */
  readonly deployment: string;
  /** The data folder of the local platform. @default ".agentserver" */
  readonly dataDir?: string | undefined;
  /** @default the newest revision */
  readonly revisionId?: string | undefined;
  /** @default both, the build log first */
  readonly type?: LogType | undefined;
}

/** The part of `platform.json` that a client needs. */
const Identity = z.object({ url: z.string(), apiKey: z.string(), workspaceId: z.string() });

/** Retries do not pause: on loopback, a platform that refuses a connection is not running. */
const NO_PAUSES = { now: Date.now, random: () => 0, sleep: async () => {} };

/**
 * Reads log lines, each with its timestamp, from the platform that runs on the data folder. Throws `CommandFailure`.
 */
export async function* readLogs(options: LogsOptions): AsyncGenerator<string, void, undefined> {
  const { dataDir = ".agentserver", type } = options;
  const { url, ...keys } = await readIdentity(dataDir);
  const client = new ControlPlane({ ...keys, baseUrl: url, clock: NO_PAUSES });
  try {
    const { id, latest_revision_id } = await findDeployment(client, options.deployment);
    const revisionId = options.revisionId ?? latest_revision_id ?? "";
    for (const each of type ? [type] : (["build", "deploy"] as const))
      for await (const { timestamp, message } of client.revisions.logLines(id, revisionId, each))
        yield `${timestamp} ${message}`;
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const notRunning = `cannot connect to the local platform at ${url}; start it with \`pulumi-agentserver local --data-dir ${dataDir}\``;
    const message = error instanceof ConnectionError ? notRunning : error.message;
    throw new CommandFailure(message, { cause: error });
  }
}

async function readIdentity(dataDir: string) {
  const { identity } = pathsIn(dataDir);
  const text = await readFile(identity, "utf8").catch((error: unknown) => {
    throw new CommandFailure(
      `cannot read ${identity}: ${codeOf(error)}; set --data-dir to the data folder of a local platform, or start one there`,
      { cause: error },
    );
  });
  try {
    return Identity.parse(JSON.parse(text));
  } catch (error) {
    throw new CommandFailure(
      `${identity} is not valid: ${error instanceof z.ZodError ? z.prettifyError(error) : messageOf(error)}; start the platform on the folder again, which writes the file anew`,
      { cause: error },
    );
  }
}

async function findDeployment(client: ControlPlane, nameOrId: string): Promise<Deployment> {
  const names: string[] = [];
  for await (const deployment of client.deployments.list()) {
    if (deployment.name === nameOrId || deployment.id === nameOrId) return deployment;
    names.push(deployment.name);
  }
  const meant = nearest(nameOrId, names);
  const hint = meant === undefined ? "" : `; did you mean '${meant}'?`;
  const none = names.length === 0 ? "; there are no deployments" : hint;
  throw new CommandFailure(`deployment '${nameOrId}' not found${none}`);
}

import { readFile } from "node:fs/promises";
import { closest } from "fastest-levenshtein";
import { z } from "zod";
import { ConnectionError, ControlPlane, RequestError, type Deployment } from "../../sdk";
import type { LogType } from "../../sdk/schema";
import { pathsIn } from "../platform/folder";

/** Whose logs to read. */
export interface LogsOptions {
  /** Its name, or its id. */
  readonly deployment: string;
  /** That of the local platform. @default ".agentserver" */
  readonly dataDir?: string | undefined;
  /** @default its newest one */
  readonly revisionId?: string | undefined;
  /** @default both, the build's first */
  readonly type?: LogType | undefined;
}

/** The logs can't be read; the message says why and what to do. */
export class LogsError extends Error {
  override readonly name = "LogsError";
}

/** Of what `local` writes for its clients. */
const Identity = z.object({ url: z.string(), apiKey: z.string(), workspaceId: z.string() });

/** Nobody else's network lies between: a platform that does not answer at once does not run. */
const AT_ONCE = { now: Date.now, random: () => 0, sleep: async () => {} };

/** The lines, each with its time, as the platform that runs on the data folder has them. Throws `LogsError`. */
export async function* readLogs(options: LogsOptions): AsyncGenerator<string, void, undefined> {
  const { dataDir = ".agentserver", type } = options;
  const { url, ...keys } = await readIdentity(dataDir);
  const client = new ControlPlane({ ...keys, baseUrl: url, clock: AT_ONCE });
  try {
    const { id, latest_revision_id } = await findDeployment(client, options.deployment);
    const revisionId = options.revisionId ?? latest_revision_id ?? "";
    for (const each of type ? [type] : (["build", "deploy"] as const))
      for await (const { timestamp, message } of client.revisions.logLines(id, revisionId, each))
        yield `${timestamp} ${message}`;
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const start = `no local platform answers at ${url}: start it with \`pulumi-agentserver local --data-dir ${dataDir}\``;
    const words = error instanceof ConnectionError ? start : error.message;
    throw new LogsError(words, { cause: error });
  }
}

async function readIdentity(dataDir: string) {
  const { identity } = pathsIn(dataDir);
  const text = await readFile(identity, "utf8").catch((error: unknown) => {
    throw new LogsError(
      `there is no ${identity}: name the folder of a local platform with --data-dir, or start one there`,
      { cause: error },
    );
  });
  return Identity.parse(JSON.parse(text));
}

async function findDeployment(client: ControlPlane, given: string): Promise<Deployment> {
  const names: string[] = [];
  for await (const deployment of client.deployments.list()) {
    if (deployment.name === given || deployment.id === given) return deployment;
    names.push(deployment.name);
  }
  const hint =
    names.length === 0 ? "there is none at all" : `the nearest is '${closest(given, names)}'`;
  throw new LogsError(`there is no deployment '${given}': ${hint}`);
}

import { join } from "node:path";
import { messageOf } from "../../shared/errors";
import { indented } from "../../shared/printable";
import type { OutputLog } from "./process/servers/output";
import type { Time } from "../../shared/clock";
import { PlatformClock } from "../platform/clock";
import { Git } from "./process/git/git";
import { endLeftovers, Keeper, type Environment } from "./process/keeper/keeper";
import { ServerPool } from "./process/servers/server-pool";
import type { DeployWork, Driver, DriverOptions, Revision, StopReason, Work } from "./driver";
import { buildRevision } from "./process/build";
import type { BuildOptions } from "./process/build-options";
import { Cache } from "./process/cache";
import { baseEnvironment, buildEnvironment } from "./process/environment";
import { Folders, removeFolder } from "./process/folders";
import { createLauncher } from "./process/launch";
import { readRecord } from "./process/record";
import { SERVER_NAMES } from "./process/runtime";
import { isFromGit, gitRefOf } from "./process/source";

/** Settings of the process driver. */
export interface ProcessDriverOptions extends Pick<DriverOptions, "dataDir" | "maxServers"> {
  /** @default "real" */
  readonly agentServer?: DriverOptions["agentServer"];
  /** The platform's environment; child processes inherit a few variables of it. @default process.env */
  readonly environment?: Environment;
  /** Takes the crashes of servers, and the output of one that is started outside a deploy: after a restart, a stop or a crash. */
  readonly serverLog?: (revision: Revision, ...output: Parameters<OutputLog>) => void;
  /** The script of the built-in agent server. @default this package's */
  readonly serverScript?: string;
  /** The time of pauses after crashes and of waiting requests. @default real time */
  readonly clock?: Time;
  /** The time limit of each command of a build. @default 900 */
  readonly buildSeconds?: number;
}

const GIT_LIMIT_SECONDS = 60;
const DRAIN_SECONDS = 10;

/** The driver of a platform. Processes that an earlier platform left on the data folder are ended first. */
export async function startProcessDriver(options: DriverOptions): Promise<Driver> {
  const { dataDir, maxServers, agentServer, logs } = options;
  await endLeftovers(dataDir);
  return processDriver({
    dataDir,
    maxServers,
    agentServer,
    serverLog: ({ id, secrets }, text, level = "INFO") =>
      logs.write({ revisionId: id, type: "deploy" }, level, indented(text), secrets),
  });
}

/** Runs each revision as a process on this machine: git, install, build, then an agent server. */
export function processDriver(options: ProcessDriverOptions): Driver {
  return new ProcessDriver(options);
}

class ProcessDriver implements Driver {
  readonly #build: BuildOptions;
  readonly #pool: ServerPool;
  /** The active revision of each deployment. */
  readonly #active = new Map<string, string>();

  constructor(options: ProcessDriverOptions) {
    const { dataDir, maxServers, environment = process.env, serverLog = () => {} } = options;
    const { clock = new PlatformClock(), agentServer = "real", buildSeconds = 900 } = options;
    const serverScript = options.serverScript ?? join(__dirname, "../agentserver/main.js");
    const keeper = new Keeper(dataDir);
    const folders = new Folders(dataDir);
    const forGit = { environment: baseEnvironment(environment), limitSeconds: GIT_LIMIT_SECONDS };
    this.#build = {
      keeper,
      folders,
      git: new Git({ keeper, ...forGit }),
      cache: new Cache(folders.cache),
      agentServer,
      environment: buildEnvironment(environment),
      limitSeconds: buildSeconds,
    };
    const launcher = createLauncher({ keeper, folders, environment, serverScript, serverLog });
    this.#pool = new ServerPool({ launcher, clock, drainSeconds: DRAIN_SECONDS, maxServers });
  }

  get remote(): Git {
    return this.#build.git;
  }

  async create({ revision, signal, log }: Work): Promise<{ repoCommitSha: string | null }> {
    if (!isFromGit(revision)) return { repoCommitSha: null };
    const { repoUrl, ref } = gitRefOf(revision);
    const { repo_commit_sha: known } = revision.sourceRevisionConfig;
    const repoCommitSha = known ?? (await this.#build.git.resolve(repoUrl, ref, signal));
    log(`ref '${ref}' of ${repoUrl} is commit ${repoCommitSha}`);
    return { repoCommitSha };
  }

  async build(work: Work): Promise<void> {
    try {
      await buildRevision(this.#build, work);
    } catch (error) {
      await this.#discard(work);
      throw error;
    }
    await this.#pruneCache().catch(logFailure(work, "prune the cache of installed packages"));
  }

  async deploy(work: DeployWork): Promise<void> {
    const { revision, signal, log } = work;
    const { runtime } = await readRecord(this.#build.folders.path(revision, "runtime.json"));
    const image = `image ${revision.sourceRevisionConfig.image_uri} is not run; `;
    log(`${isFromGit(revision) ? "" : image}starting ${SERVER_NAMES[runtime]}`);
    const activate = () => {
      log("the server is ready");
      work.activate?.();
    };
    try {
      await this.#pool.deploy({ ...work, activate });
    } catch (error) {
      const isRepeated = signal.reason === ("closed" satisfies StopReason); // it needs the files of the build
      if (!isRepeated) await this.#discard(work);
      throw error;
    }
    await this.#removeOldRevisions(revision).catch(
      logFailure(work, "remove the files of older revisions"),
    );
  }

  restore(active: () => readonly Revision[]): void {
    for (const revision of active()) {
      this.#pool.restore(revision);
      this.#active.set(revision.deploymentId, revision.id);
    }
  }

  origin(deploymentId: string) {
    return this.#pool.origin(deploymentId);
  }

  servers(deploymentIds: readonly string[]) {
    return this.#pool.status(deploymentIds);
  }

  async remove(deploymentId: string): Promise<void> {
    await this.#pool.remove(deploymentId);
    await removeFolder(this.#build.folders.deployment(deploymentId));
    this.#active.delete(deploymentId);
  }

  async close(): Promise<void> {
    await this.#pool.close();
    await this.#build.keeper.close();
  }

  /** Removes the files of a failed revision. An error here must not hide why it failed. */
  async #discard(work: Work): Promise<void> {
    const folder = this.#build.folders.revision(work.revision);
    await removeFolder(folder).catch(logFailure(work, "remove the files of this revision"));
  }

  async #pruneCache(): Promise<void> {
    await this.#build.cache.prune(async () => {
      const paths = await this.#build.folders.records();
      const records = await Promise.all(paths.map((path) => readRecord(path)));
      return records.flatMap((record) => ("caches" in record ? record.caches : []));
    });
  }

  /** Keeps the files of this revision and of the previous one, whose last requests may still run. */
  async #removeOldRevisions({ id, deploymentId }: Revision): Promise<void> {
    const previous = this.#active.get(deploymentId) ?? id;
    this.#active.set(deploymentId, id);
    await this.#build.folders.keepRevisions(deploymentId, [id, previous]);
  }
}

function logFailure({ log }: Work, what: string) {
  return (error: unknown) => log(`cannot ${what}: ${messageOf(error)}`);
}

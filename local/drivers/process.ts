import { join } from "node:path";
import { PlatformClock, type Clock } from "../platform/clock";
import { Git } from "./process/git/git";
import { gitCommand } from "./process/git/command";
import { endLeftovers, Keeper, type Environment } from "./process/keeper/keeper";
import { ServerPool } from "./process/servers/server-pool";
import type {
  DeployWork,
  Driver,
  DriverOptions,
  StopReason,
  Remote,
  Revision,
  Work,
} from "./driver";
import { buildRevision, type BuildParts } from "./process/build";
import { Cache } from "./process/cache";
import { baseEnvironment, buildEnvironment } from "./process/environment";
import { Folders } from "./process/folders";
import { makeLauncher } from "./process/launch";
import { readRecord } from "./process/record";
import { SERVED_BY } from "./process/runtime";
import { isFromGit, refOf } from "./process/source";

/** How the process driver works. */
export interface ProcessDriverOptions {
  /** The platform's data folder, which exists. */
  readonly dataDir: string;
  /** So many deployments have a running server at a time. */
  readonly maxServers: number;
  /** The platform's own environment, of which children get a small part. @default process.env */
  readonly environment?: Environment;
  /** Takes what a server prints that is started outside of a deploy: after a restart, a stop or a crash. */
  readonly serverLog?: (revision: Revision, line: string) => void;
  /** The script of the built-in agent server's process. @default the one of this package */
  readonly serverScript?: string;
  /** What pauses after a crash, and requests that wait for a server, go by. @default real time */
  readonly clock?: Clock;
  /** How long `install_command` and `build_command` may take, each. @default 900 */
  readonly buildSeconds?: number;
}

const GIT_LIMIT_SECONDS = 60;
const DRAIN_SECONDS = 10;

/** The driver of a platform. Processes that an earlier platform left on the data folder are ended first. */
export async function startProcessDriver(options: DriverOptions): Promise<Driver> {
  const { dataDir, maxServers, logs } = options;
  await endLeftovers(dataDir);
  return processDriver({
    dataDir,
    maxServers,
    serverLog: ({ id, deploymentId, secrets }, line) =>
      logs.write({ deploymentId, revisionId: id, type: "deploy" }, "INFO", line, secrets),
  });
}

/** Runs each revision as a process on this machine: git, install, build, then an agent server. */
export function processDriver(options: ProcessDriverOptions): Driver {
  return new ProcessDriver(options);
}

class ProcessDriver implements Driver {
  readonly #keeper: Keeper;
  readonly #folders: Folders;
  readonly #build: BuildParts;
  readonly #pool: ServerPool;
  /** The revision that each deployment runs. */
  readonly #served = new Map<string, string>();

  constructor(options: ProcessDriverOptions) {
    const { dataDir, maxServers, environment = process.env, serverLog = () => {} } = options;
    const serverScript = options.serverScript ?? join(__dirname, "../agentserver/main.js");
    const keeper = new Keeper(dataDir);
    const folders = new Folders(dataDir);
    const forGit = { environment: baseEnvironment(environment), limitSeconds: GIT_LIMIT_SECONDS };
    this.#keeper = keeper;
    this.#folders = folders;
    this.#build = {
      keeper,
      folders,
      git: new Git(gitCommand({ keeper, ...forGit })),
      cache: new Cache(folders.cache),
      environment: buildEnvironment(environment),
      limitSeconds: options.buildSeconds ?? 900,
    };
    const launcher = makeLauncher({ keeper, folders, environment, serverScript, serverLog });
    const { clock = new PlatformClock() } = options;
    this.#pool = new ServerPool({ launcher, clock, drainSeconds: DRAIN_SECONDS, maxServers });
  }

  get remote(): Remote {
    return this.#build.git;
  }

  async create({ revision, signal, log }: Work): Promise<{ repoCommitSha: string | null }> {
    if (!isFromGit(revision)) return { repoCommitSha: null };
    const { repoUrl, ref } = refOf(revision);
    const { repo_commit_sha: known } = revision.sourceRevisionConfig;
    const repoCommitSha = known ?? (await this.#build.git.resolve(repoUrl, ref, signal));
    log(`'${ref}' of ${repoUrl} is commit ${repoCommitSha}`);
    return { repoCommitSha };
  }

  async build(work: Work): Promise<void> {
    try {
      await buildRevision(this.#build, work);
    } catch (error) {
      await this.#discard(work);
      throw error;
    }
    await this.#pruneCache().catch((error: unknown) => {
      work.log(`what older builds have installed stays on disk: ${String(error)}`);
    });
  }

  async deploy(work: DeployWork): Promise<void> {
    const { revision, signal, log } = work;
    const image = `image ${revision.sourceRevisionConfig.image_uri} is not run here: `;
    const { runtime } = await readRecord(this.#folders.record(revision));
    log(`${isFromGit(revision) ? "" : image}${SERVED_BY[runtime]}`);
    const activate = () => {
      log("the server answers");
      work.activate?.();
    };
    try {
      await this.#pool.deploy({ ...work, activate });
    } catch (error) {
      const isDoneAgain = signal.reason === ("closed" satisfies StopReason); // from what the build has left
      if (!isDoneAgain) await this.#discard(work);
      throw error;
    }
    await this.#tidyUp(revision).catch((error: unknown) => {
      log(`what older revisions left stays on disk: ${String(error)}`); // this one serves all the same
    });
  }

  restore(active: () => readonly Revision[]): void {
    for (const revision of active()) {
      this.#pool.restore(revision);
      this.#served.set(revision.deploymentId, revision.id);
    }
  }

  origin(deploymentId: string): Promise<string> {
    return this.#pool.origin(deploymentId);
  }

  async remove(deploymentId: string): Promise<void> {
    await this.#pool.remove(deploymentId);
    await this.#folders.remove(deploymentId);
    this.#served.delete(deploymentId);
  }

  async close(): Promise<void> {
    await this.#pool.close();
    await this.#keeper.close();
  }

  /** Removes what there is of a revision that failed; that it stays must not hide why it failed. */
  async #discard({ revision, log }: Work): Promise<void> {
    await this.#folders.removeRevision(revision).catch((error: unknown) => {
      log(`what there is of this revision stays on disk: ${String(error)}`);
    });
  }

  async #pruneCache(): Promise<void> {
    await this.#build.cache.prune(async () => {
      const paths = await this.#folders.records();
      const records = await Promise.all(paths.map((path) => readRecord(path)));
      return records.flatMap((record) => ("cache" in record && record.cache) || []);
    });
  }

  /** Keeps this revision and the one before, whose last requests may still run. */
  async #tidyUp({ id, deploymentId }: Revision): Promise<void> {
    const before = this.#served.get(deploymentId) ?? id;
    this.#served.set(deploymentId, id);
    await this.#folders.keepRevisions(deploymentId, [id, before]);
  }
}

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { PlatformClock, type Clock } from "../clock";
import { Git } from "../git";
import { gitCommand } from "../git.command";
import { Keeper, type Environment } from "../keeper";
import { Fleet } from "../servers/fleet";
import { startServer } from "../servers/server";
import type { Launch } from "../servers/supervisor";
import type { Driver, Revision } from "./driver";
import { buildRevision } from "./process/build";
import { baseEnvironment, serverEnvironment } from "./process/environment";
import { Folders } from "./process/folders";
import { serverSettings } from "./process/settings";
import { isFromGit, refOf } from "./process/source";

/** How the process driver works; only the first two have no default. */
export interface ProcessDriverOptions {
  /** The platform's data folder, which exists. */
  readonly dataDir: string;
  /** So many deployments have a running server at a time. */
  readonly maxServers: number;
  /** The platform's own environment, of which children get a small part. */
  readonly environment?: Environment;
  /** Takes what a server prints that was started outside of a deploy: after a restart, a stop or a crash. */
  readonly serverLog?: (revision: Revision, line: string) => void;
  /** The script of the built-in agent server's process. */
  readonly serverScript?: string;
  /** Between asking a child to end and ending it by force. */
  readonly graceSeconds?: number;
  /** How long running requests may take to finish before their server is asked to end. */
  readonly drainSeconds?: number;
  /** How long a server may take until it answers. */
  readonly startSeconds?: number;
  /** How long `install_command` and `build_command` may take, each. */
  readonly buildSeconds?: number;
  /** The time that pauses before a restart follow. */
  readonly clock?: Clock;
}

const GIT_LIMIT_SECONDS = 60;
const BUILT_IN = "served by the built-in agent server, which keeps threads and runs no graph";

/** Runs each revision as a process on this machine: git, install, build, then an agent server. */
export function processDriver(options: ProcessDriverOptions): Driver {
  const { dataDir, maxServers, environment = process.env, clock = new PlatformClock() } = options;
  const { startSeconds = 60, buildSeconds = 900, drainSeconds = 10 } = options;
  const serverScript = options.serverScript ?? join(__dirname, "../agentserver/main.js");
  const keeper = new Keeper(dataDir, options.graceSeconds);
  const folders = new Folders(dataDir);
  const base = baseEnvironment(environment);
  const git = new Git(gitCommand({ keeper, environment: base, limitSeconds: GIT_LIMIT_SECONDS }));

  const launch: Launch = async (revision, signal, log) => {
    const folder = folders.deployment(revision.deploymentId);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const settings = await serverSettings(folders, revision);
    const command = {
      file: process.execPath,
      args: [serverScript, JSON.stringify(settings)],
      cwd: folder,
      environment: serverEnvironment(environment, revision),
      onLine: log ?? ((line: string) => options.serverLog?.(revision, line)),
    };
    return startServer({ keeper, command, signal, limitSeconds: startSeconds });
  };
  const fleet = new Fleet({ launch, clock, drainSeconds, maxServers });
  const served = new Map<string, string>();

  return {
    async create({ revision, signal, log }) {
      if (!isFromGit(revision)) return { repoCommitSha: null };
      const { repoUrl, ref } = refOf(revision);
      const repoCommitSha = await git.resolve(repoUrl, ref, signal);
      log(`'${ref}' of ${repoUrl} is commit ${repoCommitSha}`);
      return { repoCommitSha };
    },
    async build(work) {
      const { id, deploymentId } = work.revision;
      const parts = { keeper, git, environment: base, limitSeconds: buildSeconds };
      await buildRevision(parts, work, folders.checkout(deploymentId, id));
      work.log(`to be ${BUILT_IN}`);
    },
    async deploy(work) {
      const { id, deploymentId, sourceRevisionConfig } = work.revision;
      const image = `image ${sourceRevisionConfig.image_uri} is not run here: `;
      work.log(`${isFromGit(work.revision) ? "" : image}${BUILT_IN}`);
      await fleet.deploy(work);
      work.log("the server answers");
      const before = served.get(deploymentId) ?? id;
      served.set(deploymentId, id);
      await folders.keepRevisions(deploymentId, [id, before]).catch((error: unknown) => {
        work.log(`old checkouts stay on disk: ${String(error)}`); // the revision serves all the same
      });
    },
    restore(active) {
      for (const revision of active) {
        fleet.restore(revision);
        served.set(revision.deploymentId, revision.id);
      }
    },
    origin: (deploymentId) => fleet.origin(deploymentId),
    async remove(deploymentId) {
      await fleet.remove(deploymentId);
      await folders.remove(deploymentId);
      served.delete(deploymentId);
    },
    async close() {
      await fleet.close();
      await keeper.close();
    },
  };
}

import { expect } from "chai";
import { execFile } from "node:child_process";
import { mkdir, realpath, symlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Driver, Revision, Work } from "../../../../local/drivers/driver";
import { processDriver, type ProcessDriverOptions } from "../../../../local/drivers/process";
import { standingClock } from "../../../support/clock";
import { aFolder, processesWith, removeFolder } from "../../children";
import { makeRepository, type Repository } from "../../repository";
import { aRevision } from "./servers/scripted";

/** The process driver and a repository, for each test. */
export class Scene {
  folder = "";
  dataDir = "";
  /** Holds what `link` puts there. */
  bin = "";
  log: string[] = [];
  repository!: Repository;
  driver!: Driver;

  /** Makes it before each test of the `describe`, and ends it after; leaves no process. */
  constructor(files?: Record<string, string>, options: Partial<ProcessDriverOptions> = {}) {
    beforeEach(async () => {
      this.log = [];
      this.folder = await realpath(await aFolder());
      this.dataDir = join(this.folder, "data");
      this.bin = join(this.folder, "bin");
      for (const folder of [this.dataDir, this.bin]) await mkdir(folder);
      this.repository = await makeRepository(join(this.folder, "repository"), files);
      this.start(options);
    });
    afterEach(async () => {
      await this.driver.close();
      expect(await processesWith(this.dataDir), "processes left").to.deep.equal([]);
      await removeFolder(this.folder);
    });
  }

  /** Puts another driver on the data folder. */
  start(options: Partial<ProcessDriverOptions> = {}): void {
    const { dataDir } = this;
    this.driver = processDriver({ dataDir, maxServers: 3, clock: standingClock(), ...options });
  }

  /** Links programs of this machine into `bin`; an environment with these alone. */
  async link(...names: string[]): Promise<NodeJS.ProcessEnv> {
    for (const name of ["git", "sh", "grep", "cut", "sleep", ...names]) {
      const { stdout } = await promisify(execFile)("/bin/sh", ["-c", `command -v ${name}`]);
      await symlink(stdout.trim(), join(this.bin, name));
    }
    return { PATH: this.bin };
  }

  work(revision: Revision, signal: AbortSignal = new AbortController().signal): Work {
    return { revision, signal, log: (line: string) => this.log.push(line) };
  }

  /** A revision of the newest commit. */
  async created(id: string, changes: Partial<Revision> = {}): Promise<Revision> {
    this.log = [];
    const sourceRevisionConfig = { repo_ref: "main", graph_config_path: "langgraph.json" };
    const revision = aRevision(id, "one", {
      source: "git_host",
      sourceRevisionConfig,
      ...changes,
      sourceConfig: { repo_url: this.repository.url, ...changes.sourceConfig },
    });
    const { repoCommitSha } = await this.driver.create(this.work(revision));
    const config = { ...revision.sourceRevisionConfig, repo_commit_sha: repoCommitSha };
    return { ...revision, sourceRevisionConfig: config };
  }

  async built(id: string, changes: Partial<Revision> = {}): Promise<Revision> {
    const revision = await this.created(id, changes);
    this.log = [];
    await this.driver.build(this.work(revision));
    return revision;
  }

  async deployed(id: string, changes: Partial<Revision> = {}): Promise<Revision> {
    const revision = await this.built(id, changes);
    this.log = [];
    await this.driver.deploy(this.work(revision));
    return revision;
  }

  get = async (path = "", init?: RequestInit, deploymentId = "one"): Promise<unknown> =>
    (await fetch((await this.driver.origin(deploymentId)) + path, init)).json();

  pathOf = (id: string, name: string) => join(this.dataDir, "deployments/one/revisions", id, name);
}

import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import type { Deployment } from "../../../sdk/schema";
import { REPOSITORY } from "../../../scripts/project";
import { type Finished, killProcess, processesWith, start, until } from "../../../lab/processes";
import { later } from "../../support/later";
import { startTestPlatform, type TestPlatform } from "../../support/platform";

/** No key contains it by chance: nothing that is printed or stored may contain it. */
export const CANARY = "CANARY-of-a-key";

/** The author of commits. Without git's background maintenance, which would write while the folder is removed. */
const GITCONFIG = `[user]
	name = Ada
	email = ada@example.com
[gc]
	auto = 0
[maintenance]
	auto = false
`;

export const releaseOf = (commit: string): string => `refs/tags/release/${commit.slice(0, 12)}`;

/**
 * The example in use: a bare repository as its origin, a fresh clone for each job, the file backend, and the local platform,
 * which builds what it clones from the origin.
 */
export class Team {
  readonly platform: TestPlatform;
  readonly dir: string;
  printed = "";
  readonly #environment: NodeJS.ProcessEnv;
  #clones = 0;

  private constructor(dir: string, platform: TestPlatform) {
    this.dir = dir;
    this.platform = platform;
    const { url, apiKey, workspaceId } = platform.platform;
    this.#environment = {
      ...process.env,
      // Scripts run as in a job.
      CI: "true",
      // npm warns of settings of this machine's user that it does not know.
      NPM_CONFIG_LOGLEVEL: "error",
      PATH: `${join(dir, "bin")}:${join(REPOSITORY, "node_modules/.bin")}:${process.env["PATH"]}`,
      MODEL_API_KEY: `model-${CANARY}`,
      PULUMI_CONFIG_PASSPHRASE: `passphrase-${CANARY}`,
      AGENTSERVER_BASE_URL: url,
      AGENTSERVER_API_KEY: apiKey,
      AGENTSERVER_WORKSPACE_ID: workspaceId,
      PULUMI_BACKEND_URL: `file://${join(dir, "state")}`,
      PULUMI_HOME: join(dir, ".pulumi"),
      PULUMI_SKIP_UPDATE_CHECK: "true",
      // Node 20.20 takes half a minute to colour a stack trace that leads through Pulumi's own sources.
      NODE_OPTIONS: "--stack-trace-limit=1",
      TMPDIR: join(dir, "tmp"),
      TEAM: dir,
      GIT_CONFIG_GLOBAL: join(dir, "gitconfig"),
    };
  }

  static async create(): Promise<Team> {
    const platform = await startTestPlatform({ driver: "process" });
    const dir = await mkdtemp(join(tmpdir(), "agentserver-gitops-"));
    const team = new Team(dir, platform);
    for (const folder of ["bin", "state", "tmp"]) await mkdir(join(dir, folder));
    await linkPackages(dir);
    await writeFile(join(dir, "gitconfig"), GITCONFIG);
    await team.gitIn(dir, "init", "--quiet", "--bare", "--initial-branch", "main", "origin.git");
    await team.gitIn(dir, "clone", "--quiet", "origin.git", "work");
    await copyExample(join(dir, "work"), `file://${join(dir, "origin.git")}`);
    await team.commit("The agent");
    return team;
  }

  /** Writes files and commits everything on a branch, which is pushed. Returns the commit. */
  async commit(message: string, files: Readonly<Record<string, string>> = {}, branch = "main") {
    await this.git("pull", "--quiet", "--rebase", "origin", "main").catch(() => "");
    if (branch !== "main") await this.git("checkout", "--quiet", "-B", branch);
    for (const [path, text] of Object.entries(files))
      await writeFile(join(this.dir, "work", path), text);
    await this.git("add", "--all");
    await this.git("commit", "--quiet", "--allow-empty", "--message", message);
    await this.git("push", "--quiet", "--force", "origin", branch);
    const commit = await this.git("rev-parse", "HEAD");
    if (branch !== "main") await this.git("checkout", "--quiet", "main");
    return commit;
  }

  /** Merges a branch of the origin, as the approval of its pull request does. Fails at a conflict. */
  async merge(branch: string): Promise<void> {
    await this.git("pull", "--quiet", "--rebase", "origin", "main");
    await this.git("fetch", "--quiet", "origin", branch);
    await this.git("merge", "--quiet", "--no-ff", "-m", `Merge ${branch}`, "FETCH_HEAD");
    await this.git("push", "--quiet", "origin", "main");
  }

  /** Writes the line of an environment on the default branch, without asking anybody. */
  async setLine(name: string, release: string | null): Promise<string> {
    const text = await this.git("show", "main:environments.json");
    const { regions, environments } = JSON.parse(text);
    for (const entry of environments) if (entry.name === name) entry.release = release;
    const file = JSON.stringify({ regions, environments }, undefined, 2);
    return this.commit(`${name} runs ${release}`, { "environments.json": `${file}\n` });
  }

  /** Sets a tag of the origin, as everybody may who can push. */
  async tag(name: string, commit: string): Promise<void> {
    await this.git("push", "--quiet", "--force", "origin", `${commit}:refs/tags/${name}`);
  }

  /** Runs git in the working copy of a developer. */
  git(...args: string[]): Promise<string> {
    return this.gitIn(join(this.dir, "work"), ...args);
  }

  async gitIn(cwd: string, ...args: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)("git", args, { cwd, env: this.#environment });
    return stdout.trim();
  }

  /** The tags of the origin with this beginning. */
  async tags(prefix: string): Promise<string[]> {
    const tags = await this.gitIn(join(this.dir, "origin.git"), "tag", "--list", `${prefix}*`);
    return tags.split("\n").filter((tag) => tag !== "");
  }

  /** A fresh clone at a branch or a commit, as a job of a pipeline begins. */
  async clone(ref = "main"): Promise<string> {
    this.#clones += 1;
    const clone = join(this.dir, `clone-${this.#clones}`);
    await this.gitIn(this.dir, "clone", "--quiet", "origin.git", clone);
    await this.gitIn(clone, "checkout", "--quiet", ref);
    return clone;
  }

  async start(command: string, ref?: string): Promise<Running> {
    return this.startIn(await this.clone(ref), command);
  }

  startIn(clone: string, command: string, more: NodeJS.ProcessEnv = {}): Running {
    return startScript(command, clone, { ...this.#environment, ...more });
  }

  async runIn(clone: string, command: string, more: NodeJS.ProcessEnv = {}): Promise<Finished> {
    const finished = await this.startIn(clone, command, more).finished;
    this.printed += finished.text;
    return finished;
  }

  /** Runs a script that has to succeed. Returns what it printed. */
  async succeed(command: string, ref?: string): Promise<string> {
    return this.succeedIn(await this.clone(ref), command);
  }

  /** The same in a clone, with more variables. */
  async succeedIn(clone: string, command: string, more?: NodeJS.ProcessEnv): Promise<string> {
    const { code, text } = await this.runIn(clone, command, more);
    expect(code, text).to.equal(0);
    return text;
  }

  /** Runs a script that has to fail. Returns what it printed. */
  async fail(command: string, ref?: string): Promise<string> {
    const { code, text } = await this.runIn(await this.clone(ref), command);
    expect(code, text).not.to.equal(0);
    return text;
  }

  /** Stops all builds until `continueBuilds`: what is deployed stays unfinished. */
  async holdBuilds(): Promise<void> {
    await this.platform.restart({ driver: "simulated", stageSeconds: 3600 });
  }

  async continueBuilds(): Promise<void> {
    await this.platform.restart();
  }

  async deploymentOf(stack: string): Promise<Deployment> {
    const state = await this.state(stack);
    const found = (await this.platform.deployments()).find(({ id }) => state.includes(id));
    if (!found) throw new Error(`${stack} has no deployment`);
    return found;
  }

  /** The commit that a stack serves: that of the active revision. */
  async serving(stack: string): Promise<string | null | undefined> {
    const { id, active_revision_id: active } = await this.deploymentOf(stack);
    const revisions = await this.platform.revisions(id);
    return revisions.find((revision) => revision.id === active)?.source_revision_config
      ?.repo_commit_sha;
  }

  async stacks(): Promise<string[]> {
    const folder = join(this.dir, "state/.pulumi/stacks/support-agent");
    const files = await readdir(folder).catch(() => []);
    return files.filter((file) => file.endsWith(".json")).map((file) => file.slice(0, -5));
  }

  state(stack: string): Promise<string> {
    return readFile(join(this.dir, "state/.pulumi/stacks/support-agent", `${stack}.json`), "utf8");
  }

  /** Puts a command before all others of its name on the scripts' path. */
  async addCommand(name: string, script: string): Promise<void> {
    await writeFile(join(this.dir, "bin", name), script, { mode: 0o755 });
  }

  removeCommand(name: string): Promise<void> {
    return rm(join(this.dir, "bin", name));
  }

  async remove(): Promise<void> {
    await this.platform.close();
    await rm(this.dir, { recursive: true, force: true, maxRetries: 5 });
  }
}

export const EXAMPLE = join(REPOSITORY, "examples/gitops");
const LINKED = ["@pulumi", "@types", "ts-node", "typescript", ".bin"];

/** Makes `node_modules` in a folder: the packages that programs in folders below it find. */
async function linkPackages(dir: string): Promise<void> {
  const modules = join(dir, "node_modules");
  await mkdir(modules);
  for (const name of LINKED)
    await symlink(join(REPOSITORY, "node_modules", name), join(modules, name));
  await symlink(REPOSITORY, join(modules, "pulumi-agentserver"));
}

/**
 * Copies the example into a folder, with the address of its repository. Its packages are found in a folder above, so its
 * lock file lists none: `npm ci` runs and installs none. The plugin is this repository's. Staging has no gate, since its
 * agent is on the built-in server.
 */
async function copyExample(dir: string, repoUrl: string): Promise<void> {
  const list = ["ls-files", "--cached", "--others", "--exclude-standard"];
  const { stdout } = await promisify(execFile)("git", list, { cwd: EXAMPLE });
  for (const file of stdout.trim().split("\n")) {
    await mkdir(dirname(join(dir, file)), { recursive: true });
    await cp(join(EXAMPLE, file), join(dir, file));
  }
  const {
    name,
    private: isPrivate,
    scripts,
  } = JSON.parse(await readFile(join(dir, "package.json"), "utf8"));
  const lock = { name, lockfileVersion: 3, packages: { "": { name } } };
  await writeFile(join(dir, "package.json"), JSON.stringify({ name, private: isPrivate, scripts }));
  await writeFile(join(dir, "package-lock.json"), JSON.stringify(lock));
  const settings = await readFile(join(dir, "Pulumi.yaml"), "utf8");
  const here = settings
    .replace(/repoUrl: .*/, `repoUrl: ${repoUrl}`)
    .replace("./node_modules/pulumi-agentserver", REPOSITORY);
  await writeFile(join(dir, "Pulumi.yaml"), here);
  const staging = await readFile(join(dir, "Pulumi.staging.yaml"), "utf8");
  await writeFile(join(dir, "Pulumi.staging.yaml"), staging.replace("gate: true", "gate: false"));
}

export function useTeam(): Team {
  let team: Team | undefined;
  before(async () => (team = await Team.create()));
  after(() => team?.remove());
  return later(() => team);
}

type Running = ReturnType<typeof startScript>;

/** Starts a command in a folder that no other run has. */
function startScript(command: string, cwd: string, environment: NodeJS.ProcessEnv) {
  const env = { ...environment, RUN: cwd };
  const { finished, text } = start("sh", ["-c", `exec ${command}`], { cwd, env });
  let isRunning = true;
  void finished.then(() => (isRunning = false));
  return {
    finished,
    /** Waits until it has printed this. */
    printed: (expected: string) =>
      until(`'${expected}' from ${command}`, () => {
        if (text().includes(expected)) return true;
        if (isRunning) return false;
        throw new Error(`${command} has ended without '${expected}':\n${text()}`);
      }),
    /** `kill -9` of all its processes. Pulumi's engine, program and provider are some: all inherit the environment. */
    kill: () =>
      until("the end of all processes of the run", async () => {
        const living = await processesWith(`RUN=${cwd}`);
        for (const pid of living) killProcess(pid);
        return living.length === 0;
      }),
  };
}

import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { AgentServerChoice } from "../../../local/drivers/driver";
import type { Deployment } from "../../../sdk/schema";
import { REPOSITORY } from "../../../scripts/project";
import { startTestPlatform, type TestPlatform } from "../../support/platform";
import { copyExample, linkPackages } from "./copy";
import { type Finished, type Running, startScript } from "./script-run";

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

/** A key that signs records. */
interface Signer {
  /** The file of the private half. */
  readonly file: string;
  readonly key: string;
  readonly allowed: string;
}

async function makeSigner(dir: string, name: string): Promise<Signer> {
  const file = join(dir, name);
  await promisify(execFile)("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", file]);
  const [type = "", value = ""] = (await readFile(`${file}.pub`, "utf8")).split(" ");
  const allowed = `${name} namespaces="git" ${type} ${value}\n`;
  return { file, key: await readFile(file, "utf8"), allowed };
}

/**
 * The example in use: a bare repository as its origin, a fresh clone for each run of a pipeline, the file backend, and the
 * local platform, which builds what it clones from the origin.
 */
export class Team {
  readonly platform: TestPlatform;
  /** The key of the pipeline, which signs records. */
  readonly pipeline: Signer;
  /** Everything that scripts have printed. */
  printed = "";
  readonly #dir: string;
  readonly #environment: NodeJS.ProcessEnv;
  #clones = 0;

  private constructor(dir: string, platform: TestPlatform, pipeline: Signer) {
    this.pipeline = pipeline;
    this.#dir = dir;
    this.platform = platform;
    const { url, apiKey, workspaceId } = platform.platform;
    this.#environment = {
      ...process.env,
      // npm warns of settings of this machine's user that it does not know.
      NPM_CONFIG_LOGLEVEL: "error",
      PATH: [join(dir, "bin"), join(REPOSITORY, "node_modules/.bin"), process.env["PATH"]].join(
        ":",
      ),
      SIGNING_KEY: pipeline.key,
      MODEL_API_KEY: `model-${CANARY}`,
      PULUMI_CONFIG_PASSPHRASE: `passphrase-${CANARY}`,
      AGENTSERVER_BASE_URL: url,
      AGENTSERVER_API_KEY: apiKey,
      AGENTSERVER_WORKSPACE_ID: workspaceId,
      PULUMI_BACKEND_URL: `file://${join(dir, "state")}`,
      PULUMI_HOME: join(dir, ".pulumi"),
      PULUMI_SKIP_UPDATE_CHECK: "true",
      // `npm test` checks the types.
      PULUMI_NODEJS_TRANSPILE_ONLY: "true",
      // Node 20.20 takes half a minute to colour a stack trace that leads through Pulumi's own sources.
      NODE_OPTIONS: "--stack-trace-limit=1",
      TMPDIR: join(dir, "tmp"),
      TAG_MOVER: join(dir, "work"),
      GIT_CONFIG_GLOBAL: join(dir, "gitconfig"),
    };
  }

  static async create(agentServer: AgentServerChoice = "built-in"): Promise<Team> {
    const platform = await startTestPlatform({ driver: "process", agentServer });
    const dir = await mkdtemp(join(tmpdir(), "agentserver-gitops-"));
    const signer = await makeSigner(dir, "pipeline");
    const team = new Team(dir, platform, signer);
    for (const folder of ["bin", "state", "tmp"]) await mkdir(join(dir, folder));
    await linkPackages(dir);
    await writeFile(join(dir, "gitconfig"), GITCONFIG);
    await team.#git(dir, "init", "--quiet", "--bare", "--initial-branch", "main", "origin.git");
    await team.#git(dir, "clone", "--quiet", "origin.git", "work");
    await copyExample(join(dir, "work"), `file://${join(dir, "origin.git")}`);
    await team.commit("The agent", { allowed_signers: signer.allowed });
    return team;
  }

  /** Writes files and commits everything on a branch, which is pushed. Returns the commit. */
  async commit(message: string, files: Readonly<Record<string, string>> = {}, branch = "main") {
    if (branch !== "main") await this.git("checkout", "--quiet", "-B", branch);
    for (const [path, text] of Object.entries(files))
      await writeFile(join(this.#dir, "work", path), text);
    await this.git("add", "--all");
    await this.git("commit", "--quiet", "--allow-empty", "--message", message);
    await this.git("push", "--quiet", "--force", "origin", branch);
    const commit = await this.git("rev-parse", "HEAD");
    if (branch !== "main") await this.git("checkout", "--quiet", "main");
    return commit;
  }

  /** Tags a commit and pushes the tag, as a release of GitHub's does. */
  async tag(name: string, commit: string): Promise<void> {
    await this.git("tag", "--force", name, commit);
    await this.git("push", "--quiet", "--force", "origin", `refs/tags/${name}`);
  }

  /** Makes another key than the pipeline's: its private half, and its line of `allowed_signers`. */
  signer(name: string): Promise<Signer> {
    return makeSigner(this.#dir, name);
  }

  /** Deletes a tag of the origin. */
  async deleteTag(name: string): Promise<void> {
    await this.git("push", "--quiet", "origin", "--delete", `refs/tags/${name}`);
  }

  /** Runs git in the working copy of a developer. */
  git(...args: string[]): Promise<string> {
    return this.#git(join(this.#dir, "work"), ...args);
  }

  /** Runs git in a clone. */
  gitIn(clone: string, ...args: string[]): Promise<string> {
    return this.#git(clone, ...args);
  }

  /** The tags of the origin with this beginning, and the subject of each. */
  async tags(prefix: string): Promise<Record<string, string>> {
    const format = "--format=%(refname:short) %(contents:subject)";
    const lines = await this.#git(
      join(this.#dir, "origin.git"),
      "tag",
      "--list",
      format,
      `${prefix}*`,
    );
    return Object.fromEntries(
      lines
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)]),
    );
  }

  /** A fresh clone at a branch, a tag or a commit, as a job of a pipeline begins. */
  async clone(ref = "main"): Promise<string> {
    this.#clones += 1;
    const clone = join(this.#dir, `clone-${this.#clones}`);
    await this.#git(this.#dir, "clone", "--quiet", "origin.git", clone);
    await this.#git(clone, "checkout", "--quiet", ref);
    return clone;
  }

  /** Starts a script in a fresh clone at a branch, a tag or a commit. */
  async start(command: string, ref?: string): Promise<Running> {
    return startScript(command, await this.clone(ref), this.#environment);
  }

  /** Runs a script to its end, in a fresh clone at a branch, a tag or a commit. */
  async run(command: string, ref?: string): Promise<Finished> {
    return this.runIn(await this.clone(ref), command);
  }

  /** Runs a script to its end in a clone, with more variables. */
  async runIn(clone: string, command: string, more: NodeJS.ProcessEnv = {}): Promise<Finished> {
    const finished = await startScript(command, clone, { ...this.#environment, ...more }).finished;
    this.printed += finished.text;
    return finished;
  }

  /** Stops all builds until `continueBuilds`: what is deployed stays unfinished. */
  async holdBuilds(): Promise<void> {
    await this.platform.restart({ driver: "simulated", stageSeconds: 3600 });
  }

  async continueBuilds(): Promise<void> {
    await this.platform.restart();
  }

  /** The deployments on the platform. */
  deployments(): Promise<Deployment[]> {
    return this.platform.deployments();
  }

  /** The names of the stacks. */
  async stacks(): Promise<string[]> {
    const folder = join(this.#dir, "state/.pulumi/stacks/support-agent");
    const files = await readdir(folder).catch(() => []);
    return files.filter((file) => file.endsWith(".json")).map((file) => file.slice(0, -5));
  }

  /** A stack's state as it lies on the disk. */
  state(stack: string): Promise<string> {
    return readFile(join(this.#dir, "state/.pulumi/stacks/support-agent", `${stack}.json`), "utf8");
  }

  /** Everything that the backend stores, and what every tag of the origin says. */
  async stored(): Promise<string> {
    const folder = join(this.#dir, "state");
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    const texts = files.map((file) => readFile(join(file.parentPath, file.name), "utf8"));
    const tags = await this.#git(
      join(this.#dir, "origin.git"),
      "tag",
      "--list",
      "--format=%(contents)",
    );
    return [...(await Promise.all(texts)), tags].join("\n");
  }

  /** Puts a command before all others of its name on the scripts' path. */
  async addCommand(name: string, script: string): Promise<void> {
    await writeFile(join(this.#dir, "bin", name), script, { mode: 0o755 });
  }

  removeCommand(name: string): Promise<void> {
    return rm(join(this.#dir, "bin", name));
  }

  /** What a record of the origin says. */
  recordText(name: string): Promise<string> {
    return this.#git(join(this.#dir, "origin.git"), "cat-file", "tag", name);
  }

  async remove(): Promise<void> {
    await this.platform.close();
    await rm(this.#dir, { recursive: true, force: true, maxRetries: 5 });
  }

  async #git(cwd: string, ...args: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)("git", args, { cwd, env: this.#environment });
    return stdout.trim();
  }
}

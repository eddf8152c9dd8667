import { mkdir } from "node:fs/promises";
import { StageFailure } from "../../driver";
import { removeFolder } from "../folders";
import type { Environment, Keeper } from "../keeper/keeper";

export interface GitSettings {
  readonly keeper: Keeper;
  /** PATH, HOME, `SSH_AUTH_SOCK`, proxies. */
  readonly environment: Environment;
  readonly limitSeconds: number;
}

/** A commit to which a ref of a repository was resolved. */
export interface GitSource {
  readonly repoUrl: string;
  readonly ref: string;
  readonly commit: string;
}

const URL_FORM = /^(?:https|ssh|file):\/\//;
/** ssh's short form, `git@git.example.com:acme/support.git`. */
const SCP_FORM = /^\w[\w.-]*@\w[\w.-]*:/;
const USER_INFO = /:\/\/[^/@\s]+@/g;

/** Of a commit's id, in hexadecimal digits. */
const SHA256_LENGTH = 64;

/** Far more than an honest repository's; a server can send messages without end. */
const MAX_OUTPUT_MIB = 16;
const OPTIONS = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.quotePath=false", // paths are compared
  "gc.auto=0",
].flatMap((option) => ["-c", option]);
const SAFE_ENVIRONMENT = {
  GIT_ALLOW_PROTOCOL: "https:ssh:file",
  GIT_ASKPASS: "",
  GIT_TERMINAL_PROMPT: "0",
} as const;
/** The user's and the system's configuration may name filters: commands that write files ignore it. */
const WITHOUT_CONFIGURATION = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" } as const;
/** These commands need it: it holds proxies, credential helpers and trusted folders. */
const REMOTE_COMMANDS: readonly string[] = ["ls-remote", "fetch"];

/**
 * git for untrusted repositories: without prompts, hooks, filters and other protocols than https, ssh and file. Throws
 * `StageFailure` with git's own message.
 */
export class Git {
  readonly #settings: GitSettings;

  constructor(settings: GitSettings) {
    this.#settings = settings;
  }

  /** Resolves a ref to a commit: a branch name, or the full name of a tag. */
  async resolve(repoUrl: string, ref: string, signal: AbortSignal): Promise<string> {
    checkUrl(repoUrl);
    const full = fullRef(ref);
    const commits = await this.#listRemote(repoUrl, [full, `${full}^{}`], signal);
    const commit = commits.get(`${full}^{}`) ?? commits.get(full);
    if (commit === undefined) {
      const branch = await this.#defaultBranch(repoUrl, signal);
      throw new StageFailure(
        `ref '${ref}' does not exist in ${repoUrl}; push it, or set the ref to a branch name (${branch}) or a full tag name (refs/tags/v1)`,
      );
    }
    return commit;
  }

  /** The commits that branches point to now; a branch that does not exist is left out. */
  async branches(repoUrl: string, names: readonly string[], signal: AbortSignal) {
    checkUrl(repoUrl);
    const refs = await this.#listRemote(repoUrl, names.map(refOfBranch), signal);
    const found = names.map((name) => [name, refs.get(refOfBranch(name)) ?? ""] as const);
    return new Map(found.filter(([, commit]) => commit !== ""));
  }

  /** Checks out a commit into a folder, which is recreated. */
  async checkout(source: GitSource, folder: string, signal: AbortSignal): Promise<void> {
    checkUrl(source.repoUrl);
    await removeFolder(folder);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // Of the two formats git has another default from version 3 on, and fetches nothing of the other one. A git that knows
    // one alone ignores the variable, and refuses an option.
    const format = source.commit.length === SHA256_LENGTH ? "sha256" : "sha1";
    const init = ["init", "--quiet", "--template=", "."];
    await this.#run(init, folder, signal, { GIT_DEFAULT_HASH: format });
    const full = fullRef(source.ref);
    const refs = await this.#listRemote(source.repoUrl, [full], signal);
    if (refs.has(full)) await this.#fetch(source.repoUrl, full, folder, signal);
    const { exitCode } = await this.#git(["cat-file", "-e", source.commit], folder, signal);
    if (exitCode !== 0) await this.#fetchCommit(source, folder, signal);
    await this.#run(["checkout", "--quiet", "--detach", source.commit, "--"], folder, signal);
  }

  /** Paths that differ from the commit, ignored ones too; a new folder is one path that ends with a slash. */
  async changes(folder: string, signal: AbortSignal): Promise<readonly string[]> {
    return this.#run(["ls-files", "--others", "--modified", "--directory"], folder, signal);
  }

  /** Submodules, and files of Git LFS: what a checkout has of them is not their content. */
  async unfetched(folder: string, signal: AbortSignal): Promise<readonly string[]> {
    const read = ["config", "--file", ".gitmodules", "--get-regexp", "^submodule\\..*\\.path$"];
    const { stdout } = await this.#git(read, folder, signal); // fails without submodules
    const submodules = stdout.map((line) => line.slice(line.indexOf(" ") + 1));
    const files = await this.#run(["ls-files", "--", ":(attr:filter=lfs)"], folder, signal);
    return [...submodules, ...files];
  }

  /** The branch that a clone checks out; an empty repository need not name one. */
  async #defaultBranch(repoUrl: string, signal: AbortSignal): Promise<string> {
    const args = ["ls-remote", "--symref", "--", repoUrl, "HEAD"];
    const [line = ""] = await this.#run(args, "/", signal);
    return /^ref: refs\/heads\/(\S+)/.exec(line)?.[1] ?? "main";
  }

  /** Commits by ref. git matches the end of names, so there may be more refs than asked for. */
  async #listRemote(repoUrl: string, refs: readonly string[], signal: AbortSignal) {
    const listing = await this.#run(["ls-remote", "--", repoUrl, ...refs], "/", signal);
    const found = listing.map((line) => line.split("\t"));
    return new Map(found.map(([commit = "", ref = ""]) => [ref, commit]));
  }

  async #fetch(repoUrl: string, refOrCommit: string, folder: string, signal: AbortSignal) {
    const options = ["--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules"];
    await this.#run(["fetch", ...options, "--", repoUrl, refOrCommit], folder, signal);
  }

  /** Fetches a commit by its hash, which a server may refuse: the ref has moved since it was resolved, or is gone. */
  async #fetchCommit(source: GitSource, folder: string, signal: AbortSignal): Promise<void> {
    try {
      await this.#fetch(source.repoUrl, source.commit, folder, signal);
    } catch (error) {
      if (!(error instanceof StageFailure)) throw error;
      throw new StageFailure(
        `ref '${source.ref}' has moved from commit ${source.commit} or is gone, and ${source.repoUrl} does not serve the commit; create a new revision of the ref, since a redeploy is of the same commit. ${error.message}`,
        { cause: error },
      );
    }
  }

  /** Runs git and returns its output lines. */
  async #run(args: readonly string[], cwd: string, signal: AbortSignal, more: Environment = {}) {
    const { exitCode, stdout, stderr } = await this.#git(args, cwd, signal, more);
    if (exitCode === 0) return stdout;
    const message = stderr.join("\n").replaceAll(USER_INFO, "://***@");
    throw new StageFailure(`git ${args[0]} failed: ${message || `exit code ${exitCode}`}`);
  }

  /** Runs git; the exit code is the caller's to check. */
  async #git(args: readonly string[], cwd: string, signal: AbortSignal, more: Environment = {}) {
    const { keeper, environment, limitSeconds } = this.#settings;
    const [name = ""] = args;
    const output = { stdout: new Array<string>(), stderr: new Array<string>() };
    const flood = new AbortController();
    let length = 0;
    const onLine = (line: string, stream: "stdout" | "stderr") => {
      length += line.length + 1;
      if (length <= MAX_OUTPUT_MIB * 1024 * 1024) output[stream].push(line);
      else flood.abort(new StageFailure(`git ${name} printed more than ${MAX_OUTPUT_MIB} MiB`));
    };
    const configured = REMOTE_COMMANDS.includes(name) ? {} : WITHOUT_CONFIGURATION;
    const command = {
      file: "git",
      args: [...OPTIONS, ...args],
      cwd,
      environment: { ...environment, ...SAFE_ENVIRONMENT, ...configured, ...more },
      onLine,
    };
    const ended = AbortSignal.any([signal, flood.signal]);
    const { exitCode } = await keeper.runWithin(limitSeconds, `git ${name}`, command, ended);
    if (exitCode === 127)
      throw new StageFailure(
        "git is not installed; install it, add it to PATH, and start the local platform again",
      );
    return { ...output, exitCode };
  }
}

function fullRef(ref: string): string {
  return ref.startsWith("refs/tags/") ? ref : refOfBranch(ref);
}

function refOfBranch(name: string): string {
  return `refs/heads/${name}`;
}

/** Rejects a URL before git sees it. The message does not repeat it, as it may contain a password. */
function checkUrl(repoUrl: string): void {
  if (SCP_FORM.test(repoUrl)) return;
  if (!URL_FORM.test(repoUrl) || !URL.canParse(repoUrl)) {
    throw new StageFailure("repo_url must be a URL that starts with https://, ssh:// or file://");
  }
  const { protocol, username, password } = new URL(repoUrl);
  if (password !== "" || (protocol === "https:" && username !== "")) {
    throw new StageFailure(
      "repo_url contains credentials, which everyone who can read the deployment would see; remove them and use a git credential helper or an SSH agent",
    );
  }
}

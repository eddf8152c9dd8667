import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { StageFailure } from "../../driver";
import type { GitCommand } from "./command";

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

/** git for untrusted repositories. Throws `StageFailure` with git's own message. */
export class Git {
  readonly #git: GitCommand;
  /** Ref names that git has accepted. */
  readonly #wellFormed = new Set<string>();

  constructor(git: GitCommand) {
    this.#git = git;
  }

  /** Resolves a ref to a commit: a branch name, or the full name of a tag. */
  async resolve(repoUrl: string, ref: string, signal: AbortSignal): Promise<string> {
    checkUrl(repoUrl);
    const full = await this.#fullRef(ref, signal);
    const commits = await this.#listRemote(repoUrl, [full, `${full}^{}`], signal);
    const commit = commits.get(`${full}^{}`) ?? commits.get(full);
    if (commit === undefined) {
      throw new StageFailure(
        `ref '${ref}' does not exist in ${repoUrl}; push it, or set the ref to a branch name (main) or a full tag name (refs/tags/v1)`,
      );
    }
    return commit;
  }

  /** The commits that branches point to now; a branch that does not exist is left out. */
  async branches(repoUrl: string, names: readonly string[], signal: AbortSignal) {
    checkUrl(repoUrl);
    const refs = await this.#listRemote(repoUrl, names.map(refOfBranch), signal);
    const commits = new Map<string, string>();
    for (const name of names) {
      const commit = refs.get(refOfBranch(name));
      if (commit !== undefined) commits.set(name, commit);
    }
    return commits;
  }

  /** Checks out a commit into a folder, which is recreated. */
  async checkout(source: GitSource, folder: string, signal: AbortSignal): Promise<void> {
    checkUrl(source.repoUrl);
    const full = await this.#fullRef(source.ref, signal);
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await this.#run(["init", "--quiet", "--template=", "."], folder, signal);
    await this.#fetch(source.repoUrl, full, folder, signal);
    if (!(await this.#hasFetched(source.commit, folder, signal)))
      await this.#fetchCommit(source, folder, signal);
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

  /** Commits by ref. git matches the end of names, so there may be more refs than asked for. */
  async #listRemote(repoUrl: string, refs: readonly string[], signal: AbortSignal) {
    const listing = await this.#run(["ls-remote", "--", repoUrl, ...refs], "/", signal);
    return new Map(
      listing.map((line): [string, string] => {
        const [commit = "", ref = ""] = line.split("\t");
        return [ref, commit];
      }),
    );
  }

  async #fetch(repoUrl: string, refOrCommit: string, folder: string, signal: AbortSignal) {
    const options = ["--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules"];
    await this.#run(["fetch", ...options, "--", repoUrl, refOrCommit], folder, signal);
  }

  /** Whether the last fetch brought the commit, directly or through an annotated tag. */
  async #hasFetched(commit: string, folder: string, signal: AbortSignal): Promise<boolean> {
    const [fetched] = (await readFile(join(folder, ".git/FETCH_HEAD"), "utf8")).split("\t");
    if (fetched === commit) return true;
    const parse = ["rev-parse", "--verify", "FETCH_HEAD^{commit}"];
    const [tip] = await this.#run(parse, folder, signal);
    return tip === commit;
  }

  /** Fetches a commit by its hash, which a server may refuse: the ref has moved since it was resolved. */
  async #fetchCommit(source: GitSource, folder: string, signal: AbortSignal): Promise<void> {
    try {
      await this.#fetch(source.repoUrl, source.commit, folder, signal);
    } catch (error) {
      if (!(error instanceof StageFailure)) throw error;
      throw new StageFailure(
        `ref '${source.ref}' has moved from commit ${source.commit}, which ${source.repoUrl} does not serve; create a new revision. ${error.message}`,
        { cause: error },
      );
    }
  }

  async #fullRef(ref: string, signal: AbortSignal): Promise<string> {
    const full = ref.startsWith("refs/tags/") ? ref : refOfBranch(ref);
    if (this.#wellFormed.has(full)) return full;
    const { exitCode } = await this.#git(["check-ref-format", full], "/", signal);
    if (exitCode !== 0)
      throw new StageFailure(
        `'${ref}' is not a valid ref name; set the ref to a branch name (main) or a full tag name (refs/tags/v1)`,
      );
    this.#wellFormed.add(full);
    return full;
  }

  /** Runs git and returns its output lines. */
  async #run(args: readonly string[], cwd: string, signal: AbortSignal) {
    const { exitCode, stdout, stderr } = await this.#git(args, cwd, signal);
    if (exitCode === 0) return stdout;
    const message = stderr.join("\n").replaceAll(USER_INFO, "://***@");
    throw new StageFailure(`git ${args[0]} failed: ${message || `exit code ${exitCode}`}`);
  }
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

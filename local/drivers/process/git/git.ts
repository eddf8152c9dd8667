import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { StageFailure } from "../../driver";
import type { GitCommand } from "./command";

/** A commit that a ref of a repository names, or has named. */
export interface Origin {
  readonly repoUrl: string;
  readonly ref: string;
  readonly commit: string;
}

const URL_FORM = /^(?:https|ssh|file):\/\//;
/** ssh's short form, `git@git.example.com:acme/support.git`. */
const SCP_FORM = /^\w[\w.-]*@\w[\w.-]*:/;
const USER_INFO = /:\/\/[^/@\s]+@/g;

/** git for repositories that may be hostile. Its failures are `StageFailure`s with git's own words. */
export class Git {
  readonly #git: GitCommand;
  /** Refs that git has found well formed. */
  readonly #wellFormed = new Set<string>();

  constructor(git: GitCommand) {
    this.#git = git;
  }

  /** The commit that a ref names now: a branch's name alone, or a tag's full path. */
  async resolve(repoUrl: string, ref: string, signal: AbortSignal): Promise<string> {
    checkUrl(repoUrl);
    const full = await this.#fullRef(ref, signal);
    const commits = await this.#listRemote(repoUrl, [full, `${full}^{}`], signal);
    const commit = commits.get(`${full}^{}`) ?? commits.get(full);
    if (commit === undefined) {
      throw new StageFailure(
        `ref '${ref}' does not exist in ${repoUrl}; push it, or set repo_ref to a branch's name (main) or a tag's full path (refs/tags/v1)`,
      );
    }
    return commit;
  }

  /** The commits that branches name now; one that does not exist is left out. */
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

  /** Puts the files of a commit into a folder, which is made anew. */
  async checkout(origin: Origin, folder: string, signal: AbortSignal): Promise<void> {
    checkUrl(origin.repoUrl);
    const full = await this.#fullRef(origin.ref, signal);
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    await this.#run(["init", "--quiet", "--template=", "."], folder, signal);
    await this.#fetch(origin.repoUrl, full, folder, signal);
    if (!(await this.#hasFetched(origin.commit, folder, signal)))
      await this.#fetchMoved(origin, folder, signal);
    await this.#run(["checkout", "--quiet", "--detach", origin.commit, "--"], folder, signal);
  }

  /** Paths that are not as the commit has them, ignored ones too; a new folder is one path with a slash at its end. */
  async changes(folder: string, signal: AbortSignal): Promise<readonly string[]> {
    return this.#run(["ls-files", "--others", "--modified", "--directory"], folder, signal);
  }

  /** What the refs of these names, and perhaps more, name. */
  async #listRemote(repoUrl: string, refs: readonly string[], signal: AbortSignal) {
    const listing = await this.#run(["ls-remote", "--", repoUrl, ...refs], "/", signal);
    return new Map(
      listing.map((line): [string, string] => {
        const [commit = "", ref = ""] = line.split("\t");
        return [ref, commit];
      }),
    );
  }

  async #fetch(repoUrl: string, what: string, folder: string, signal: AbortSignal) {
    const options = ["--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules"];
    await this.#run(["fetch", ...options, "--", repoUrl, what], folder, signal);
  }

  /** Whether the commit is what was fetched last, or what the tag names that was fetched. */
  async #hasFetched(commit: string, folder: string, signal: AbortSignal): Promise<boolean> {
    const [fetched] = (await readFile(join(folder, ".git/FETCH_HEAD"), "utf8")).split("\t");
    if (fetched === commit) return true;
    const parse = ["rev-parse", "--verify", "FETCH_HEAD^{commit}"];
    const [tip] = await this.#run(parse, folder, signal);
    return tip === commit;
  }

  /** The ref has moved since the revision was made: its commit is asked for by itself, which a server may refuse. */
  async #fetchMoved(origin: Origin, folder: string, signal: AbortSignal): Promise<void> {
    try {
      await this.#fetch(origin.repoUrl, origin.commit, folder, signal);
    } catch (error) {
      if (!(error instanceof StageFailure)) throw error;
      throw new StageFailure(
        `'${origin.ref}' has moved on from commit ${origin.commit}, and ${origin.repoUrl} does not give that commit out any more; create a new revision. ${error.message}`,
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
        `'${ref}' is not a valid ref name; set repo_ref to a branch's name (main) or a tag's full path (refs/tags/v1)`,
      );
    this.#wellFormed.add(full);
    return full;
  }

  /** The lines that git prints, when it does not fail. */
  async #run(args: readonly string[], cwd: string, signal: AbortSignal) {
    const { exitCode, stdout, stderr } = await this.#git(args, cwd, signal);
    if (exitCode === 0) return stdout;
    const words = stderr.join("\n").replaceAll(USER_INFO, "://***@");
    throw new StageFailure(`git ${args[0]} failed: ${words || `exit code ${exitCode}`}`);
  }
}

function refOfBranch(name: string): string {
  return `refs/heads/${name}`;
}

/** Refuses a URL before git sees it; never repeats one, as it may hold a password. */
function checkUrl(repoUrl: string): void {
  if (SCP_FORM.test(repoUrl)) return;
  if (!URL_FORM.test(repoUrl) || !URL.canParse(repoUrl)) {
    throw new StageFailure("repo_url must be a URL that starts with https://, ssh:// or file://");
  }
  const { protocol, username, password } = new URL(repoUrl);
  if (password !== "" || (protocol === "https:" && username !== "")) {
    throw new StageFailure(
      "repo_url holds credentials, which everyone would see who sees the deployment: leave them out, and let git's credential helper or ssh's agent supply them",
    );
  }
}

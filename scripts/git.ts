import { execFile } from "node:child_process";
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A git repository in a folder of its own, made and changed by the real git. */
export class GitRepository {
  readonly dir: string;

  private constructor(dir: string) {
    this.dir = dir;
  }

  /** Makes a repository out of a folder's files, with one commit on the branch `main`. */
  static async from(source: string, dir: string): Promise<GitRepository> {
    await cp(source, dir, { recursive: true });
    const repository = new GitRepository(dir);
    await repository.git("init", "--quiet", "--initial-branch", "main");
    await repository.commit("The agent");
    return repository;
  }

  get url(): string {
    return `file://${this.dir}`;
  }

  /** Commits everything in the folder and returns the commit's id. */
  async commit(message: string): Promise<string> {
    await this.git("add", "--all");
    await this.git("commit", "--quiet", "--message", message);
    return this.git("rev-parse", "HEAD");
  }

  /** The commit that a branch or tag names. */
  commitOf(ref: string): Promise<string> {
    return this.git("rev-parse", `${ref}^{commit}`);
  }

  async tag(name: string): Promise<void> {
    await this.git("tag", name);
  }

  /** Replaces a text in one of the files. */
  async edit(file: string, from: string, to: string): Promise<void> {
    const path = join(this.dir, file);
    await writeFile(path, (await readFile(path, "utf8")).replaceAll(from, to));
  }

  private async git(...args: string[]): Promise<string> {
    const identity = ["-c", "user.name=Demo", "-c", "user.email=demo@example.com"];
    const { stdout } = await run("git", [...identity, "-C", this.dir, ...args]);
    return stdout.trim();
  }
}

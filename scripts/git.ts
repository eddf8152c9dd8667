import { execFile } from "node:child_process";
import { cp } from "node:fs/promises";
import { promisify } from "node:util";

/** Makes a git repository of a folder's files by the real git, with one commit on the branch `main`. */
export async function makeRepository(source: string, dir: string) {
  const git = async (...args: string[]): Promise<string> => {
    const identity = ["-c", "user.name=Demo", "-c", "user.email=demo@example.com"];
    const { stdout } = await promisify(execFile)("git", [...identity, "-C", dir, ...args]);
    return stdout.trim();
  };
  /** Commits everything in the folder, with a tag; returns the commit's id. */
  const commit = async (message: string, tag: string): Promise<string> => {
    await git("add", "--all");
    await git("commit", "--quiet", "--message", message);
    await git("tag", tag);
    return git("rev-parse", "HEAD");
  };
  await cp(source, dir, { recursive: true });
  await git("init", "--quiet", "--initial-branch", "main");
  return { dir, url: `file://${dir}`, first: await commit("The agent", "v1"), commit };
}

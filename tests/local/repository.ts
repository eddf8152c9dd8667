import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

export type Repository = Awaited<ReturnType<typeof makeRepository>>;

/** The least that makes a repository an agent's. */
const AGENT_FILES = {
  "langgraph.json": JSON.stringify({ graphs: { agent: "./agent.py:graph" } }),
  "agent.py": "graph = None\n",
} as const;

/** Makes a real git repository to try things on, in a folder, which is made too; its first commit is on `main`. */
export async function makeRepository(folder: string, files: Record<string, string> = AGENT_FILES) {
  await mkdir(folder, { recursive: true });
  const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];
  /** Runs git in it; what it prints. */
  const git = async (...args: string[]) => {
    const { stdout } = await promisify(execFile)("git", [...identity, ...args], { cwd: folder });
    return stdout.trim();
  };
  /** Writes the files, commits all that there is, and gives the commit's id. */
  const commit = async (changes: Record<string, string>) => {
    for (const [name, text] of Object.entries(changes)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
    await git("add", "--all");
    await git("commit", "--quiet", "--allow-empty", "--message", "A change");
    return git("rev-parse", "HEAD");
  };
  await git("init", "--quiet", "--initial-branch=main");
  await commit(files);
  return { folder, url: pathToFileURL(folder).href, git, commit };
}

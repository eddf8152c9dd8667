import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { REPOSITORY } from "../../scripts/project";

const run = promisify(execFile);

/** A temporary copy of the repository as it is after the set-up: what the READMEs say is typed there. */
export interface Root {
  readonly dir: string;
  readonly remove: () => Promise<void>;
}

/** Makes such a copy in a new folder. */
export async function makeRoot(): Promise<Root> {
  const dir = await mkdtemp(join(tmpdir(), "agentserver-by-hand-"));
  const { stdout } = await run("git", ["ls-files"], { cwd: REPOSITORY });
  const files = stdout
    .split("\n")
    .filter((file) => /^(package|Pulumi|tsconfig|examples|sdks)/.test(file));
  for (const file of files) await cp(join(REPOSITORY, file), join(dir, file), { recursive: true });
  // Linked, not copied: other tests write into `dist` meanwhile.
  for (const built of ["dist", "node_modules"])
    await symlink(join(REPOSITORY, built), join(dir, built));
  return { dir, remove: () => rm(dir, { recursive: true, force: true }) };
}

/** The blocks of shell commands in a chapter of a README, as they are written there. */
export async function commandsOf(readme: string, chapter: string): Promise<string[]> {
  const text = await readFile(join(REPOSITORY, readme), "utf8");
  const [, after = ""] = text.split(new RegExp(`^#+ ${chapter}$`, "m"));
  const [own = ""] = after.split(/^##/m);
  return [...own.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block = ""]) => block);
}

/** The command that `npx` runs in the copy, without the second that npm takes to find it. */
const NPX = `npx() { "$@"; }
pulumi-agentserver() { node "${join(REPOSITORY, "dist/cli/main.js")}" "$@"; }`;

/** Types a block of commands, with yes to every question of Pulumi's; what they print. */
export async function type(
  commands: string,
  cwd: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const env = {
    ...process.env,
    PATH: `${join(REPOSITORY, "node_modules/.bin")}:${process.env["PATH"]}`,
    PULUMI_SKIP_CONFIRMATIONS: "true",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    ...environment,
  };
  const typed = run("bash", ["-euo", "pipefail", "-c", `${NPX}\n${commands}`], { cwd, env });
  const { stdout } = await typed.catch(({ stdout: printed, stderr }) => {
    throw new Error(`the commands failed:\n${printed}${stderr}`);
  });
  return stdout;
}

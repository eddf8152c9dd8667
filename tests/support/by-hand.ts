import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import type { LocalPlatformOptions } from "../../local";
import { REPOSITORY } from "../../scripts/project";
import { shareCache } from "../../lab/shared-cache";
import { type Language, skipWithoutRegistry } from "./agents";
import { startTestPlatform, type TestPlatform } from "./platform";

const run = promisify(execFile);

/** Makes a temporary copy of the repository as it is after the set-up: what the READMEs say is typed there. */
async function makeRoot() {
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

/** The blocks in a document, by default of shell commands, as they are written there. */
export async function blocksOf(document: string, chapter?: string, language = "sh") {
  const text = await readFile(join(REPOSITORY, document), "utf8");
  const [, after = ""] = text.split(new RegExp(`^#+ ${chapter}$`, "m"));
  const own = chapter === undefined ? text : (after.split(/^##/m)[0] ?? "");
  const block = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gm");
  return [...own.matchAll(block)].map(([, found = ""]) => found);
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

/** An example that stands as a chapter of its README has it. */
interface Example {
  readonly root: Awaited<ReturnType<typeof makeRoot>>;
  /** The copy of its folder, and the variables with which more is typed there. */
  readonly dir: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly test: TestPlatform;
  /** The chapter's blocks of commands, of which the second was typed, and what that printed. */
  readonly blocks: readonly string[];
  readonly printed: string;
}

interface ExampleOptions extends LocalPlatformOptions {
  /** @default "Try it" */
  readonly chapter?: string;
  /** The language of the real agent servers that it needs. */
  readonly real?: Language;
  /** The folders that come first on PATH; it skips the tests where a tool is missing. */
  readonly tools?: (context: Mocha.Context) => Promise<readonly string[]>;
}

/** Types the second block of an example's README in a new root, on a platform of its own, for the `describe` that calls it. */
export function useExample(
  name: string,
  folder: string,
  { chapter = "Try it", real, tools = async () => [], ...options }: ExampleOptions = {},
): () => Example & { readonly typed: (commands: string) => Promise<string> } {
  let example: Example | undefined;
  before(async function () {
    if (real !== undefined) await skipWithoutRegistry(this, real);
    const folders = await tools(this);
    const root = await makeRoot();
    const dataDir = join(root.dir, ".agentserver");
    const agentServer = real === undefined ? "built-in" : "real";
    const test = await startTestPlatform({ agentServer, ...options, dataDir });
    if (real !== undefined) await shareCache(dataDir);
    const dir = join(dataDir, folder);
    const environment = {
      PULUMI_BACKEND_URL: `file://${join(dir, "state")}`,
      PULUMI_CONFIG_PASSPHRASE: "only-for-trying",
      AGENTSERVER_BASE_URL: test.platform.url,
      AGENTSERVER_API_KEY: test.platform.apiKey,
      AGENTSERVER_WORKSPACE_ID: test.platform.workspaceId,
      // The block that is typed first checks the program's types, as it does for a user.
      PULUMI_NODEJS_TRANSPILE_ONLY: "true",
    };
    const blocks = await blocksOf(`examples/${name}/README.md`, chapter);
    const path = `export PATH="${[...folders, "$PATH"].join(delimiter)}"\n`;
    const printed = await type(path + (blocks[1] ?? ""), root.dir);
    example = { root, dir, environment, test, blocks, printed };
  });
  after(async () => {
    await example?.test.close();
    await example?.root.remove();
  });
  return () => {
    if (example === undefined) throw new Error(`the example ${name} does not stand`);
    const { dir, environment } = example;
    return { ...example, typed: (commands) => type(commands, dir, environment) };
  };
}

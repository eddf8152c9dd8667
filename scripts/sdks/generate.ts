import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { REPOSITORY } from "../project";
import { SCHEMA } from "../schema/package";

const run = promisify(execFile);

/** The SDK for Python, which is committed. */
export const PYTHON_SDK = join(REPOSITORY, "sdks/python");

/** Holds the hash of the schema that the committed SDK was generated from: it can be compared without Go. */
export const SCHEMA_HASH = join(REPOSITORY, "sdks/schema.sha256");

export async function schemaHash(): Promise<string> {
  return `${createHash("sha256").update(await readFile(SCHEMA)).digest("hex")}\n`;
}

/** The version of Go on this machine; undefined without Go. */
export async function goVersion(): Promise<string | undefined> {
  const answer = await run("go", ["env", "GOVERSION"]).catch(() => undefined);
  return answer?.stdout.trim();
}

/**
 * Generates the SDK of a language into a folder, with the generators of Pulumi's Go module. They check the schema first:
 * rejects with what is wrong with it.
 */
export async function generateSdk(language: "python" | "go", folder: string): Promise<void> {
  if ((await goVersion()) === undefined) throw new Error("the generators need Go on PATH");
  const flags = ["-trimpath", "-mod=readonly", "-tags=osusergo,grpcnotrace"];
  await run("go", ["run", ...flags, "./sdks", SCHEMA, language, folder], {
    cwd: join(REPOSITORY, "scripts/pulumi-cli"),
    env: { ...process.env, GOWORK: "off" },
  }).catch((error: Error & { stderr?: string }) => {
    throw new Error(`generate the SDK for ${language}: ${error.stderr ?? error.message}`);
  });
  if (language === "python") await completePythonSdk(folder);
}

async function completePythonSdk(folder: string): Promise<void> {
  // Python's build tools look for it beside pyproject.toml.
  await cp(join(folder, "pulumi_agentserver/README.md"), join(folder, "README.md"));
  for (const [path, text] of Object.entries(await filesOf(folder)))
    if (path.endsWith(".py")) await writeFile(join(folder, path), withClassDocs(text));
}

/** A class of Pulumi's generator has its description at an overload only, where `help()` does not find it. */
function withClassDocs(text: string): string {
  return text.replace(
    /^(class \w+\(pulumi\.\w+Resource\):\n)( {4}@overload\n {4}def __init__[^]*?)( {8}"""\n[^]*?"""\n)/m,
    (_, head, overload, docs) => `${head}${docs.replaceAll(/^ {4}/gm, "")}${overload}${docs}`,
  );
}

/** Writes the committed SDK, in place of the old one. */
export async function writePythonSdk(): Promise<void> {
  const draft = await mkdtemp(join(tmpdir(), "agentserver-sdk-"));
  try {
    await generateSdk("python", draft);
    await rm(PYTHON_SDK, { recursive: true, force: true });
    await cp(draft, PYTHON_SDK, { recursive: true });
    await writeFile(SCHEMA_HASH, await schemaHash());
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** The files of an SDK by path, but what Python's tools leave there. */
export async function filesOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => !/\.egg-info|\/build\/|\.pyc$/.test(path));
  const files = paths.map(async (path) => [relative(folder, path), await readFile(path, "utf8")]);
  return Object.fromEntries(await Promise.all(files));
}

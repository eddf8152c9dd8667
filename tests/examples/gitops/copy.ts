import { execFile } from "node:child_process";
import { cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { REPOSITORY } from "../../../scripts/project";

/** The folder of the example. */
export const EXAMPLE = join(REPOSITORY, "examples/gitops");
const LINKED = ["@pulumi", "@types", "ts-node", "typescript", ".bin"];

/** Makes `node_modules` in a folder: the packages that programs in folders below it find. */
export async function linkPackages(dir: string): Promise<void> {
  const modules = join(dir, "node_modules");
  await mkdir(modules);
  for (const name of LINKED)
    await symlink(join(REPOSITORY, "node_modules", name), join(modules, name));
  await symlink(REPOSITORY, join(modules, "pulumi-agentserver"));
}

/**
 * Copies the example into a folder, with the address of its repository. Its packages are found in a folder above, so its
 * lock file lists none: `npm ci` runs and installs none. The plugin is this repository's. Staging has no gate, since its
 * agent is on the built-in server.
 */
export async function copyExample(dir: string, repoUrl: string): Promise<void> {
  const list = ["ls-files", "--cached", "--others", "--exclude-standard"];
  const { stdout } = await promisify(execFile)("git", list, { cwd: EXAMPLE });
  for (const file of stdout.trim().split("\n")) {
    await mkdir(dirname(join(dir, file)), { recursive: true });
    await cp(join(EXAMPLE, file), join(dir, file));
  }
  const {
    name,
    private: isPrivate,
    scripts,
  } = JSON.parse(await readFile(join(dir, "package.json"), "utf8"));
  const manifest = { name, private: isPrivate, scripts };
  const lock = { name, lockfileVersion: 3, packages: { "": { name } } };
  await writeFile(join(dir, "package.json"), JSON.stringify(manifest));
  await writeFile(join(dir, "package-lock.json"), JSON.stringify(lock));
  const settings = await readFile(join(dir, "Pulumi.yaml"), "utf8");
  const here = settings
    .replace(/repoUrl: .*/, `repoUrl: ${repoUrl}`)
    .replace("./node_modules/pulumi-agentserver", REPOSITORY);
  await writeFile(join(dir, "Pulumi.yaml"), here);
  const staging = await readFile(join(dir, "Pulumi.staging.yaml"), "utf8");
  await writeFile(join(dir, "Pulumi.staging.yaml"), staging.replace("gate: true", "gate: false"));
}

import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

/** The root of this repository, from `dist/scripts`. */
export const REPOSITORY = dirname(dirname(__dirname));

/** A folder as a user of the package has one: with the package, Pulumi's SDK and TypeScript in its `node_modules`. */
export interface Project {
  readonly dir: string;
  /** The environment in which Pulumi's command line keeps everything in this folder. */
  readonly environment: Readonly<Record<string, string>>;
  readonly remove: () => Promise<void>;
}

const LINKED = ["@pulumi", "@types", "ts-node", "typescript"];

/** Makes a temporary project whose packages are links to this repository and its packages. */
export async function makeProject(prefix: string, files: readonly string[] = []): Promise<Project> {
  const dir = await mkdtemp(join(tmpdir(), prefix));
  const modules = join(dir, "node_modules");
  await mkdir(modules);
  await mkdir(join(dir, "backend"));
  for (const name of LINKED)
    await symlink(join(REPOSITORY, "node_modules", name), join(modules, name));
  await symlink(REPOSITORY, join(modules, "pulumi-agentserver"));
  for (const file of files)
    await cp(join(REPOSITORY, file), join(dir, basename(file)), { recursive: true });
  return {
    dir,
    environment: {
      PULUMI_BACKEND_URL: `file://${join(dir, "backend")}`,
      PULUMI_CONFIG_PASSPHRASE: "kept in a folder that goes away",
      PULUMI_HOME: join(dir, ".pulumi"),
      PULUMI_SKIP_UPDATE_CHECK: "true",
    },
    remove: () => rm(dir, { recursive: true, force: true }),
  };
}

/** Makes the folder a Pulumi project of that name, whose program is `index.ts`. */
export async function makePulumiProject({ dir }: Project, name: string): Promise<void> {
  await writeFile(join(dir, "Pulumi.yaml"), `name: ${name}\nruntime: nodejs\nmain: index.ts\n`);
  await writeFile(join(dir, "package.json"), `${JSON.stringify({ name, private: true })}\n`);
}

import { cp, mkdir, readdir, rename, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "../../../../shared/errors";

/**
 * Makes a `node_modules` of links to the packages of another one. It is a folder of its own, so that what a build or a
 * server writes there stays there; links that are there already, as of workspaces and of pnpm, are made again: they lead
 * to the repository's own files.
 */
export async function linkModules(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  const entries = await readdir(from, { withFileTypes: true });
  await Promise.all(
    entries.map(async (entry) => {
      const source = join(from, entry.name);
      const target = join(to, entry.name);
      if (entry.isSymbolicLink()) await cp(source, target, { verbatimSymlinks: true });
      else if (entry.name.startsWith("@")) await linkModules(source, target);
      else await symlink(source, target);
    }),
  );
}

/** Moves a folder, which must not be there yet, also to another file system. */
export async function moveFolder(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (codeOf(error) !== "EXDEV") throw error;
    await cp(from, to, { recursive: true, verbatimSymlinks: true });
    await rm(from, { recursive: true });
  }
}

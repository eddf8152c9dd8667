import { cp, mkdir, readdir, rename, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "../../../../shared/errors";

/**
 * Creates a `node_modules` with links to the packages of another one. It is a separate folder, so that a build or a
 * server can write there. Links, as of workspaces and pnpm, are copied: they point to the repository's own files.
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

/** Moves a folder to a path that does not exist, also on another file system. */
export async function moveFolder(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (codeOf(error) !== "EXDEV") throw error;
    await cp(from, to, { recursive: true, verbatimSymlinks: true });
    await rm(from, { recursive: true });
  }
}

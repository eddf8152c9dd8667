import { mkdir, rm, symlink } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { pathsIn } from "../local/platform/identity-file";

/**
 * Lets the local platform that has started on this data folder keep what it installs beside the user's other caches: the
 * next run of tests or benches, which have temporary folders, finds it there.
 */
export async function shareCache(dataDir: string): Promise<void> {
  const home = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
  const shared = join(home, "pulumi-agentserver-tests");
  await mkdir(shared, { recursive: true });
  const { cache } = pathsIn(dataDir);
  await rm(cache, { recursive: true, force: true });
  await symlink(shared, cache);
}

import { mkdir, symlink } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

/**
 * Lets a local platform with this data folder, which exists, keep what it installs beside the user's other caches: the
 * next run of tests or benches, which have temporary folders, finds it there.
 */
export async function shareCache(dataDir: string): Promise<void> {
  const home = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
  const shared = join(home, "pulumi-agentserver-tests");
  await mkdir(shared, { recursive: true });
  await symlink(shared, join(dataDir, "cache"));
}

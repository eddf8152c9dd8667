import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";

/** The folder that tests keep what takes them minutes to build in, beside the user's other caches. */
const CACHE = join(
  process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"),
  "pulumi-agentserver-tests",
);

/**
 * A folder that an earlier run has filled, or that `fill` fills now. Another process may do the same at the same time: the
 * first one that ends wins. Its path can't be in what it holds, since it is filled under another name.
 */
export async function cached(
  name: string,
  fill: (draft: string) => Promise<unknown>,
): Promise<string> {
  const folder = join(CACHE, name);
  if (existsSync(folder)) return folder;
  await mkdir(dirname(folder), { recursive: true });
  const draft = await mkdtemp(join(dirname(folder), `.${basename(folder)}-`));
  try {
    await fill(draft);
    await rename(draft, folder).catch((error: Error) => {
      if (!existsSync(folder)) throw error;
    });
    return folder;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

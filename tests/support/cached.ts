import { access, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
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
  if (await isThere(folder)) return folder;
  await mkdir(dirname(folder), { recursive: true });
  const draft = await mkdtemp(join(dirname(folder), `.${basename(folder)}-`));
  try {
    await fill(draft);
    await rename(draft, folder).catch(async (error: Error) => {
      if (!(await isThere(folder))) throw error;
    });
    return folder;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

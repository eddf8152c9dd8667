import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export { processesWith, until } from "../../lab/processes";

/** A new folder below the system's one for temporary files. */
export async function aFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), "agentserver-test-"));
}

/** Removes a folder, whatever is in it. */
export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Makes a temporary folder for each test and removes it after. */
export function useFolder(): () => string {
  let folder = "";
  beforeEach(async () => (folder = await aFolder()));
  afterEach(() => removeFolder(folder));
  return () => folder;
}

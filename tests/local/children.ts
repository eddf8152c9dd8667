import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export { processesWith, until } from "../../lab/processes";

export const aFolder = async (): Promise<string> => mkdtemp(join(tmpdir(), "agentserver-test-"));

export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Makes a temporary folder for each test: a path in it. They are removed when no hook of a test needs them any more. */
export function useFolder(): (...names: string[]) => string {
  const folders: string[] = [];
  beforeEach(async () => void folders.push(await aFolder()));
  after(() => Promise.all(folders.map(removeFolder)));
  return (...names) => join(folders.at(-1) ?? "", ...names);
}

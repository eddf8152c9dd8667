import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";

/** The variable that marks a platform's child processes and their descendants: `<hash of the data folder>/<child>`. */
export const MARK = "AGENTSERVER_PLATFORM";

/** The prefix of the marks of a data folder, which must exist. */
export function folderMark(dataDir: string): string {
  const hash = createHash("sha256").update(realpathSync(dataDir)).digest("hex");
  return `${hash.slice(0, 32)}/`;
}

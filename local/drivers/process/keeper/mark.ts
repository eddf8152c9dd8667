import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";

/** The variable by which a child, and what it starts, is known as one of a platform's: `<data folder>/<child>`. */
export const MARK = "AGENTSERVER_PLATFORM";

/** What the marks of all children of the platform of this (existing) data folder begin with. */
export function folderMark(dataDir: string): string {
  const hash = createHash("sha256").update(realpathSync(dataDir)).digest("hex");
  return `${hash.slice(0, 32)}/`;
}

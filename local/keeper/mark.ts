import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";

const NAME = "AGENTSERVER_PLATFORM";

/** The variable that every child of the platform of this (existing) data folder carries in its environment. */
export function markOf(dataDir: string): { name: string; value: string } {
  const value = createHash("sha256").update(realpathSync(dataDir)).digest("hex").slice(0, 32);
  return { name: NAME, value };
}

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Build } from "../build-options";
import { cacheKey } from "../cache";
import { runCommand } from "../commands";

/** The real JavaScript server in the versions that are tested, for repositories that do not bring one. */
const MANIFEST = {
  private: true,
  dependencies: {
    "@langchain/core": "1.2.13",
    "@langchain/langgraph": "1.4.18",
    "@langchain/langgraph-api": "1.5.1",
    "@langchain/langgraph-checkpoint": "1.1.5",
    "@langchain/langgraph-sdk": "1.12.1",
  },
  // Its packages ask for different versions of these.
  overrides: {
    tailwindcss: "4.3.3",
    "@tailwindcss/node": "4.3.3",
    "@tailwindcss/oxide": "4.3.3",
    "@tailwindcss/postcss": "4.3.3",
  },
} as const;

/** The cache entry with the platform's own server, which is installed once. */
export async function installServer(build: Build): Promise<{ key: string; folder: string }> {
  const { cache, environment, log } = build;
  const { version, platform, arch } = process;
  const key = cacheKey({ runtime: ["javascript", version, platform, arch], manifest: MANIFEST });
  const folder = await cache.withLock(key, build, async () => {
    const found = await cache.find(key);
    if (found) return found;
    log("installing the server, which the packages of the repository do not bring");
    return cache.add(key, async (cwd) => {
      await writeFile(join(cwd, "package.json"), JSON.stringify(MANIFEST));
      const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund"];
      const title = ["npm", ...args].join(" ");
      await runCommand(build, { title, file: "npm", args, cwd, environment });
    });
  });
  return { key, folder };
}

import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { codeOf } from "../../../../shared/errors";
import { StageFailure } from "../../driver";
import type { Build } from "../build-options";
import { cacheKey } from "../cache";
import { runCommand } from "../commands";

/** The real JavaScript server in the versions that are tested, for repositories that do not bring one. */
const MANIFEST = {
  private: true,
  dependencies: {
    "@langchain/core": "1.4.0",
    "@langchain/langgraph": "1.7.3",
    "@langchain/langgraph-api": "1.5.1",
    "@langchain/langgraph-checkpoint": "1.2.2",
    "@langchain/langgraph-sdk": "1.15.0",
  },
  // Its packages ask for different versions of these.
  overrides: {
    tailwindcss: "4.3.3",
    "@tailwindcss/node": "4.3.3",
    "@tailwindcss/oxide": "4.3.3",
    "@tailwindcss/postcss": "4.3.3",
  },
} as const;

/**
 * Throws `StageFailure` if the graphs' langgraph, which the platform's server imports too, is too old for it: the server
 * would name a missing export of it alone.
 */
export function checkLanggraph(folder: string): void {
  try {
    createRequire(join(folder, "package.json")).resolve("@langchain/langgraph/stream");
  } catch (error) {
    // Where none is found, as above the packages of a workspace, the server looks elsewhere.
    if (codeOf(error) !== "ERR_PACKAGE_PATH_NOT_EXPORTED") return;
    const server = `@langchain/langgraph-api ${MANIFEST.dependencies["@langchain/langgraph-api"]}`;
    throw new StageFailure(
      `the repository's @langchain/langgraph is older than 1.4.0, which ${server} needs; update it, or add the @langchain/langgraph-cli of its time to its devDependencies, such as 1.0.4 for langgraph 1.0`,
    );
  }
}

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

import { execFile } from "node:child_process";
import { cpSync, existsSync, readFileSync, renameSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { leadsTo, pointTo } from "./link.mjs";
import { isAtLeast } from "./versions.mjs";
import { publish } from "./publish.mjs";
import { Interrupted, run } from "./run.mjs";

/**
 * The step that provides a Node which package.json allows (`engines`: `>=` and a version) where this one is older, as
 * `node_modules/.bin/node`: npm scripts and npx look there first. It is a package of the registry that holds the binary
 * alone, pinned by scripts/node/package-lock.json and kept in the user's cache for all clones.
 */
export function node(root, env) {
  const running = process.versions.node;
  const wanted = readJson(root, "package.json").engines.node.replace(">=", "");
  const name = `node-${process.platform}-${process.arch}`;
  const version = readJson(root, "scripts/node/package.json").optionalDependencies[name];
  const cache = env.XDG_CACHE_HOME || join(homedir(), ".cache");
  const bin = join(cache, "pulumi-agentserver", `node-${version}`, "bin");
  const link = join(root, "node_modules/.bin/node");
  const isThere = () => existsSync(join(bin, "node"));
  return {
    title: `Node ${running} is older than ${wanted}: providing ${version} for this clone`,
    isDone: () => isAtLeast(running, wanted) || (isThere() && leadsTo(link, join(bin, "node"))),
    work: async () => {
      const advice = `Install Node ${wanted} or newer: https://nodejs.org`;
      if (version === undefined) throw new Error(`there is none for ${name}. ${advice}`);
      if (!isThere())
        await publish(bin, "node", (draft) => install(root, draft, name), judge).catch((error) => {
          if (error instanceof Interrupted) throw error;
          throw new Error(`${error.message}. ${advice}`, { cause: error });
        });
      pointTo(link, join(bin, "node"));
    },
  };
}

const readJson = (root, path) => JSON.parse(readFileSync(join(root, path), "utf8"));

async function install(root, draft, name) {
  cpSync(join(root, "scripts/node"), draft, { recursive: true });
  const args = ["ci", "--include=optional", "--no-audit", "--no-fund"];
  await run("npm", args, { cwd: draft, onLine: () => {} });
  renameSync(join(draft, "node_modules", name, "bin"), join(draft, "bin"));
}

/** Throws unless the binary starts: it may be for another C library. */
const judge = (binary) => promisify(execFile)(binary, ["--version"], { timeout: 60_000 });

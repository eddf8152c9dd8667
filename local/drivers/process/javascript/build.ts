import { existsSync } from "node:fs";
import { join } from "node:path";
import { StageFailure } from "../../driver";
import type { Build } from "../build-options";
import { runSetting } from "../commands";
import { checkFiles } from "../named-paths";
import type { BuildRecord } from "../record";
import { installPackages } from "./install";
import { findInstalls, resolveServer, SERVER_PACKAGE, type InstallPlace } from "./package";
import { checkLanggraph, installServer } from "./server-packages";

/**
 * Installs the packages of the graphs, and the server beside them if they do not bring it, as `npx` with the public
 * tool does.
 */
export async function buildJavaScript(build: Build): Promise<BuildRecord> {
  const { config, log, revision } = build;
  const places = await findInstalls(config);
  const { install_command: install, build_command: command } = revision.sourceConfig;
  // Commands, and the repository's own scripts, may create files that the graph configuration names.
  if (!install && !command && !places.some(({ isScripted }) => isScripted)) await checkFiles(build);
  const caches: string[] = [];
  for (const place of places) caches.push(...(await installPackages(build, place)));
  const servers = places.map(({ packageFolder }) => resolveServer(packageFolder, config.root));
  let server = servers.find(Boolean);
  const isOwn = server !== undefined;
  if (!isOwn) {
    places.forEach(checkInstalled);
    checkLanggraph(config.folder);
    const { key, folder } = await installServer(build);
    caches.push(key);
    server = resolveServer(folder, folder);
  }
  if (server === undefined)
    throw new StageFailure(`npm has not installed ${SERVER_PACKAGE}; see its output above`);
  log(`the ${isOwn ? "repository" : "platform"} brings ${SERVER_PACKAGE}`);
  await runSetting(build, "build_command");
  await checkFiles(build);
  return { runtime: "javascript", caches, server, isOwn };
}

function checkInstalled({ folder, packageFolder }: InstallPlace): void {
  if ([folder, packageFolder].some((at) => existsSync(join(at, "node_modules")))) return;
  throw new StageFailure(
    'the packages were not installed into node_modules; configure the package manager to use it (yarn: "nodeLinker: node-modules")',
  );
}

import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { recordOf } from "../shared/records";

const NAME = "pulumi-agentserver";

/**
 * The dependency by which a project in this folder gets this very package: a name alone is never enough, since anybody could
 * publish one by it. It is what the project around this package names, else the folder that the package lies in.
 */
export function installedFrom(folder: string, require = createRequire(__filename)): string {
  const own = dirname(require.resolve(`${NAME}/package.json`));
  const project = dirname(dirname(own));
  const given = dependencyIn(join(project, "package.json"), require);
  const [, file] = /^file:(.+)/.exec(given) ?? [];
  const path = file === undefined ? undefined : resolve(project, file);
  if (path !== undefined && existsSync(path)) return `file:${relative(folder, path)}`;
  return /^(?:[~^\d]|https:|git)/.test(given) ? given : `file:${relative(folder, own)}`;
}

function dependencyIn(manifest: string, require: NodeJS.Require): string {
  if (!existsSync(manifest)) return "";
  const { dependencies, devDependencies }: Record<string, unknown> = require(manifest);
  return String({ ...recordOf(devDependencies), ...recordOf(dependencies) }[NAME]);
}

import { chmodSync, copyFileSync, existsSync, readFileSync, renameSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { LANGUAGE_HOST } from "./bundle.mjs";

/**
 * Files that a CLI built from its Go module lacks: the script that starts the process of dynamic resources, which Pulumi ships
 * in its npm package, and the language host, for which ours stands in. Pulumi's own installer brings both; what is
 * there is left alone, except an outdated stand-in of ours.
 */
function missing(root, bin) {
  return ["node_modules/@pulumi/pulumi/pulumi-resource-pulumi-nodejs", LANGUAGE_HOST]
    .map((path) => ({ source: join(root, path), target: join(bin, basename(path)) }))
    .filter(({ source, target }) => !existsSync(target) || isOutdated(target, source));
}

/** The language host of Pulumi is many times as large. */
function isOutdated(target, source) {
  if (statSync(target).size > 5_000_000) return false;
  const text = readFileSync(target);
  return text.includes("stand-in of pulumi-agentserver") && !text.equals(readFileSync(source));
}

export const companionsAreComplete = (root, bin) => missing(root, bin).length === 0;

/** Puts what is missing beside the CLI; each file appears whole. */
export function completeCompanions(root, bin) {
  for (const { source, target } of missing(root, bin)) {
    const draft = `${target}.${process.pid}`;
    copyFileSync(source, draft);
    chmodSync(draft, 0o755);
    renameSync(draft, target);
  }
}

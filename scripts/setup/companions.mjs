import { chmodSync, copyFileSync, existsSync, readFileSync, renameSync } from "node:fs";
import { basename, join } from "node:path";

const resourceProcess = "node_modules/@pulumi/pulumi/pulumi-resource-pulumi-nodejs";
const standIn = [
  "scripts/pulumi-cli/language-host.mjs",
  "scripts/pulumi-cli/pulumi-language-nodejs",
];

/**
 * Files that a CLI built from its Go module lacks: the script that starts the process of dynamic resources, which Pulumi ships
 * in its npm package, and the language host, for which ours stands in. Pulumi's own installer brings both; what is
 * there is left alone, except an outdated stand-in of ours.
 */
function missing(root, bin) {
  const has = (path) => existsSync(join(bin, basename(path)));
  const standsIn = !has("pulumi-language-nodejs") || has("language-host.mjs");
  return [...(has(resourceProcess) ? [] : [resourceProcess]), ...(standsIn ? standIn : [])]
    .map((path) => ({ source: join(root, path), target: join(bin, basename(path)) }))
    .filter(({ source, target }) => !existsSync(target) || differ(source, target));
}

const differ = (one, other) => !readFileSync(one).equals(readFileSync(other));

/** Whether nothing is missing beside the CLI in this folder. */
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

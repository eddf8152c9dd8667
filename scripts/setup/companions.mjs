import { chmodSync, copyFileSync, existsSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";

/**
 * What a CLI built from its Go module lacks: the script that starts the process of dynamic resources, which Pulumi ships
 * in its npm package, and the language host, for which ours stands in. Pulumi's own installer brings both: what is
 * there is left alone, except an outdated stand-in of ours.
 */
function missing(root, bin) {
  const resources = ["pulumi-resource-pulumi-nodejs", "node_modules/@pulumi/pulumi"];
  const standIn = [
    ["language-host.mjs", "scripts/pulumi-cli"],
    ["pulumi-language-nodejs", "scripts/pulumi-cli"],
  ];
  const there = (name) => existsSync(join(bin, name));
  const needsStandIn = !there("pulumi-language-nodejs") || there("language-host.mjs");
  return [resources, ...(needsStandIn ? standIn : [])]
    .map(([name, folder]) => ({ name, source: join(root, folder, name) }))
    .filter(
      ({ name, source }) =>
        !there(name) || (name !== resources[0] && differ(source, join(bin, name))),
    );
}

const differ = (one, other) => !readFileSync(one).equals(readFileSync(other));

export const companionsAreComplete = (root, bin) => missing(root, bin).length === 0;

/** Puts what is missing beside the CLI; each file appears whole. */
export function completeCompanions(root, bin) {
  for (const { name, source } of missing(root, bin)) {
    const draft = join(bin, `.${name}.${process.pid}`);
    copyFileSync(source, draft);
    chmodSync(draft, 0o755);
    renameSync(draft, join(bin, name));
  }
}

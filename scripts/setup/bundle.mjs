import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Bundles one file with all that it needs beside Node. Returns the paths of the sources in it. */
async function bundle(root, entry, outfile, options = {}) {
  const { build } = await import("esbuild");
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: "node",
    target: "node22.12",
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "none",
    logLevel: "error",
    metafile: true,
    ...options,
  });
  return Object.keys(metafile.inputs);
}

/** The stand-in for Pulumi's language host (companions.mjs). */
export const LANGUAGE_HOST = "dist/pulumi-cli/pulumi-language-nodejs";

export const bundleLanguageHost = (root) =>
  bundle(root, "scripts/pulumi-cli/language-host.mjs", LANGUAGE_HOST, {
    banner: { js: "#!/usr/bin/env node\n// The stand-in of pulumi-agentserver for Pulumi's host." },
  });

/** Bundles the native provider into dist/plugin, what `pulumi` starts. The schema also goes beside the compiled sources. */
export async function bundlePlugin(root) {
  const folder = join(root, "dist/plugin");
  mkdirSync(folder, { recursive: true });
  const entry = "dist/provider/adapters/native/main.js";
  const sources = await bundle(root, entry, "dist/plugin/provider.cjs");
  const schema = join(root, "provider/adapters/native/schema.json");
  for (const target of ["dist/provider/adapters/native", "dist/plugin"])
    cpSync(schema, join(root, target, "schema.json"));
  cpSync(join(root, "provider/adapters/native/plugin"), folder, { recursive: true });
  cpSync(join(root, "LICENSE"), join(folder, "LICENSE"));
  writeFileSync(join(folder, "THIRD-PARTY-LICENSES.txt"), licences(root, sources));
}

/** The licences of the packages that the files of a bundle come from. */
function licences(root, files) {
  const packages = new Set(files.flatMap((file) => packageOf(file) ?? []));
  return [...packages]
    .toSorted((one, other) => (one < other ? -1 : 1))
    .map((folder) => licence(join(root, folder)))
    .join("\n\n");
}

/** The folder of the package that a file lies in: the last one, since packages have packages of their own. */
function packageOf(file) {
  return /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(file)?.[0];
}

function licence(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const text = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
  const title = `${name} ${version} (${license})`;
  const lines = text ? [readFileSync(join(folder, text), "utf8").trim()] : [];
  return [title, "=".repeat(title.length), ...lines].join("\n");
}

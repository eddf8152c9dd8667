import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
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
    target: "node22.21",
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "none",
    logLevel: "error",
    metafile: true,
    ...options,
  });
  return Object.keys(metafile.inputs);
}

/**
 * Puts all files of ours that Pulumi's process for dynamic providers loads into one: such a process starts with each command,
 * and 190 files take it half as long again.
 */
export async function bundleLifecycles(root) {
  const file = "dist/provider/lifecycle.js";
  const readable = { minifySyntax: false, minifyWhitespace: false };
  await bundle(root, "provider/lifecycle.ts", file, { ...readable, packages: "external" });
  rmSync(join(root, `${file}.map`), { force: true });
}

/** The stand-in for Pulumi's language host (companions.mjs). */
export const LANGUAGE_HOST = "dist/pulumi-cli/pulumi-language-nodejs";

export const bundleLanguageHost = (root) =>
  bundle(root, "scripts/pulumi-cli/language-host.mjs", LANGUAGE_HOST, {
    banner: { js: "#!/usr/bin/env node\n// The stand-in of pulumi-agentserver for Pulumi's host." },
  });

/**
 * Bundles the native provider into dist/plugin, what `pulumi` starts. The schema also goes beside the compiled sources. Who
 * starts it meanwhile finds each file whole.
 */
export async function bundlePlugin(root) {
  const [folder, native] = [join(root, "dist/plugin"), "provider/adapters/native"];
  const draft = mkdtempSync(join(root, "dist/.plugin-"));
  try {
    const entry = join("dist", native, "main.js");
    const sources = await bundle(root, entry, join(draft, "provider.cjs"));
    for (const copy of ["schema.json", "beside"])
      cpSync(join(root, native, "schema.json"), join(draft, copy));
    renameSync(join(draft, "beside"), join(root, "dist", native, "schema.json"));
    cpSync(join(root, native, "plugin"), draft, { recursive: true });
    cpSync(join(root, "LICENSE"), join(draft, "LICENSE"));
    writeFileSync(join(draft, "THIRD-PARTY-LICENSES.txt"), licences(root, sources));
    mkdirSync(folder, { recursive: true });
    for (const file of readdirSync(draft)) renameSync(join(draft, file), join(folder, file));
  } finally {
    rmSync(draft, { recursive: true });
  }
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

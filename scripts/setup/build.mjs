import { createHash } from "node:crypto";
import { chmodSync, cpSync, existsSync, readFileSync, readdirSync } from "node:fs";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeOutInferredTypes } from "./declarations.mjs";
import { bundleLanguageHost, bundleLifecycles, bundlePlugin } from "./bundle.mjs";
import { run } from "./run.mjs";

/** The step that compiles the TypeScript sources into dist/. */
export function compiledSources(root) {
  return {
    title: "Compiling",
    isDone: () =>
      existsSync(stampFile(root)) && readFileSync(stampFile(root), "utf8") === fingerprint(root),
    work: () => build(root),
  };
}

/** Compiles into an emptied dist/, so that no output of a deleted source stays; only success leaves the stamp. */
export async function build(root) {
  const sources = fingerprint(root);
  rmSync(join(root, "dist"), { recursive: true, force: true });
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  await run(process.execPath, [compiler, "-p", root], { cwd: root });
  await writeOutInferredTypes(root);
  copyAssets(root);
  cpSync(join(root, PLAN), join(root, "dist", PLAN));
  chmodSync(join(root, "dist/cli/main.js"), 0o755);
  await bundlePlugin(root);
  await bundleLifecycles(root);
  await bundleLanguageHost(root);
  writeFileSync(stampFile(root), sources);
}

/** Files that the page's browser loads: ours, and htmx, which is not a dependency of the package. */
function copyAssets(root) {
  const target = join(root, "dist/local/page/assets");
  cpSync(join(root, "local/page/assets"), target, { recursive: true });
  // One file: in two, htmx may look for what to connect before its extension is there.
  const text = ["htmx.min.js", "ext/hx-sse.min.js"]
    .map((path) => readFileSync(join(root, "node_modules/htmx.org/dist", path), "utf8"))
    .join(";\n");
  writeFileSync(join(target, "htmx.js"), text.replaceAll(/^\/\/# sourceMappingURL.*$/gm, ""));
}

/** What reads graph configurations, in Python. */
const PLAN = "local/drivers/process/python/plan.py";

const stampFile = (root) => join(root, "dist/.sources");

/** Files that the compiler reads, and those that are copied, or are beside the bundle of the native provider. */
const isSource = (path) =>
  path === PLAN ||
  /\.tsx?$|schema\.json$|^provider\/adapters\/native\/plugin\/|language-host\.mjs$|^local\/page\/assets\//.test(
    path,
  );

/** A hash over the names and contents of all that decides what is in dist/. */
function fingerprint(root) {
  const { include } = JSON.parse(readFileSync(join(root, "tsconfig.json"), "utf8"));
  const sources = include
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true }).map((path) => join(folder, path)),
    )
    .filter((path) => isSource(path) && !path.includes("node_modules"))
    .toSorted();
  const hash = createHash("sha256");
  for (const path of ["package.json", "package-lock.json", "tsconfig.json", ...sources])
    for (const part of [path, readFileSync(join(root, path))]) hash.update(part).update("\0");
  return hash.digest("hex");
}

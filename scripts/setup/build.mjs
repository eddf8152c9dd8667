import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  existsSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { writeOutInferredTypes } from "./declarations.mjs";
import { bundlePlugin } from "./plugin.mjs";
import { run } from "./run.mjs";

/** The step that compiles the TypeScript sources into dist/. */
export function compiledSources(root) {
  return {
    title: "Compiling",
    isDone: () => {
      const stamp = stampFile(root);
      return existsSync(stamp) && readFileSync(stamp, "utf8") === fingerprint(root);
    },
    work: () => build(root),
  };
}

/** Compiles into an emptied dist/, so that no output of a deleted source stays; only success leaves the stamp. */
export async function build(root) {
  const sources = fingerprint(root);
  rmSync(join(root, "dist"), { recursive: true, force: true });
  await run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", root], {
    cwd: root,
  });
  await writeOutInferredTypes(root);
  copyAssets(root);
  cpSync(join(root, PLAN), join(root, "dist", PLAN));
  chmodSync(join(root, "dist/cli/main.js"), 0o755);
  await bundlePlugin(root);
  writeFileSync(stampFile(root), sources);
}

/** Files that the page's browser loads: ours, and htmx, which is not a dependency of the package. */
function copyAssets(root) {
  const target = join(root, "dist/local/page/assets");
  cpSync(join(root, "local/page/assets"), target, { recursive: true });
  // One file: in two, htmx may look for what to connect before its extension is there.
  const parts = ["htmx.min.js", "ext/hx-sse.min.js"].map((path) =>
    readFileSync(join(root, "node_modules/htmx.org/dist", path), "utf8"),
  );
  writeFileSync(
    join(target, "htmx.js"),
    parts.join(";\n").replaceAll(/^\/\/# sourceMappingURL.*$/gm, ""),
  );
}

/** What reads graph configurations, in Python. */
const PLAN = "local/drivers/process/python/plan.py";

const stampFile = (root) => join(root, "dist/.sources");

/** Files that the compiler reads, and those that are copied, or are beside the bundle of the native provider. */
const isSource = (path) =>
  path === PLAN || /\.tsx?$|schema\.json$|^scripts\/plugin\/|^local\/page\/assets\//.test(path);

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
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update("\0");
  return hash.digest("hex");
}

import { createHash } from "node:crypto";
import { chmodSync, existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
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
  chmodSync(join(root, "dist/local/cli/main.js"), 0o755);
  writeFileSync(stampFile(root), sources);
}

const stampFile = (root) => join(root, "dist/.sources");

/** A hash over the names and contents of all that decides what the compiler writes. */
function fingerprint(root) {
  const { include } = JSON.parse(readFileSync(join(root, "tsconfig.json"), "utf8"));
  const sources = include
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true }).map((path) => join(folder, path)),
    )
    .filter((path) => path.endsWith(".ts") && !path.includes("node_modules"))
    .toSorted();
  const hash = createHash("sha256");
  for (const path of ["package.json", "package-lock.json", "tsconfig.json", ...sources])
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update("\0");
  return hash.digest("hex");
}

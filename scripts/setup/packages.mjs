import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "./run.mjs";

/** The step that installs the packages of package-lock.json. */
export function packages(root) {
  return {
    title: "Installing packages (npm ci)",
    isDone: () => areInstalled(root),
    // Without `--include=dev`, NODE_ENV=production would leave out the compiler.
    work: () => run("npm", ["ci", "--include=dev", "--no-audit", "--no-fund"], { cwd: root }),
  };
}

/**
 * Compares package-lock.json with the list that npm leaves in node_modules at the end of an installation, so one by
 * hand counts as well and an interrupted one does not. Optional packages may be missing: they are for other platforms.
 */
function areInstalled(root) {
  const list = join(root, "node_modules/.package-lock.json");
  if (!existsSync(list)) return false;
  const [wanted, present] = [join(root, "package-lock.json"), list].map(
    (file) => JSON.parse(readFileSync(file, "utf8")).packages,
  );
  return Object.entries(wanted).every(([path, { version, integrity, optional }]) => {
    const there = present[path];
    if (path === "" || !there) return path === "" || optional === true;
    return there.version === version && there.integrity === integrity;
  });
}

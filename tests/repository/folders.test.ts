import { expect } from "chai";
import { readdirSync, readFileSync } from "node:fs";
import { join, normalize, sep } from "node:path";
import { preProcessFile } from "typescript";

/** The folders of `local/` that each folder imports from, types included. */
function importedFolders(): Map<string, Set<string>> {
  const folders = new Map<string, Set<string>>();
  for (const file of readdirSync("local", { recursive: true, encoding: "utf8" })) {
    const [folder = "", ...rest] = file.split(sep);
    if (rest.length === 0 || !/\.tsx?$/.test(file)) continue;
    const { importedFiles } = preProcessFile(readFileSync(join("local", file), "utf8"), true, true);
    const imported = importedFiles
      .filter(({ fileName }) => fileName.startsWith("."))
      .map(({ fileName }) => normalize(join(file, "..", fileName)).split(sep))
      .filter(([other]) => other !== ".." && other !== folder);
    const known = folders.get(folder) ?? new Set();
    for (const [other = ""] of imported) known.add(other);
    folders.set(folder, known);
  }
  return folders;
}

describe("the folders of local/", () => {
  it("import one way: each builds on those before it", () => {
    const folders = importedFolders();
    const order: string[] = [];
    for (let ready: string[]; folders.size > 0; order.push(...ready)) {
      ready = [...folders.keys()].filter((folder) =>
        [...(folders.get(folder) ?? [])].every((other) => !folders.has(other)),
      );
      expect(ready, `in a circle, or importing from one: ${[...folders.keys()].join(", ")}`).not.to
        .be.empty;
      for (const folder of ready) folders.delete(folder);
    }
    expect(order).to.include.members(["sqlite", "store", "rollout", "control-plane", "http"]);
    expect(order.indexOf("sqlite")).to.be.below(order.indexOf("store"));
  });
});

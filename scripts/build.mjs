// `npm run build`: compiles the sources into dist/.
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "./setup/build.mjs";
import { report } from "./setup/report.mjs";

try {
  await build(dirname(dirname(fileURLToPath(import.meta.url))));
} catch (error) {
  report(error.message);
  process.exitCode = 1;
}

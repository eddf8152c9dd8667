// `npm run build`: compiles the sources into dist/.
import { join } from "node:path";
import { build } from "./setup/build.mjs";
import { report } from "./setup/report.mjs";

await build(join(import.meta.dirname, "..")).catch((error) => {
  report(error.message);
  process.exitCode = 1;
});

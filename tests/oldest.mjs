// `npm run test:oldest [-- FILE…]`: runs the tests on the real engine, or the files of tests/ that are named, with the oldest
// Pulumi CLI, SDK and Node that package.json promises, in a copy of this clone. `npm run test:all` runs them on the newest.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { pointTo } from "../scripts/setup/link.mjs";
import { oldestPulumi } from "../scripts/setup/pulumi.mjs";
import { report } from "../scripts/setup/report.mjs";
import { run } from "../scripts/setup/run.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { engines, peerDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const leastOf = (range) => /^>=(\S+)/.exec(range)[1];
const packages = [
  `@pulumi/pulumi@${leastOf(peerDependencies["@pulumi/pulumi"])}`,
  `node-${process.platform}-${process.arch}@${leastOf(engines.node)}`,
];
/**
 * What is typed in a clone's root meets the SDK of development: older ones resolve no package there by its own name. The
 * archive is built with that SDK too.
 */
const LEFT_OUT = [
  "assistants",
  "by-hand",
  "conversation-fixture",
  "languages/plugin",
  "multi-environment",
  "self-hosted",
].map((name) => `--ignore=dist/tests/engine/${name}.test.js`);
/** The recorded states are written by the SDK of development: the oldest one marks a map of secrets as a whole. */
const FORM = ["--fgrep", "has the form of today", "--invert"];
const given = process.argv.slice(2);
const files = given.map((file) => file.replace(/^(?:\.\/)?(tests\/.*\.test)\.ts$/, "dist/$1.js"));
const copy = mkdtempSync(join(tmpdir(), "agentserver-oldest-"));
try {
  const cli = await oldestPulumi(root, process.env);
  report(`Installing ${packages.join(" and ")} into a copy, for ${cli} …`);
  cpSync(root, copy, { recursive: true, verbatimSymlinks: true });
  const flags = ["--no-save", "--no-audit", "--no-fund", "--legacy-peer-deps"];
  await run("npm", ["install", ...flags, ...packages], { cwd: copy, onLine: () => {} });
  const bin = join(copy, "node_modules/.bin");
  pointTo(join(bin, "pulumi"), cli);
  // Users run the bundle, whose protocol is that of the SDK it was built with.
  pointTo(
    join(copy, "dist/provider/adapters/native/main.js"),
    join(copy, "dist/plugin/provider.cjs"),
  );
  const env = {
    ...process.env,
    AGENTSERVER_TESTS: "all",
    PATH: [bin, dirname(cli), process.env.PATH].join(delimiter),
  };
  const mocha = join(copy, "node_modules/mocha/bin/mocha.js");
  const suites = files.length > 0 ? files : ["dist/tests/engine/**/*.test.js", ...LEFT_OUT];
  const tests = spawn(join(bin, "node"), [mocha, ...suites, ...FORM], {
    cwd: copy,
    env,
    stdio: "inherit",
  });
  process.on("SIGINT", () => {}); // reaches mocha too, which ends in good order
  const [code] = await once(tests, "close");
  process.exitCode = code ?? 1;
} finally {
  rmSync(copy, { recursive: true, force: true });
}

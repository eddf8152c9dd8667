// `npm test [-- FILE…] [-- OPTION…]`: runs the checks, then the tests; or the tests of files that are named as they lie in
// tests/. Options are mocha's. `--all` adds the longer tiers (tests/support/tiers.ts), which a file that is named is run with
// in any case; `--unit` leaves the tests that need no Pulumi CLI, no registry and no other server, and no checks.
import { spawn } from "node:child_process";
import { report } from "../scripts/setup/report.mjs";

const UNIT = [
  "dist/tests/{contract,provider,repository,sdk,settings,shared}/**/*.test.js",
  // Without those that start a process for each test, or need a CLI.
  "dist/tests/cli/**/!(main|secrets|stack).test.js",
  "dist/tests/local/{admin,agentserver,control-plane,http,logs,page,platform,proxy,sqlite}/**/*.test.js",
];

const given = process.argv.slice(2);
const isUnit = given.includes("--unit");
const compiled = given
  .filter((argument) => !["--all", "--unit"].includes(argument))
  .map((argument) => argument.replace(/^(?:\.\/)?(tests\/.*\.test)\.ts$/, "dist/$1.js"));
const names = compiled.filter((argument) => argument.endsWith(".test.js"));
const isWhole = names.length === 0 && !isUnit;
if (given.includes("--all") || names.length > 0) process.env.AGENTSERVER_TESTS = "all";
const all = isUnit ? UNIT : ["dist/tests/**/*.test.js"];
const files = names.length > 0 ? [] : all;

/** Runs a script with the terminal of this one. Returns its exit code. */
const exitOf = (script, ...args) =>
  new Promise((resolve) => {
    const options = { stdio: "inherit" };
    spawn(process.execPath, [script, ...args], options).once("close", (code) => resolve(code ?? 1));
  });

const checked = isWhole ? await exitOf("scripts/check.mjs") : 0;
// Ctrl-C reaches mocha too, which ends in good order.
process.on("SIGINT", () => {});
process.exitCode =
  (await exitOf("node_modules/mocha/bin/mocha.js", ...compiled, ...files)) || checked;
if (checked !== 0) report("A check failed, see above the tests. `npm run check` repeats them.");

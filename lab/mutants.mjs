// `npm run mutants -- FOLDER`: changes the code of a folder, one place at a time, and lists the changes that no test notices.
// Stryker does it, which npm keeps in its own cache. Exit code 1 when fewer than 80 % are noticed.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "../scripts/setup/run.mjs";
import { report } from "../scripts/setup/report.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The newest that runs on the oldest Node of package.json; its runner takes mocha up to 11. */
const PACKAGES = [
  "@stryker-mutator/core@9.6.1",
  "@stryker-mutator/mocha-runner@9.6.1",
  "mocha@11.8.0",
];

/** The tests that stay in one process, by the root of the code that they import. */
const TESTS = {
  provider: ["{provider,settings,shared}/**/*"],
  // The tests of the provider's front ends read the sources, which Stryker changes.
  sdk: ["{sdk,contract,shared}/**/*", "provider/!(adapters)/**/*"],
  settings: ["settings/**/*", "provider/resource/errors"],
  shared: ["{shared,settings,sdk}/**/*", "provider/!(adapters)/**/*"],
  // The others start a process for each test.
  cli: ["cli/**/!(main|secrets|stack|env)"],
  local: [
    "local/{admin,agentserver,control-plane,http,logs,page,platform,proxy,rollout,sqlite}/**/*",
  ],
};

const BUILD = "ln -s ../../node_modules . && node scripts/build.mjs";

const [folder = "", ...others] = process.argv.slice(2);
const names = TESTS[folder.split("/")[0]];
if (names === undefined || others.length > 0 || !existsSync(join(root, folder))) {
  report(`Usage: npm run mutants -- FOLDER, a folder in ${Object.keys(TESTS).join("/, ")}/`);
  process.exit(2);
}

const temporary = mkdtempSync(join(tmpdir(), "agentserver-mutants-"));
try {
  const mocha = join(temporary, "mocha.json");
  // A change may leave a test waiting for ever.
  writeFileSync(mocha, JSON.stringify({ timeout: 10_000 }));
  const config = join(temporary, "stryker.json");
  writeFileSync(
    config,
    JSON.stringify({
      plugins: ["@stryker-mutator/mocha-runner"],
      testRunner: "mocha",
      mochaOptions: { config: mocha, spec: names.map((name) => `dist/tests/${name}.test.js`) },
      mutate: [`${folder}/**/*.ts`],
      // Builds what Stryker has changed, in its copy of the repository. It starts no shell.
      buildCommand: `sh -c ${BUILD.replaceAll(" ", "\\ ")}`,
      symlinkNodeModules: false,
      tsconfigFile: "none",
      ignorePatterns: ["dist", "docs", "sdks"],
      coverageAnalysis: "perTest",
      dryRunTimeoutMinutes: 30,
      // What runs when a module is loaded needs a process for each change.
      ignoreStatic: true,
      // The tests wait more than they compute.
      concurrency: 2 * availableParallelism() + 1,
      timeoutMS: 10_000,
      reporters: ["clear-text", "progress-append-only"],
      clearTextReporter: { allowColor: false, reportTests: false },
      thresholds: { break: 80 },
    }),
  );
  const packages = PACKAGES.map((name) => `--package=${name}`);
  await run("npm", ["exec", "--yes", ...packages, "--", "stryker", "run", config], {
    cwd: root,
    env: { ...process.env, AGENTSERVER_TESTS: "all" },
  });
} catch (error) {
  report(error.message);
  process.exitCode = 1;
} finally {
  rmSync(temporary, { recursive: true, force: true });
}

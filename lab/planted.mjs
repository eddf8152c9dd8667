// `npm run planted [-- NUMBER…] [--commit REVISION] [--all] [--histories N]`: plants each fault of lab/planted/, or those
// of these numbers, in a clone of HEAD or of that commit, and says which test finds it; with `--all`, which files of tests
// do; with `--histories`, how many histories of the fault run it takes: of N with one state, then of N with two.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { elapsed, report } from "../scripts/setup/report.mjs";
import { Interrupted, run } from "../scripts/setup/run.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, "lab/planted");
const testsIn = (...folders) => folders.map((name) => `dist/tests/${name}/**/*.test.js`);
/** The cheapest first. */
const [units, beside, schedules, engine] = [
  testsIn("sdk", "settings", "provider"),
  testsIn("cli", "contract", "local"),
  testsIn("lab/faults"),
  testsIn("engine"),
];

const git = (cwd, ...args) => execFileSync("git", args, { cwd, encoding: "utf8" }).trim();

function makeClone(commit) {
  const clone = mkdtempSync(join(tmpdir(), "agentserver-planted-"));
  git(root, "clone", "--quiet", "--shared", "--no-checkout", root, clone);
  git(clone, "checkout", "--quiet", git(root, "rev-parse", `${commit}^{commit}`));
  symlinkSync(join(root, "node_modules"), join(clone, "node_modules"));
  return clone;
}

/** Compiles the clone with a fault, or without one. */
async function compile(clone, patch) {
  report(`${patch ?? "no fault"}: compiling …`);
  git(clone, "reset", "--quiet", "--hard");
  // The option takes the lines of a patch wherever they are now.
  if (patch) git(clone, "apply", "--unidiff-zero", join(folder, patch));
  await run(process.execPath, ["scripts/build.mjs"], { cwd: clone });
}

/** The tests that fail. */
async function failuresOf(clone, files, options = []) {
  report(`  ${files.join(" ")} …`);
  const results = join(clone, "dist/results.json");
  rmSync(results, { force: true });
  const reporter = ["--reporter", "json", "--reporter-option", `output=${results}`];
  const args = ["node_modules/mocha/bin/mocha.js", ...reporter, ...options, ...files];
  await run(process.execPath, args, { cwd: clone, onLine: () => {} }).catch((error) => {
    if (error instanceof Interrupted) throw error;
  });
  const { failures } = JSON.parse(readFileSync(results, "utf8"));
  return failures.map(({ file, fullTitle }) => ({ file: relative(clone, file), fullTitle }));
}

/** The tests that find what is in the clone. */
async function search(clone, all) {
  const since = Date.now();
  const runs = [units, beside, schedules, engine];
  for (const files of all ? [runs.slice(0, -1).flat(), engine] : runs) {
    const failures = await failuresOf(clone, files, all ? [] : ["--bail"]);
    if (failures.length > 0) return { failures, time: elapsed(since) };
  }
  throw new Error(`no test fails in ${elapsed(since)}`);
}

/** The number of histories of the fault run until one finds what is in the clone: of one state first, then of two. */
async function countHistories(clone, histories) {
  const since = Date.now();
  for (const states of ["one", "two"]) {
    const args = ["--bail", "--front-end", "both", "--states", states, "--schedules", histories];
    const lines = [];
    const onLine = (line) => lines.push(line);
    const finds = await run(process.execPath, ["dist/lab/faults.js", ...args], {
      cwd: clone,
      onLine,
    }).then(
      () => false,
      (error) => {
        if (error instanceof Interrupted) throw error;
        return true;
      },
    );
    const counts = lines.map((line) => /^(\d+) of \d+ histories, 1 broken/.exec(line)?.[1]);
    const count = counts.find((found) => found !== undefined);
    if (finds && count === undefined) throw new Error(lines.slice(-3).join("; "));
    const violation = lines.find((line) => line.startsWith("!! "));
    if (finds)
      return `history ${count} of ${states} states finds it in ${elapsed(since)}: ${violation}`;
  }
  throw new Error(
    `none of ${histories} histories of each number of states finds it in ${elapsed(since)}`,
  );
}

function rowOf(patch, { failures, time }, all) {
  const files = [...new Set(failures.map(({ file }) => file))].toSorted((a, b) =>
    a.localeCompare(b),
  );
  const [{ file, fullTitle }] = failures;
  return [patch, time, ...(all ? files : [`${file}: ${fullTitle}`])].join("\n    ");
}

async function plantAll(clone, patches, { all, histories }) {
  const rows = [];
  const finders = new Set();
  for (const patch of patches) {
    try {
      await compile(clone, patch);
      if (histories) rows.push(`${patch}\n    ${await countHistories(clone, histories)}`);
      else {
        const found = await search(clone, all);
        for (const { file } of found.failures) finders.add(file);
        rows.push(rowOf(patch, found, all));
      }
    } catch (error) {
      if (error instanceof Interrupted) throw error;
      rows.push(`${patch}\n    NOT FOUND: ${error.message}`);
      process.exitCode = 1;
    }
    report(rows.at(-1));
  }
  console.log(rows.join("\n"));
  if (finders.size > 0) await checkFinders(clone, [...finders]);
}

/** A test that fails without a fault too has found none. */
async function checkFinders(clone, files) {
  await compile(clone);
  for (const { file, fullTitle } of await failuresOf(clone, files)) {
    console.log(`FAILS WITHOUT A FAULT: ${file}: ${fullTitle}`);
    process.exitCode = 1;
  }
}

function patchesOf(numbers) {
  const patches = readdirSync(folder).toSorted();
  const patchOf = (number) => patches.find((name) => parseInt(name, 10) === Number(number));
  const unknown = numbers.find((number) => patchOf(number) === undefined);
  if (unknown) throw new Error(`lab/planted/ has no fault ${unknown}`);
  return numbers.length > 0 ? numbers.map(patchOf) : patches;
}

let clone;
try {
  const options = {
    commit: { type: "string", default: "HEAD" },
    all: { type: "boolean", default: false },
    histories: { type: "string" },
  };
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const patches = patchesOf(positionals);
  clone = makeClone(values.commit);
  await plantAll(clone, patches, values);
} catch (error) {
  report(error.message);
  process.exitCode = 1;
} finally {
  if (clone) rmSync(clone, { recursive: true, force: true });
}

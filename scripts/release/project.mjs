import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const root = join(import.meta.dirname, "../..");

export const read = (path) => readFileSync(join(root, path), "utf8");

export const { name, version } = JSON.parse(read("package.json"));

export const tag = `v${version}`;

/** What is built: the plugin's archives with their checksums, and the packages of npm and Python. */
export const folders = {
  archives: join(root, "dist/packages"),
  packages: join(root, "dist/release"),
};

/** The files of one of these folders whose names match. */
export const filesIn = (folder, pattern = /./) =>
  readdirSync(folder)
    .filter((file) => pattern.test(file))
    .map((file) => join(folder, file));

export const digest = (file, algorithm = "sha256", encoding = "hex") =>
  createHash(algorithm).update(readFileSync(file)).digest(encoding);

/** Runs a program that must succeed. Its standard output is ours, or returned with `stdout: "pipe"`. */
export const run = (program, args, { stdout = "inherit", env = {} } = {}) =>
  execFileSync(program, args, {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, ...env },
    stdio: ["ignore", stdout, "inherit"],
  });

const UV = "0.13.9";

/** The program uv, which builds and publishes for Python. It is installed once. */
export function uv() {
  const folder = join(root, `node_modules/.cache/uv-${UV}`);
  const program = join(folder, "bin/uv");
  if (!existsSync(program)) {
    run("python3", ["-m", "venv", folder]);
    run(join(folder, "bin/python"), ["-m", "pip", "install", "--quiet", `uv==${UV}`]);
  }
  return program;
}

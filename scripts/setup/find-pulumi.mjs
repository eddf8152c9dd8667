import { execFile } from "node:child_process";
import { accessSync, constants, existsSync, realpathSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { promisify } from "node:util";
import { isAtLeast } from "./versions.mjs";

/** The command that `pulumi` starts for a program in TypeScript and for its dynamic resources: beside itself, or from PATH. */
const companions = ["pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"];

/** The first `pulumi` on PATH that can run our programs. Throws what is wrong with those that are there. */
export async function findOnPath(path = "") {
  const folders = path.split(delimiter).filter(isInstallation);
  const failures = [];
  for (const cli of folders.map((folder) => join(folder, "pulumi")).filter(existsSync)) {
    const failure = await judge(cli, folders).catch((error) => error.message);
    if (failure === undefined) return cli;
    failures.push(failure);
  }
  throw new Error(failures.join("; ") || "not there");
}

/** npm and npx put `node_modules/.bin` folders on PATH: what is there is a link of ours, or a package's own affair. */
const isInstallation = (folder) => isAbsolute(folder) && !folder.includes("node_modules");

async function judge(cli, folders) {
  await judgeVersion(cli);
  const places = [dirname(realpathSync(cli)), ...folders];
  const missing = companions.find((name) => !places.some((place) => existsSync(join(place, name))));
  if (missing) throw new Error(`${cli} has no ${missing} beside it or on PATH`);
}

/** Returns the path of a CLI that starts and whose version fits; throws what is wrong otherwise. */
export async function judgeVersion(cli) {
  if (!existsSync(cli)) throw new Error("not there");
  accessSync(cli, constants.X_OK);
  const env = { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true" };
  const { stdout } = await promisify(execFile)(cli, ["version"], { env, timeout: 60_000 });
  const version = stdout.trim().replace(/^v/, "");
  if (!fits(version)) throw new Error(`${cli} is ${version || "of no version"}, not >=3.217.0 <4`);
  return cli;
}

/**
 * The range of @pulumi/pulumi that our package promises to work with (package.json, peerDependencies). Engine and SDK
 * speak a protocol that only grows within a major version and don't check each other's minor version.
 */
const fits = (version) =>
  version.startsWith("3.") && isAtLeast(version.split(/[-+]/)[0], "3.217.0");

import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { StageFailure } from "../../driver";
import type { Build } from "../build-options";
import { cacheKey } from "../cache";
import { linesOf, runCommand } from "../commands";
import type { Environment } from "../keeper/keeper";
import type { Python } from "./interpreter";

/** The public tool that reads graph configurations, in the version that serves them. */
export const CLI = "langgraph-cli==0.4.40";
const UV = "uv==0.13.9";

export interface PythonBuild extends Build {
  readonly python: Python;
}

/** The programs that the platform installs once, beside the environments of builds. */
export interface Tools {
  /** The interpreter that can import langgraph_cli. */
  readonly python: string;
  /** The uv on PATH, else that of PyPI; undefined where neither is to be had. */
  readonly uv: string | undefined;
  /** The variables with which the uv of PyPI uses the registries of pip, which has installed it. */
  readonly settings: Environment;
}

/** Installs the tools, or uses those that an earlier build has installed. */
export async function findTools(build: PythonBuild): Promise<Tools> {
  const { cache, python } = build;
  const hasUv = Boolean(await linesOf(build, { file: "uv", args: ["--version"] }));
  const key = cacheKey({ tools: [CLI, hasUv ? null : UV], python });
  const entry = await cache.withLock(key, build, async () => {
    const install = hasUv ? installByUv : installByPip;
    return (await cache.find(key)) ?? cache.add(key, (venv) => install(build, venv));
  });
  const installedUv = join(entry, "bin/uv");
  const uv = hasUv ? "uv" : existsSync(installedUv) ? installedUv : undefined;
  const settings = uv === installedUv ? await settingsOfPip(build, entry) : {};
  return { python: pythonOf(entry), uv, settings };
}

/** The variables of uv for settings of pip. */
const SETTINGS: Readonly<Record<string, string>> = {
  "index-url": "UV_DEFAULT_INDEX",
  "extra-index-url": "UV_INDEX",
  cert: "SSL_CERT_FILE",
};

async function settingsOfPip(build: PythonBuild, venv: string): Promise<Environment> {
  const list = { file: pythonOf(venv), args: ["-m", "pip", "config", "list"] };
  const found = ((await linesOf(build, list)) ?? []).flatMap((line) => {
    const [, name = "", value = ""] = /^.*\.([a-z-]+)='(.*)'$/.exec(line) ?? [];
    const variable = SETTINGS[name];
    return variable ? [[variable, value.replaceAll("\\n", " ").trim()]] : [];
  });
  return Object.fromEntries(found);
}

async function installByUv(build: PythonBuild, venv: string): Promise<void> {
  await run(build, ["uv", "venv", "--quiet", "--python", build.python.file, venv]);
  await run(build, ["uv", "pip", "install", "--python", pythonOf(venv), CLI]);
}

async function installByPip(build: PythonBuild, venv: string): Promise<void> {
  const { python, log } = build;
  if (!python.hasPip)
    throw new StageFailure(
      `${python.file} (Python ${python.version}) has no venv module; install it (python3-venv), or install uv`,
    );
  await run(build, [python.file, "-m", "venv", venv]);
  const install = (...packages: string[]) =>
    run(build, [...pipInstall(venv), "--quiet", ...packages]);
  await install(UV, CLI).catch(async (error: unknown) => {
    if (!(error instanceof StageFailure)) throw error;
    log("uv cannot be installed; using pip, which takes longer");
    await install(CLI);
  });
}

/** The command that installs packages into an environment that has pip. */
export function pipInstall(venv: string): string[] {
  // A bar would be the newest line of the build's log, and say nothing of what it fetches.
  const quiet = ["--disable-pip-version-check", "--no-input"];
  return [pythonOf(venv), "-m", "pip", ...quiet, "install", "--progress-bar=off"];
}

/** Runs a command of the build, by default in a folder that has no settings of package managers. */
export function run(build: Build, command: readonly string[], cwd = "/"): Promise<void> {
  const [file = "", ...args] = command;
  const environment = { ...build.environment, UV_PYTHON_DOWNLOADS: "never" };
  const shown = args.filter((arg, place) => ![arg, args[place - 1]].includes("--python"));
  const title = [basename(file), ...shown].join(" ");
  return runCommand(build, { title, file, args, cwd, environment });
}

export function pythonOf(venv: string): string {
  return join(venv, "bin/python");
}

/** The variables of an activated virtual environment. */
export function activated(environment: Environment, venv: string): Environment {
  const path = [join(venv, "bin"), environment["PATH"]].filter(Boolean).join(":");
  return { ...environment, PATH: path, VIRTUAL_ENV: venv };
}

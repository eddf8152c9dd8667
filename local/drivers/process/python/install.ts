import { existsSync, readFileSync } from "node:fs";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { messageOf } from "../../../../shared/errors";
import { StageFailure } from "../../driver";
import { linesOf } from "../commands";
import { describeMisfit, serverPackages } from "./server-packages";
import type { Plan } from "./plan";
import { pipInstall, pythonOf, run, type PythonBuild, type Tools } from "./tools";

/** An environment to be filled: `venv` in a folder of the build's own. */
export interface PythonInstall extends PythonBuild {
  readonly tools: Tools;
  readonly plan: Plan;
  readonly folder: string;
  readonly venv: string;
}

/** Creates the environment of a build, with the server and all that the plan names. */
export async function installPlan(install: PythonInstall): Promise<void> {
  const { tools, python, venv, plan, revision, config, log } = install;
  for (const path of plan.unread.map((file) => relative(config.root, file)))
    log(`${path} is not read, since the folder has a pyproject.toml or setup.py`);
  // Commands of the deployment may call pip, which would be that of another Python.
  const { install_command, build_command } = revision.sourceConfig;
  const seed = install_command || build_command ? ["--seed"] : [];
  const create = tools.uv
    ? [tools.uv, "venv", "--quiet", ...seed, "--python", python.file, venv]
    : [python.file, "-m", "venv", venv];
  await run(install, create);
  const add = tools.uv
    ? [tools.uv, "pip", "install", "--python", pythonOf(venv)]
    : pipInstall(venv);
  const folders = [...plan.folders];
  // Each step has the server, so that none replaces it by one that does not fit.
  const server = serverPackages(config.content["api_version"]);
  for (const { cwd, packages } of await stepsOf(install))
    await run(install, [...add, ...server, ...packages], cwd).catch(async (error: unknown) => {
      if (!tools.uv || !packages.includes("-e") || !isUnbuildable(cwd, error))
        throw describeFailure(install, error);
      log(
        "pyproject.toml has no build-system, and its folder is not a package; installing its dependencies alone",
      );
      await run(install, [...add, ...server, "-r", "pyproject.toml"], cwd);
      folders.push({ path: cwd, isPackage: false });
    });
  if (folders.length > 0) await addFolders(install, folders);
}

/** An application, as `uv init` creates it. uv builds it as a package, but runs it from its folder. */
function isUnbuildable(cwd: string, error: unknown): boolean {
  const file = join(cwd, "pyproject.toml");
  if (!messageOf(error).includes("Failed to build") || !existsSync(file)) return false;
  return !/^\[build-system\]/m.test(readFileSync(file, "utf8"));
}

function describeFailure({ config, python }: PythonInstall, error: unknown): unknown {
  const [, reason = ""] = /exited with code \d+:\s([^]*)/.exec(messageOf(error)) ?? [];
  const isOtherPython = /not satisfy Python|requires a different Python/.test(reason);
  if (!isOtherPython && !reason.split("\n").some(isMisfit)) return error;
  const advice = isOtherPython
    ? `the packages do not support Python ${python.version}; set python_version in the graph configuration to one that they support`
    : describeMisfit(config.content["api_version"]);
  return new StageFailure(`${advice}\n${reason}`);
}

/** A line of uv or pip that gives the server as a reason. */
const isMisfit = (line: string): boolean =>
  /\blanggraph-(?:api|cli)\b/.test(line) &&
  /depends on|conclude|conflict|cannot install|could not find/i.test(line);

/** The steps of the plan; those of a lock begin with what is locked. */
async function stepsOf(install: PythonInstall): Promise<Plan["steps"]> {
  const { steps, lock } = install.plan;
  if (!lock) return steps;
  return [{ cwd: lock.root, packages: ["-r", await exportLock(install, lock)] }, ...steps];
}

/** Writes the locked requirements into a file, as the public tool does. Returns its path. */
async function exportLock(install: PythonInstall, lock: NonNullable<Plan["lock"]>) {
  const { tools, folder, python } = install;
  if (!tools.uv)
    throw new StageFailure('"source" of kind "uv" in the graph configuration needs uv; install it');
  const file = join(folder, "locked.txt");
  const what = ["--package", lock.package, "--python", python.file, "-o", file];
  const without = ["--no-hashes", "--no-emit-project", "--no-emit-workspace"];
  await run(install, [tools.uv, "export", "--frozen", "--quiet", ...what, ...without], lock.root);
  return file;
}

/** Makes the other folders importable. A link keeps out what is beside a folder. */
async function addFolders(install: PythonInstall, folders: Plan["folders"]): Promise<void> {
  const { folder, venv } = install;
  const paths = folders.map(async ({ path, isPackage }, index) => {
    if (!isPackage) return path;
    const parent = join(folder, "packages", String(index));
    await mkdir(parent, { recursive: true });
    await symlink(path, join(parent, basename(path)));
    return parent;
  });
  const args = ["-c", "import sysconfig; print(sysconfig.get_path('purelib'))"];
  const [site] = (await linesOf(install, { file: pythonOf(venv), args })) ?? [];
  if (!site) throw new StageFailure("the Python environment of this build cannot be run");
  await writeFile(join(site, "repository.pth"), `${(await Promise.all(paths)).join("\n")}\n`);
}

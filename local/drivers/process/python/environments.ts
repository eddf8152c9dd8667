import { rm } from "node:fs/promises";
import type { Build } from "../build";
import { runCommand, shellCommand } from "../commands";
import type { Dependencies } from "./dependencies";
import { activated, PIP, pythonOf, type Installer } from "./installer";
import type { Python } from "./interpreter";

/** The real Python server, pinned to what it was tried with. */
export const SERVER_PACKAGES = ["langgraph-cli[inmem]==0.4.40", "langgraph-api==0.16.7"];

/** A build with all that its virtual environments are made of. */
export interface PythonBuild extends Build {
  readonly python: Python;
  readonly installer: Installer;
  readonly dependencies: Dependencies;
}

/** Prints the names of packages that were installed from folders. */
const EDITABLE = `from importlib.metadata import distributions
for each in distributions():
  if '"editable"' in (each.read_text("direct_url.json") or ""): print(each.name)`;

/**
 * Makes the environment that builds share: the server, the dependencies, and those of the repository's own packages, but
 * not these, which are others in every commit.
 */
export async function makeShared(build: PythonBuild, venv: string): Promise<void> {
  const { installer, python, dependencies, keeper, environment, signal } = build;
  const { requirements, requirementFiles, packages } = dependencies;
  const files = requirementFiles.flatMap((path) => ["-r", path]);
  const all = [...SERVER_PACKAGES, ...requirements, ...files, ...editable(packages)];
  await run(build, installer.create(python.file, venv, installer === PIP));
  await run(build, installer.install(venv, all));
  if (packages.length === 0) return;
  const names: string[] = [];
  const onLine = (line: string) => void names.push(line);
  const list = { file: pythonOf(venv), args: ["-c", EDITABLE], cwd: "/", environment, onLine };
  await keeper.run(list, signal);
  await run(build, installer.uninstall(venv, names));
}

/** Lets an environment find what is installed in another one too, after its own. */
const CHAIN = `import pathlib, sys, sysconfig
own = pathlib.Path(sysconfig.get_path("purelib"))
shared = pathlib.Path(sys.argv[1], own.relative_to(sys.prefix))
(own / "shared.pth").write_text(f"import site; site.addsitedir({str(shared)!r})\\n")`;

/**
 * Makes the environment of one revision over the shared one: with the repository's own packages, editable as the public
 * service installs them, and what `install_command` installs.
 */
export async function makeOwn(build: PythonBuild, shared: string, venv: string): Promise<void> {
  const { installer, dependencies, revision, environment, config } = build;
  const { packages } = dependencies;
  const { install_command: install } = revision.sourceConfig;
  await rm(venv, { recursive: true, force: true });
  await run(build, installer.create(pythonOf(shared), venv, Boolean(install)));
  await run(build, [pythonOf(venv), "-c", CHAIN, shared], "add the packages of the cache");
  if (packages.length > 0)
    await run(build, installer.install(venv, ["--no-deps", ...editable(packages)]));
  if (!install) return;
  const where = { cwd: config.root, environment: activated(environment, venv) };
  await runCommand(build, shellCommand(install, { setting: "install_command", ...where }));
}

function editable(packages: readonly string[]): string[] {
  return packages.flatMap((path) => ["-e", path]);
}

function run(build: PythonBuild, command: readonly string[], title = command.join(" ")) {
  const [file = "", ...args] = command;
  const { environment, config } = build;
  return runCommand(build, { title, file, args, cwd: config.folder, environment });
}

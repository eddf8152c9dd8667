import { rm } from "node:fs/promises";
import type { Build } from "../build-options";
import { runCommand, shellCommand } from "../commands";
import type { Dependencies } from "./dependencies";
import { activated, PIP, pythonOf, type Installer } from "./installer";
import type { Python } from "./interpreter";

/** The real Python server, in the versions that are tested. */
export const SERVER_PACKAGES = ["langgraph-cli[inmem]==0.4.40", "langgraph-api==0.16.7"];

/** A build with what its virtual environments are created from. */
export interface PythonBuild extends Build {
  readonly python: Python;
  readonly installer: Installer;
  readonly dependencies: Dependencies;
}

/** Prints the names of editable packages. */
const EDITABLE = `from importlib.metadata import distributions
for each in distributions():
  if '"editable"' in (each.read_text("direct_url.json") or ""): print(each.name)`;

/**
 * Creates the environment that builds share: the server, the dependencies, and the dependencies of the repository's own
 * packages, but not these packages, which change with every commit.
 */
export async function createSharedVenv(build: PythonBuild, venv: string): Promise<void> {
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

/** Makes the packages of another environment importable, after its own. */
const CHAIN = `import pathlib, sys, sysconfig
own = pathlib.Path(sysconfig.get_path("purelib"))
shared = pathlib.Path(sys.argv[1], own.relative_to(sys.prefix))
(own / "shared.pth").write_text(f"import site; site.addsitedir({str(shared)!r})\\n")`;

/**
 * Creates the environment of one revision on top of the shared one: with the repository's own packages, editable as the
 * public service installs them, and what `install_command` installs.
 */
export async function createRevisionVenv(
  build: PythonBuild,
  shared: string,
  venv: string,
): Promise<void> {
  const { installer, dependencies, revision, environment, config } = build;
  const { packages } = dependencies;
  const { install_command: install } = revision.sourceConfig;
  await rm(venv, { recursive: true, force: true });
  await run(build, installer.create(pythonOf(shared), venv, Boolean(install)));
  await run(build, [pythonOf(venv), "-c", CHAIN, shared], "link the cached packages");
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

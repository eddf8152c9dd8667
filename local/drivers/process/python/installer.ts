import { join } from "node:path";
import type { Environment } from "../keeper/keeper";

/** The command lines that create and fill virtual environments. */
export interface Installer {
  readonly name: "uv" | "pip";
  /** Creates an environment; `withPip` for commands that call pip themselves. */
  create(python: string, venv: string, withPip: boolean): readonly string[];
  install(venv: string, packages: readonly string[]): readonly string[];
  uninstall(venv: string, names: readonly string[]): readonly string[];
}

/** Ten times as fast as pip. */
export const UV: Installer = {
  name: "uv",
  create: (python, venv, withPip) => [
    "uv",
    "venv",
    ...(withPip ? ["--seed"] : []),
    "--python",
    python,
    venv,
  ],
  install: (venv, packages) => ["uv", "pip", "install", "--python", pythonOf(venv), ...packages],
  uninstall: (venv, names) => ["uv", "pip", "uninstall", "--python", pythonOf(venv), ...names],
};

/** Part of Python. */
export const PIP: Installer = {
  name: "pip",
  create: (python, venv, withPip) => [
    python,
    "-m",
    "venv",
    ...(withPip ? [] : ["--without-pip"]),
    venv,
  ],
  // A bar would be the newest line of the build's log, and say nothing of what it fetches.
  install: (venv, packages) => [...pip(venv), "install", "--progress-bar=off", ...packages],
  uninstall: (venv, names) => [...pip(venv), "uninstall", "--yes", ...names],
};

function pip(venv: string): string[] {
  return [pythonOf(venv), "-m", "pip", "--disable-pip-version-check", "--no-input"];
}

/** The interpreter of a virtual environment. */
export function pythonOf(venv: string): string {
  return join(venv, "bin/python");
}

/** The variables of an activated virtual environment. */
export function activated(environment: Environment, venv: string): Environment {
  const path = [join(venv, "bin"), environment["PATH"]].filter(Boolean).join(":");
  return { ...environment, PATH: path, VIRTUAL_ENV: venv };
}

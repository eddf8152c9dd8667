import { z } from "zod";
import { StageFailure } from "../../driver";
import type { Build } from "../build-options";
import { linesOf } from "../commands";

const Python = z.object({
  /** Its absolute path: a name on PATH may be another one in another folder. */
  file: z.string(),
  version: z.string(),
  /** Whether it can create virtual environments with pip. */
  hasPip: z.boolean(),
});
export type Python = z.infer<typeof Python>;

const ABOUT = `import json, platform, sys
from importlib.util import find_spec
print(json.dumps({
  "file": sys.executable,
  "version": platform.python_version(),
  "hasPip": sys.version_info >= (3, 4) and bool(find_spec("venv") and find_spec("ensurepip")),
}))`;

const OLDEST = "3.11";
const NAMES = ["python3", "python3.14", "python3.13", "python3.12", "python3.11"];

/** The Python version of the graph configuration if it is installed, else the first that the server supports. */
export async function findPython(build: Build): Promise<Python> {
  const { pythonVersion: wanted } = build.config;
  const unsuitable: string[] = [];
  let other: Python | undefined;
  for (const name of wanted === undefined ? NAMES : [`python${wanted}`, ...NAMES]) {
    const found = await inspectPython(build, name);
    if (!found) continue;
    if (found.version.localeCompare(OLDEST, "en", { numeric: true }) < 0)
      unsuitable.push(`${name} is ${found.version}`);
    else if (wanted === undefined || found.version.startsWith(`${wanted}.`)) return found;
    else other ??= found;
  }
  if (other) {
    build.log(`python_version ${wanted} is not installed; ${other.version} replaces it`);
    return other;
  }
  const found = unsuitable.length > 0 ? ` (${unsuitable.join(", ")})` : "";
  throw new StageFailure(
    `Python graphs need Python ${OLDEST} or newer, but there is none on PATH${found}; install python3 with its venv module`,
  );
}

/** pyenv has a command for each version that is installed, which runs if that version is selected. */
async function inspectPython(build: Build, name: string): Promise<Python | undefined> {
  const [, version] = /^python(3\..*)/.exec(name) ?? [];
  const environment = { ...build.environment, ...(version && { PYENV_VERSION: version }) };
  const lines = await linesOf({ ...build, environment }, { file: name, args: ["-c", ABOUT] });
  return lines && Python.parse(JSON.parse(lines.join("")));
}

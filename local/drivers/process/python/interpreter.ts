import { z } from "zod";
import { StageFailure } from "../../driver";
import type { Build } from "../build-options";

/** An installed Python. */
export interface Python {
  /** Its name on PATH. */
  readonly file: string;
  readonly version: string;
  /** The path of its installation: a virtual environment works with this installation only. */
  readonly prefix: string;
  /** Whether it can create virtual environments with pip. */
  readonly hasPip: boolean;
}

const ABOUT = `import json, platform, sys
from importlib.util import find_spec
print(json.dumps({
  "version": platform.python_version(),
  "prefix": sys.base_prefix,
  "hasPip": sys.version_info >= (3, 4) and bool(find_spec("venv") and find_spec("ensurepip")),
}))`;
const About = z.object({ version: z.string(), prefix: z.string(), hasPip: z.boolean() });

const OLDEST = [3, 11] as const;
const NAMES = ["python3", "python3.13", "python3.12", "python3.11"];

/** The Python version of the graph configuration if it is installed, else the first that the server supports. */
export async function findPython(build: Build): Promise<Python> {
  const { pythonVersion } = build.config;
  const names = pythonVersion === undefined ? NAMES : [`python${pythonVersion}`, ...NAMES];
  const tooOld: string[] = [];
  for (const file of names) {
    const about = await inspectPython(build, file);
    if (about && isNewEnough(about.version)) return { file, ...about };
    if (about) tooOld.push(`${file} is ${about.version}`);
  }
  const found = tooOld.length > 0 ? ` (${tooOld.join(", ")})` : "";
  throw new StageFailure(
    `Python graphs need Python ${OLDEST.join(".")} or newer, but there is none on PATH${found}; install python3 with its venv module`,
  );
}

/** Whether uv is installed. */
export async function hasUv({ keeper, environment, signal }: Build): Promise<boolean> {
  const command = { file: "uv", args: ["--version"], cwd: "/", environment };
  return (await keeper.run(command, signal)).exitCode === 0;
}

async function inspectPython({ keeper, environment, signal }: Build, file: string) {
  const lines: string[] = [];
  const onLine = (line: string, stream: string) => void (stream === "stdout" && lines.push(line));
  const command = { file, args: ["-c", ABOUT], cwd: "/", environment, onLine };
  const { exitCode } = await keeper.run(command, signal);
  return exitCode === 0 ? About.parse(JSON.parse(lines.join("\n"))) : undefined;
}

function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}

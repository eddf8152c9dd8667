import { execFile } from "node:child_process";
import { cp, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { goVersion, PYTHON_SDK } from "../../scripts/sdks/generate";
import { messageOf } from "../../shared/errors";
import { REPOSITORY } from "../../scripts/project";
import { cached } from "./cached";

const run = promisify(execFile);

/** The version of pulumi-yaml in scripts/pulumi-yaml/go.mod. */
const YAML_VERSION = "1.32.0";
/** The version of Pulumi's SDK for Python: that of the CLI. */
const PYTHON_SDK_VERSION = "3.272.0";
const MYPY_VERSION = "2.4.1";
const PYRIGHT_VERSION = "1.1.414";

/** Skips a suite, loudly, where a tool is missing that it needs. */
function skip(context: Mocha.Context, reason: string): never {
  process.stderr.write(`\nNOT TESTED: ${context.test?.parent?.fullTitle()}: ${reason}\n\n`);
  return context.skip();
}

/** Skips a suite without Go. */
export async function needGo(context: Mocha.Context): Promise<void> {
  if ((await goVersion()) === undefined) skip(context, "it needs Go, and there is no `go` on PATH");
}

/** The folder of Pulumi's language host for YAML. The first time it is built from Go's proxy, in one to four minutes. */
export async function needYamlHost(context: Mocha.Context): Promise<string> {
  try {
    return await cached(`pulumi-language-yaml-${YAML_VERSION}`, buildYamlHost);
  } catch (error) {
    return skip(context, `Pulumi's language host for YAML can't be built: ${messageOf(error)}`);
  }
}

function buildYamlHost(folder: string): Promise<unknown> {
  const args = ["build", "-mod=readonly", "-trimpath", "-o", join(folder, "pulumi-language-yaml")];
  return run("go", [...args, "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml"], {
    cwd: join(REPOSITORY, "scripts/pulumi-yaml"),
    env: { ...process.env, GOWORK: "off" },
  });
}

/** A Python that has Pulumi's SDK, in a virtual environment of its own. The first time it is installed from PyPI. */
export async function needPython(context: Mocha.Context): Promise<string> {
  return (await pythonTools(context)).python;
}

/** That Python, and the type checkers beside it. */
export async function pythonTools(context: Mocha.Context) {
  try {
    const versions = [PYTHON_SDK_VERSION, MYPY_VERSION, PYRIGHT_VERSION].join("-");
    const folder = await cached(`pulumi-python-${versions}`, installPythonTools);
    return {
      python: join(folder, "bin/python"),
      pyright: join(folder, "node_modules/.bin/pyright"),
    };
  } catch (error) {
    return skip(context, `Python with Pulumi's SDK can't be had: ${messageOf(error)}`);
  }
}

async function installPythonTools(folder: string): Promise<void> {
  await run("python3", ["-m", "venv", folder]);
  const python = join(folder, "bin/python");
  const packages = [`pulumi==${PYTHON_SDK_VERSION}`, "packaging", "setuptools==80.9.0", "wheel"];
  await run(python, ["-m", "pip", "install", "--quiet", ...packages, `mypy==${MYPY_VERSION}`]);
  const options = ["--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund"];
  await run("npm", ["install", ...options, `pyright@${PYRIGHT_VERSION}`]);
}

/** A folder with the committed SDK as `pip install` leaves it. It is copied first: pip builds in the folder itself. */
export async function installedSdk(python: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "agentserver-python-"));
  const source = join(folder, "source");
  await cp(PYTHON_SDK, source, { recursive: true });
  const options = ["--quiet", "--no-deps", "--no-build-isolation", "--target", folder];
  await run(python, ["-m", "pip", "install", ...options, source]);
  return folder;
}

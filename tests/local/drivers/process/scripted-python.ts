import { chmod, mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Stands in for Python, pip, uv, the public tool and the Python server, without packages: it makes folders that look like
 * virtual environments and hold itself, prints what it is asked to install and where; a `misfit` does not
 * fit the server, a `newer` not the interpreter. Its server returns its arguments, environment and folder. What it is comes from the
 * variables VERSION, HAS_PIP and HAS_UV. Its plan has a package for each folder with a `pyproject.toml`.
 */
const SCRIPT = `#!${process.execPath}
const fs = require("node:fs"), http = require("node:http"), path = require("node:path");
const { VERSION, HAS_PIP, HAS_UV } = SETTINGS;
const QUIET = ["--disable-pip-version-check", "--no-input", "--progress-bar=off", "--quiet"];
const called = process.argv[1], args = process.argv.slice(process.argv[2] === "-P" ? 3 : 2).filter((arg) => !QUIET.includes(arg));
const make = (venv) => {
  fs.mkdirSync(path.join(venv, "bin"), { recursive: true });
  const python = called.endsWith("uv") ? args[args.indexOf("--python") + 1] : called;
  fs.copyFileSync(python, path.join(venv, "bin/python"));
};
const pip = (verb, packages) => {
  const { UV_DEFAULT_INDEX: index } = process.env;
  console.log(verb + " in " + process.cwd() + (index ? " from " + index : "") + ": " + packages.join(" "));
  if (packages[0].startsWith("uv==")) {
    if (!HAS_UV) { console.error("ERROR: no uv for this system"); process.exit(1); }
    fs.copyFileSync(called, path.join(path.dirname(called), "uv"));
  }
  if (packages.includes("misfit")) { console.error("misfit depends on langgraph-api<0.3"); process.exit(1); }
  if (packages.includes("newer")) { console.error("ERROR: Package 'newer' requires a different Python: 3.12.1 not in '>=3.13'"); process.exit(1); }
};
const plan = (file) => {
  const { dependencies = [], source } = JSON.parse(fs.readFileSync(file, "utf8"));
  if (dependencies.length === 0 && !source) return { refusal: "No dependencies found in " + file };
  const folders = dependencies.filter((name) => name.startsWith(".")).map((name) => path.resolve(path.dirname(file), name));
  const has = (name) => (folder) => fs.existsSync(path.join(folder, name));
  const packages = folders.filter(has("pyproject.toml"));
  const others = folders.filter((folder) => !packages.includes(folder));
  const requirements = dependencies.filter((name) => !name.startsWith("."));
  const steps = [
    ...others.filter(has("requirements.txt")).map((cwd) => ({ cwd, packages: ["-r", "requirements.txt"] })),
    ...packages.map((cwd) => ({ cwd, packages: ["-e", "."] })),
  ];
  const first = requirements.length > 0 || steps.length === 0 ? [{ cwd: "/", packages: requirements }] : [];
  return {
    steps: [...first, ...steps],
    unread: packages.filter(has("requirements.txt")).map((folder) => path.join(folder, "requirements.txt")),
    folders: others.map((path) => ({ path, isPackage: has("__init__.py")(path) })),
  };
};
const serve = () => {
  const about = { args, cwd: process.cwd(), env: process.env };
  const server = http.createServer((_, response) => response.end(JSON.stringify(about)));
  server.listen(0, "127.0.0.1", () => {
    console.log("API Docs: http://127.0.0.1:0/docs");
    console.log(JSON.stringify({ event: "listening", port: server.address().port }));
  });
};
if (called.endsWith("uv") && args[0] === "--version") console.log("uv 1.0");
else if (called.endsWith("uv") && args[0] === "venv") make(args.at(-1));
else if (called.endsWith("uv")) pip("uv " + args[1], args.slice(4));
else if (args[0] === "-c" && args[1].includes("platform")) console.log(JSON.stringify({ file: called, version: VERSION, hasPip: HAS_PIP }));
else if (args[0] === "-c" && args[1].includes("purelib")) console.log(path.dirname(called));
else if (args[0].endsWith("plan.py")) console.log(JSON.stringify(plan(args[1])));
else if (args[0] === "-m" && args[1] === "venv") make(args.at(-1));
else if (args[0] === "-m" && args[2] === "config") console.log("global.index-url='https://packages.example.com/simple'");
else if (args[0] === "-m" && args[1] === "pip") pip("pip " + args[2], args.slice(3));
else if (args[0] === "-c" && args.includes("dev")) serve();
`;

export interface PythonSettings {
  readonly version?: string;
  readonly hasPip?: boolean;
  /** Whether its pip finds uv. */
  readonly hasUv?: boolean;
}

/** Writes the stand-in to a path, whose name says what it is: \`python3\`, \`python\` or \`uv\`. */
export async function writePython(path: string, settings: PythonSettings = {}): Promise<void> {
  const { version = "3.12.1", hasPip = true, hasUv = false } = settings;
  const values = JSON.stringify({ VERSION: version, HAS_PIP: hasPip, HAS_UV: hasUv });
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, SCRIPT.replace("SETTINGS", values));
  await chmod(path, 0o755);
}

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { aFreePort } from "../local/free-port";
import { cached } from "./cached";

const run = promisify(execFile);

const VERDACCIO = "6.8.0";
const PYPISERVER = "2.4.2";

/** A registry of packages on loopback. */
export interface Registry {
  /** The variables with which its clients publish to it and install from it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Starts a registry of npm packages. What it does not have it takes from the user's own registry. */
export async function startNpmRegistry(dir: string): Promise<Registry> {
  const home = await cached(`verdaccio-${VERDACCIO}`, async (folder) => {
    const dependencies = { verdaccio: VERDACCIO };
    // One of its packages asks for a tag that some mirrors don't have.
    const text = JSON.stringify({
      private: true,
      dependencies,
      overrides: { "node-fetch": "2.7.0" },
    });
    await writeFile(join(folder, "package.json"), text);
    const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund"];
    await run("npm", args, { cwd: folder });
  });
  const { stdout } = await run("npm", ["config", "get", "registry"]);
  const anyone = { access: "$all", publish: "$all", unpublish: "$all" };
  const config = {
    storage: join(dir, "npm"),
    uplinks: { user: { url: stdout.trim() } },
    packages: { "pulumi-agentserver": anyone, "**": { ...anyone, proxy: "user" } },
    log: { type: "stdout", level: "error" },
    max_body_size: "100mb",
  };
  await writeFile(join(dir, "verdaccio.yaml"), JSON.stringify(config));
  const port = await aFreePort();
  const url = `http://127.0.0.1:${port}/`;
  // npm sends nothing without a token, whatever it is.
  const npmrc = join(dir, "npmrc");
  await writeFile(npmrc, `registry=${url}\n//127.0.0.1:${port}/:_authToken=anyone\n`);
  const program = join(home, "node_modules/verdaccio/bin/verdaccio");
  const args = [program, "--config", join(dir, "verdaccio.yaml"), "--listen", `127.0.0.1:${port}`];
  const server = await startServer(process.execPath, args, `${url}-/ping`);
  return { url, environment: { npm_config_userconfig: npmrc }, close: () => end(server) };
}

/** Starts an index of Python packages. It redirects to PyPI for what it does not have. */
export async function startPythonIndex(dir: string, port: number): Promise<Registry> {
  const home = await cached(`pypiserver-${PYPISERVER}`, async (folder) => {
    await run("python3", ["-m", "venv", folder]);
    const python = join(folder, "bin/python");
    await run(python, ["-m", "pip", "install", "--quiet", `pypiserver==${PYPISERVER}`]);
  });
  const files = join(dir, "python");
  await mkdir(files, { recursive: true });
  const place = ["-i", "127.0.0.1", "-p", String(port), "-P", ".", "-a", "."];
  const url = `http://127.0.0.1:${port}/`;
  const args = ["-m", "pypiserver", "run", ...place, files];
  const server = await startServer(join(home, "bin/python"), args, `${url}simple/`);
  return { url, environment: pythonEnvironment(port), close: () => end(server) };
}

/** With these uv publishes to an index on this port, and needs no more than any name. */
export function pythonEnvironment(port: number): Readonly<Record<string, string>> {
  return {
    UV_HTTP_RETRIES: "0",
    UV_PUBLISH_URL: `http://127.0.0.1:${port}/`,
    UV_PUBLISH_CHECK_URL: `http://127.0.0.1:${port}/simple/`,
    UV_PUBLISH_USERNAME: "anyone",
    UV_PUBLISH_PASSWORD: "anything",
  };
}

async function startServer(program: string, args: readonly string[], url: string) {
  const server = spawn(program, args, { stdio: ["ignore", "ignore", "pipe"] });
  let errors = "";
  server.stderr.setEncoding("utf8").on("data", (chunk: string) => (errors += chunk));
  for (;;) {
    if (server.exitCode !== null) throw new Error(`${program} ended:\n${errors}`);
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) return server;
    await sleep(100);
  }
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return;
  const ended = once(server, "exit");
  server.kill();
  await ended;
}

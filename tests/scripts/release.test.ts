import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { expect } from "chai";
import { start } from "../../lab/processes";
import { REPOSITORY } from "../../scripts/project";
import { aFreePort } from "../local/free-port";
import { cached } from "../support/cached";
import { describeLong } from "../support/tiers";

const run = promisify(execFile);
const RELEASE = join(REPOSITORY, "dist/release");

/** Stands in for GitHub's command line, which has no server on loopback: a release is a folder. */
const GH = `#!${process.execPath}
const { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } = require("node:fs");
const { createHash } = require("node:crypto");
const { basename, join } = require("node:path");
const [, verb, tag, ...rest] = process.argv.slice(2);
const folder = join(process.env.GH_FOLDER, tag);
const note = (name, text) => writeFileSync(join(process.env.GH_FOLDER, name), text);
if (verb === "view") {
  if (!existsSync(folder)) { console.error("release not found"); process.exit(1); }
  const assets = readdirSync(folder).map((name) => ({ name, digest: "sha256:" + createHash("sha256").update(readFileSync(join(folder, name))).digest("hex") }));
  console.log(JSON.stringify({ isDraft: !existsSync(folder + ".public"), assets }));
} else if (verb === "create") {
  mkdirSync(folder);
  note("notes", rest[rest.indexOf("--notes") + 1]);
} else if (verb === "upload")
  for (const file of rest.filter((one) => one !== "--clobber")) copyFileSync(file, join(folder, basename(file)));
else if (verb === "edit") note(tag + ".public", "");
`;

describeLong("scripts/release.mjs, to registries on loopback", () => {
  let dir: string;
  let npm: Registry;
  let index: Registry | undefined;
  let port: number;

  const release = async (...steps: string[]) => {
    const environment = { ...npm.environment, ...pythonEnvironment(port) };
    const PATH = [join(dir, "bin"), process.env["PATH"]].join(delimiter);
    const env = { ...process.env, ...environment, PATH, GH_FOLDER: join(dir, "github") };
    const args = [join(REPOSITORY, "scripts/release.mjs"), ...steps];
    return start(process.execPath, args, { cwd: dir, env }).finished;
  };
  /** All that the registries keep, with the times of the files. */
  const published = async () => {
    const folders = ["github", "npm/pulumi-agentserver", "python"].map((name) => join(dir, name));
    const lists = await Promise.all(
      folders.map((folder) => readdir(folder, { recursive: true, withFileTypes: true })),
    );
    const files = lists.flat().filter((entry) => entry.isFile());
    const lines = files.map(async ({ parentPath, name }) => {
      const { mtimeMs } = await stat(join(parentPath, name));
      return `${name} ${mtimeMs}`;
    });
    return (await Promise.all(lines)).toSorted();
  };

  before(async () => {
    dir = await mkdtemp(join(tmpdir(), "agentserver-release-"));
    for (const folder of ["bin", "github"]) await mkdir(join(dir, folder));
    await writeFile(join(dir, "bin/gh"), GH);
    await chmod(join(dir, "bin/gh"), 0o755);
    npm = await startNpmRegistry(dir);
    port = await aFreePort();
    const { code, text } = await release("archives", "build");
    expect(code, text).to.equal(0);
  });
  after(async () => {
    await npm?.close();
    await index?.close();
    await rm(dir, { recursive: true, force: true });
  });

  it("builds the same bytes again", async () => {
    const sums = () => readFile(join(REPOSITORY, "dist/packages/SHA256SUMS"), "utf8");
    const before = await sums();
    const first = await filesOf(RELEASE);
    await release("archives", "build");
    expect(await sums()).to.equal(before);
    expect(await filesOf(RELEASE)).to.deep.equal(first);
  });

  it("breaks where the Python index does not answer, and goes on when it does", async () => {
    const broken = await release("draft", "npm", "python", "announce");
    expect(broken.code, broken.text).to.equal(1);
    expect(broken.text).to.contain("published pulumi-agentserver");
    index = await startPythonIndex(dir, port);
    const { code, text } = await release("draft", "npm", "python", "announce");
    expect(code, text).to.equal(0);
    expect(text).to.contain("has every archive already").and.contain("is published already");
    expect(await readdir(join(dir, "python"))).to.have.length(2);
    expect(await readFile(join(dir, "github/notes"), "utf8")).to.match(/^- /);
  });

  it("uploads what an upload that broke has left out", async () => {
    const files = await readdir(join(dir, "python"));
    const wheel = files.find((file) => file.endsWith(".whl")) ?? "";
    await rm(join(dir, "python", wheel));
    const { code, text } = await release("python");
    expect(code, text).to.equal(0);
    expect(await readdir(join(dir, "python"))).to.have.members(files);
  });

  it("changes nothing when it is run again", async () => {
    const before = await published();
    const { code, text } = await release("draft", "npm", "python", "announce");
    expect(code, text).to.equal(0);
    expect(await published()).to.deep.equal(before);
  });

  for (const [step, folder, pattern] of [
    ["npm", "dist/release", /\.tgz$/],
    ["python", "dist/release", /\.whl$/],
    ["draft", "dist/packages", /linux-amd64/],
  ] as const)
    it(`refuses in the step ${step} what is published with other content`, async () => {
      const names = await readdir(join(REPOSITORY, folder));
      const file = join(REPOSITORY, folder, names.find((name) => pattern.test(name)) ?? "");
      const content = await readFile(file);
      const before = await published();
      try {
        await writeFile(file, Buffer.concat([content, Buffer.from([0])]));
        const { code, text } = await release(step);
        expect(code, text).to.equal(1);
        expect(text).to.match(/with other content|do not match/);
      } finally {
        await writeFile(file, content);
      }
      expect(await published()).to.deep.equal(before);
    });
});

async function filesOf(folder: string): Promise<Record<string, string>> {
  const names = await readdir(folder);
  const texts = names.map(async (name) => [name, await readFile(join(folder, name), "base64")]);
  return Object.fromEntries(await Promise.all(texts));
}

const VERDACCIO = "6.8.0";
const PYPISERVER = "2.4.2";

/** A registry of packages on loopback. */
interface Registry {
  /** The variables with which its clients publish to it and install from it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
}

/** Starts a registry of npm packages. What it does not have it takes from the user's own registry. */
async function startNpmRegistry(dir: string): Promise<Registry> {
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
  return { environment: { npm_config_userconfig: npmrc }, close: () => end(server) };
}

/** Starts an index of Python packages. It redirects to PyPI for what it does not have. */
async function startPythonIndex(dir: string, port: number): Promise<Registry> {
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
  return { environment: pythonEnvironment(port), close: () => end(server) };
}

/** With these uv publishes to an index on this port, and needs no more than any name. */
function pythonEnvironment(port: number): Readonly<Record<string, string>> {
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

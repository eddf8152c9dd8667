import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { type Running, start, until } from "../../scripts/processes";
import { REPOSITORY } from "../../scripts/project";
import { aFreePort } from "../local/free-port";
import { cached } from "../support/cached";
import { describeLong } from "../support/tiers";

const run = promisify(execFile);
const PACKAGES = join(REPOSITORY, "dist/release");
const ARCHIVES = join(REPOSITORY, "dist/packages");
const PUBLISH = ["draft", "npm", "python", "announce"];

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
  let environment: NodeJS.ProcessEnv;
  let python: string;
  const servers: Running[] = [];

  const release = (...steps: string[]) => {
    const args = [join(REPOSITORY, "scripts/release.mjs"), ...steps];
    return start(process.execPath, args, { cwd: dir, env: environment }).finished;
  };
  const released = async (...steps: string[]) => {
    const { code, text } = await release(...steps);
    expect(code, text).to.equal(0);
    return text;
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
  const serve = async (url: string, program: string, ...args: string[]) => {
    servers.push(start(program, args, { cwd: dir, env: process.env }));
    const answers = () =>
      fetch(url).then(
        ({ ok }) => ok,
        () => false,
      );
    await until(`an answer from ${url}`, answers);
  };

  before(async () => {
    dir = await mkdtemp(join(tmpdir(), "agentserver-release-"));
    for (const folder of ["bin", "github", "python"]) await mkdir(join(dir, folder));
    await writeFile(join(dir, "bin/gh"), GH, { mode: 0o755 });
    const npm = `http://127.0.0.1:${await aFreePort()}/`;
    python = `http://127.0.0.1:${await aFreePort()}/`;
    // npm sends nothing without a token, whatever it is.
    const npmrc = `registry=${npm}\n${npm.replace("http:", "")}:_authToken=anyone\n`;
    await writeFile(join(dir, "npmrc"), npmrc);
    environment = {
      ...process.env,
      PATH: [join(dir, "bin"), process.env["PATH"]].join(delimiter),
      GH_FOLDER: join(dir, "github"),
      npm_config_userconfig: join(dir, "npmrc"),
      UV_HTTP_RETRIES: "0",
      UV_PUBLISH_URL: python,
      UV_PUBLISH_CHECK_URL: `${python}simple/`,
      UV_PUBLISH_USERNAME: "anyone",
      UV_PUBLISH_PASSWORD: "anything",
    };
    const verdaccio = await installVerdaccio();
    await writeFile(join(dir, "verdaccio.yaml"), await verdaccioConfig(join(dir, "npm")));
    const args = ["--config", "verdaccio.yaml", "--listen", new URL(npm).host];
    await serve(`${npm}-/ping`, process.execPath, verdaccio, ...args);
    await released("archives", "build");
  });
  after(async () => {
    for (const server of servers) server.kill();
    await Promise.all(servers.map(({ finished }) => finished));
    await rm(dir, { recursive: true, force: true });
  });

  it("builds the same bytes again", async () => {
    const built = async () => [
      await readFile(join(ARCHIVES, "SHA256SUMS"), "utf8"),
      ...(await Promise.all(
        (await readdir(PACKAGES)).map((name) => readFile(join(PACKAGES, name), "base64")),
      )),
    ];
    const first = await built();
    await released("archives", "build");
    expect(await built()).to.deep.equal(first);
  });

  it("breaks where the Python index does not answer, goes on when it does, and then changes nothing", async () => {
    const { code, text } = await release(...PUBLISH);
    expect(code, text).to.equal(1);
    expect(text).to.contain("published pulumi-agentserver");
    const place = ["-i", "127.0.0.1", "-p", new URL(python).port, "-P", ".", "-a", "."];
    const program = join(await installPypiserver(), "bin/python");
    await serve(`${python}simple/`, program, "-m", "pypiserver", "run", ...place, "python");
    expect(await released(...PUBLISH))
      .to.contain("has every archive already")
      .and.contain("is published already");
    expect(await readdir(join(dir, "python"))).to.have.length(2);
    expect(await readFile(join(dir, "github/notes"), "utf8")).to.match(/^- /);
    const before = await published();
    await released(...PUBLISH);
    expect(await published()).to.deep.equal(before);
  });

  for (const [step, folder, pattern] of [
    ["npm", PACKAGES, /\.tgz$/],
    ["python", PACKAGES, /\.whl$/],
    ["draft", ARCHIVES, /linux-amd64/],
  ] as const)
    it(`refuses in the step ${step} what is published with other content`, async () => {
      const names = await readdir(folder);
      const file = join(folder, names.find((name) => pattern.test(name)) ?? "");
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

const VERDACCIO = "6.8.0";
const PYPISERVER = "2.4.2";

/** Installs a registry of npm packages; its program. */
async function installVerdaccio(): Promise<string> {
  const home = await cached(`verdaccio-${VERDACCIO}`, async (folder) => {
    const dependencies = { verdaccio: VERDACCIO };
    // One of its packages asks for a tag that some mirrors don't have.
    const overrides = { "node-fetch": "2.7.0" };
    const text = JSON.stringify({ private: true, dependencies, overrides });
    await writeFile(join(folder, "package.json"), text);
    const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund"];
    await run("npm", args, { cwd: folder });
  });
  return join(home, "node_modules/verdaccio/bin/verdaccio");
}

/** What that registry does not have it takes from the user's own registry. */
async function verdaccioConfig(storage: string): Promise<string> {
  const { stdout } = await run("npm", ["config", "get", "registry"]);
  const anyone = { access: "$all", publish: "$all", unpublish: "$all" };
  return JSON.stringify({
    storage,
    uplinks: { user: { url: stdout.trim() } },
    packages: { "pulumi-agentserver": anyone, "**": { ...anyone, proxy: "user" } },
    log: { type: "stdout", level: "error" },
    max_body_size: "100mb",
  });
}

/** Installs an index of Python packages, which redirects to PyPI for what it does not have; its virtual environment. */
function installPypiserver(): Promise<string> {
  return cached(`pypiserver-${PYPISERVER}`, async (folder) => {
    await run("python3", ["-m", "venv", folder]);
    const python = join(folder, "bin/python");
    await run(python, ["-m", "pip", "install", "--quiet", `pypiserver==${PYPISERVER}`]);
  });
}

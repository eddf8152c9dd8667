import { once } from "node:events";
import { createReadStream, readFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm } from "node:fs/promises";
import { stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { expect } from "chai";
import { start } from "../../scripts/processes";
import { REPOSITORY } from "../../scripts/project";
import { aFreePort } from "../local/free-port";
import { pythonEnvironment, type Registry, startNpmRegistry } from "../support/registries";
import { startPythonIndex } from "../support/registries";
import { describeLong, runs } from "../support/tiers";

const { version }: { readonly version: string } = JSON.parse(
  readFileSync(join(REPOSITORY, "package.json"), "utf8"),
);

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

  it("has published what a new user needs for two environments and a program in Python", async function () {
    if (!runs("nightly")) this.skip();
    const archives = createServer((request, response) => {
      const file = createReadStream(join(REPOSITORY, "dist/packages", String(request.url)));
      file.once("error", () => response.writeHead(404).end()).pipe(response);
    }).listen(0, "127.0.0.1");
    await once(archives, "listening");
    const address = archives.address();
    if (address === null || typeof address === "string") throw new Error("it has no port");
    const cli = dirname(await realpath(join(REPOSITORY, "node_modules/.bin/pulumi")));
    const cwd = join(dir, "new-user");
    await mkdir(cwd);
    const env = {
      ...process.env,
      ...npm.environment,
      ARCHIVES: `http://127.0.0.1:${address.port}`,
      EXAMPLES: join(REPOSITORY, "examples"),
      PATH: [cli, process.env["PATH"]].join(delimiter),
      PIP_INDEX_URL: `http://127.0.0.1:${port}/simple/`,
      PULUMI_HOME: join(dir, ".pulumi"),
      PULUMI_SKIP_UPDATE_CHECK: "true",
      VERSION: version,
    };
    const script = join(REPOSITORY, "tests/scripts/new-user.sh");
    const { code, text } = await start("bash", ["-v", script], { cwd, env }).finished;
    archives.close();
    expect(code, text).to.equal(0);
    expect(text.match(/"variables":\["LOG_LEVEL","MODEL_API_KEY"\]/g)).to.have.length(3);
    expect(text.match(/\+ 2 created/g), text).to.have.length(3);
    expect(text.match(/- 2 deleted/g), text).to.have.length(3);
    const lock = await readFile(join(cwd, "shop/package-lock.json"), "utf8");
    expect(lock).to.contain(`"resolved": "${npm.url}pulumi-agentserver/`);
  });
});

async function filesOf(folder: string): Promise<Record<string, string>> {
  const names = await readdir(folder);
  const texts = names.map(async (name) => [name, await readFile(join(folder, name), "base64")]);
  return Object.fromEntries(await Promise.all(texts));
}

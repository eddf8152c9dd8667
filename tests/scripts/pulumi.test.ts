import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { z } from "zod";
import { until } from "../local/children";
import { Clone } from "./clone";
import { isAlive } from "./processes";

describe("scripts/setup.mjs, the Pulumi CLI", () => {
  const companions = ["pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"];
  const fits = `console.log("v3.274.1");`;
  let clone: Clone;

  /** An installation of the CLI on the made-up machine, as Pulumi's installer leaves it. Returns its folder. */
  function installed(name: string, version: string): string {
    const folder = join(clone.folder, name);
    clone.tool("pulumi", `console.log(${JSON.stringify(version)})`, folder);
    for (const companion of companions) clone.tool(companion, "", folder);
    return folder;
  }
  const provided = () => readlinkSync(join(clone.root, "node_modules/.bin/pulumi"));
  const homeContent = () => readdirSync(dirname(clone.cli)).toSorted();

  before(() => {
    clone = new Clone();
  });
  beforeEach(() => {
    rmSync(clone.pulumiHome, { recursive: true, force: true });
    rmSync(join(clone.tools, "go"), { force: true });
    clone.installer(`throw new Error("no way to get.pulumi.com");`);
  });
  after(() => clone.remove());

  it("is taken from PATH if its version fits", async () => {
    const folder = installed("path", "v3.217.0");
    expect((await clone.setUp(folder)).code).to.equal(0);
    expect(provided()).to.equal(join(folder, "pulumi"));
  });

  it("is not one on PATH that is too old, too new, of no version, or npm's", async () => {
    const unfit = [
      installed("old", "v3.216.9"),
      installed("older", "v2.300.0"),
      installed("new", "v4.0.0"),
      installed("none", "no version"),
      installed("npx/node_modules/.bin", "v3.274.1"),
    ];
    const last = installed("last", "v3.300.1-alpha.7+dirty");
    await clone.setUp(...unfit, last);
    expect(provided()).to.equal(join(last, "pulumi"));
  });

  it("is not one on PATH without what it starts for a program in TypeScript", async () => {
    const incomplete = join(clone.folder, "incomplete");
    const cli = clone.tool("pulumi", fits, incomplete);
    const { output } = await clone.setUp(incomplete);
    expect(output).to.include(`${cli} has no pulumi-language-nodejs beside it or on PATH`);
  });

  it("is taken from Pulumi's home before anything is installed, and gets what is missing beside it", async () => {
    clone.tool("pulumi", fits, dirname(clone.cli));
    expect((await clone.setUp()).code).to.equal(0);
    expect(provided()).to.equal(clone.cli);
    expect(homeContent()).to.deep.equal(["language-host.mjs", "pulumi", ...companions]);
    expect((await clone.setUp()).output).to.equal("");
  });

  it("keeps the language host that it came with", async () => {
    clone.tool("pulumi", fits, dirname(clone.cli));
    const host = clone.tool("pulumi-language-nodejs", "// Pulumi's own", dirname(clone.cli));
    await clone.setUp();
    expect(readFileSync(host, "utf8")).to.include("// Pulumi's own");
    expect(homeContent()).to.deep.equal(["pulumi", ...companions]);
  });

  it("gets the stand-in of this version in place of an older one", async () => {
    clone.tool("pulumi", fits, dirname(clone.cli));
    for (const name of ["pulumi-language-nodejs", "language-host.mjs"])
      clone.tool(name, "// older", dirname(clone.cli));
    await clone.setUp();
    for (const name of ["pulumi-language-nodejs", "language-host.mjs"])
      expect(readFileSync(join(dirname(clone.cli), name), "utf8")).not.to.include("// older");
  });

  it("is installed by Pulumi's own installer", async () => {
    const official = JSON.stringify(installed("official", "v3.274.1"));
    clone.installer(`require("node:fs").cpSync(${official}, root + "/bin", { recursive: true });`);
    expect((await clone.setUp()).code).to.equal(0);
    expect(provided()).to.equal(clone.cli);
    expect(homeContent()).to.deep.equal(["pulumi", ...companions]);
  });

  it("is built from its Go module where the installer can't be reached, once for two set-ups", async () => {
    clone.tool(
      "go",
      `const { existsSync, appendFileSync, writeFileSync } = require("node:fs");
       const [command, ...args] = process.argv.slice(2);
       if (command === "build" && existsSync("go.sum")) {
         const target = args[args.indexOf("-o") + 1];
         require("node:fs").mkdirSync(require("node:path").dirname(target), { recursive: true });
         writeFileSync(target, ${JSON.stringify(`#!${process.execPath}\n${fits}`)}, { mode: 0o755 });
         appendFileSync(${JSON.stringify(join(clone.folder, "builds"))}, args.at(-1) + "\\n");
       }`,
    );
    const [one, other] = await Promise.all([clone.setUp(), clone.setUp()]);
    expect([one.code, other.code]).to.deep.equal([0, 0]);
    expect(provided()).to.equal(clone.cli);
    expect(homeContent()).to.deep.equal(["language-host.mjs", "pulumi", ...companions]);
    expect(readFileSync(join(clone.folder, "builds"), "utf8")).to.equal(
      "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi\n",
    );
  });

  /** A program that says that it has started and does not end by itself. */
  const endless = () =>
    `require("node:fs").writeFileSync(${JSON.stringify(join(clone.folder, "started"))}, String(process.pid));
     setInterval(() => {}, 1000);`;

  /** Runs the set-up and signals it to stop as soon as the endless program has started. Returns its output. */
  async function interruptedSetUp(): Promise<string> {
    const started = join(clone.folder, "started");
    rmSync(started, { force: true });
    const env = clone.environment();
    const setUp = spawn(process.execPath, ["scripts/setup.mjs"], { cwd: clone.root, env });
    const output: Buffer[] = [];
    setUp.stderr.on("data", (chunk: Buffer) => output.push(chunk));
    await until("the start", () => existsSync(started) && readFileSync(started, "utf8") !== "");
    setUp.kill("SIGTERM");
    expect(await once(setUp, "close")).to.deep.equal([1, null]);
    await until("its end", () => !isAlive(Number(readFileSync(started, "utf8"))));
    return Buffer.concat(output).toString();
  }

  it("leaves nothing behind when the build is interrupted", async () => {
    clone.tool("go", `if (process.argv[2] === "build") { ${endless()} }`);
    await interruptedSetUp();
    expect(readdirSync(clone.folder).filter((name) => name.includes("setup"))).to.deep.equal([]);
    expect(readdirSync(dirname(dirname(clone.cli)))).to.deep.equal([]);
  });

  it("is not got in another way when the installer is interrupted", async () => {
    clone.installer(`${endless()} await new Promise(() => {});`);
    expect(await interruptedSetUp()).to.match(/failed: interrupted\n$/);
  });

  it("says what was tried and where to get it when there is no way", async () => {
    const { code, output } = await clone.setUp(installed("old", "v3.216.9"));
    expect(output.split("\n").slice(-7, -1)).to.deep.equal([
      "Providing the Pulumi CLI 3.274.1 failed: none could be found or installed:",
      `  pulumi on PATH: ${join(clone.folder, "old/pulumi")} is 3.216.9, not >=3.217.0 <4`,
      `  ${dirname(clone.cli)}: not there`,
      "  Pulumi's own installer: no way to get.pulumi.com",
      "  a build from Pulumi's Go module: go is not installed",
      "Install it as https://www.pulumi.com/docs/install/ says, then run this again.",
    ]);
    expect(code).to.equal(1);
  });
});

describe("the versions of Pulumi", () => {
  const { devDependencies, peerDependencies } = z
    .object({
      devDependencies: z.record(z.string(), z.string()),
      peerDependencies: z.record(z.string(), z.string()),
    })
    .parse(JSON.parse(readFileSync("package.json", "utf8")));
  const SDK = "@pulumi/pulumi";
  const moduleIn = (folder: string) =>
    /pulumi\/pkg\/v3 v(\S+)/.exec(readFileSync(`scripts/pulumi-cli/${folder}go.mod`, "utf8"))?.[1];

  it("are the newest that are served, of the CLI and of the SDK", () => {
    expect([moduleIn(""), devDependencies[SDK]]).to.deep.equal(["3.274.1", "3.270.0"]);
  });

  it("begin with the oldest that is promised, whose CLI is served", () => {
    expect(peerDependencies[SDK]).to.equal(">=3.217.0 <4");
    expect(moduleIn("oldest/")).to.equal("3.217.1");
  });
});

import { readFileSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { Clone } from "./clone";

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

  it("is taken from Pulumi's home before anything is installed, and gets what is missing beside it", async () => {
    clone.tool("pulumi", fits, dirname(clone.cli));
    expect((await clone.setUp()).code).to.equal(0);
    expect(provided()).to.equal(clone.cli);
    expect(homeContent()).to.deep.equal(["language-host.mjs", "pulumi", ...companions]);
    expect((await clone.setUp()).output).to.equal("");
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

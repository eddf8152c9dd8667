import { readFileSync, readlinkSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { Clone } from "./clone";

describe("scripts/setup.mjs", () => {
  let clone: Clone;
  const inClone = (path: string) => join(clone.root, path);

  before(async () => {
    clone = new Clone();
    clone.tool("pulumi", `console.log("v3.274.1")`, dirname(clone.cli));
    await clone.setUp();
  });
  after(() => clone.remove());

  it("says nothing when all is in place", async () => {
    expect(await clone.setUp()).to.deep.equal({ code: 0, output: "" });
  });

  it("builds again after a change of what the page and the native provider have beside their sources, and only then", async () => {
    clone.write("local/page/assets/page.css", "body { color: red }\n");
    clone.writeJson("provider/adapters/native/schema.json", { name: "other" });
    expect((await clone.setUp()).output).to.include("Compiling: done");
    const built = (path: string) => readFileSync(inClone(`dist/${path}`), "utf8");
    expect(built("local/page/assets/page.css")).to.equal("body { color: red }\n");
    expect(built("plugin/schema.json")).to.equal(`{"name":"other"}`);
    expect(await clone.setUp()).to.deep.equal({ code: 0, output: "" });
  });

  it("fails again, with the compiler's words, until the sources compile", async () => {
    clone.write("cli/main.ts", `export const port: number = "8123";\n`);
    for (const run of [await clone.setUp(), await clone.setUp()]) {
      expect(run.output).to.include("cli/main.ts(1,14): error TS2322");
      expect(run.code).to.equal(1);
    }
    clone.write("cli/main.ts", "export const port = 8123;\n");
    expect((await clone.setUp()).code).to.equal(0);
  });

  it("waits for another set-up, and skips what that one has done", async () => {
    clone.write("cli/main.ts", "export const port = 8124;\n");
    const [one, other] = await Promise.all([clone.setUp(), clone.setUp()]);
    expect([one.code, other.code]).to.deep.equal([0, 0]);
    expect((one.output + other.output).match(/Compiling: done/g)).to.have.length(1);
  });

  describe("the Pulumi CLI", () => {
    const companions = ["pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"];
    const provided = () => readlinkSync(inClone("node_modules/.bin/pulumi"));
    /** An installation of the CLI on the made-up machine, as Pulumi's installer leaves it. Returns its folder. */
    const installed = (name: string, version: string): string => {
      const folder = join(clone.folder, name);
      clone.tool("pulumi", `console.log(${JSON.stringify(version)})`, folder);
      for (const companion of companions) clone.tool(companion, "", folder);
      return folder;
    };
    beforeEach(() => rmSync(clone.pulumiHome, { recursive: true, force: true }));

    it("is taken from PATH, but none that is too old, too new, of no version, or npm's", async () => {
      const unfit = [
        installed("old", "v3.216.9"),
        installed("new", "v4.0.0"),
        installed("none", "no version"),
        installed("npx/node_modules/.bin", "v3.274.1"),
      ];
      for (const version of ["v3.217.0", "v3.300.1-alpha.7+dirty"]) {
        const last = installed("last", version);
        expect((await clone.setUp(...unfit, last)).code).to.equal(0);
        expect(provided()).to.equal(join(last, "pulumi"));
      }
    });

    it("is taken from Pulumi's home before anything is installed, or gets there by Pulumi's own installer", async () => {
      clone.tool("pulumi", `console.log("v3.274.1");`, dirname(clone.cli));
      expect((await clone.setUp()).code).to.equal(0);
      expect(provided()).to.equal(clone.cli);
      rmSync(clone.pulumiHome, { recursive: true });
      const official = JSON.stringify(installed("official", "v3.274.1"));
      clone.installer(
        `require("node:fs").cpSync(${official}, root + "/bin", { recursive: true });`,
      );
      expect((await clone.setUp()).code).to.equal(0);
      expect(provided()).to.equal(clone.cli);
    });

    it("is asked for where there is no way to one, with what was tried", async () => {
      clone.installer(`throw new Error("no way to get.pulumi.com");`);
      const { code, output } = await clone.setUp(installed("old", "v3.216.9"));
      expect(code).to.equal(1);
      for (const tried of [
        `  pulumi on PATH: ${join(clone.folder, "old/pulumi")} is 3.216.9, not >=3.217.0 <4`,
        "  Pulumi's own installer: no way to get.pulumi.com",
        "Install it as https://www.pulumi.com/docs/install/ says, then run this again.",
      ])
        expect(output).to.contain(tried);
    });
  });
});

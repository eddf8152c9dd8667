import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  accessSync,
  constants,
  existsSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { userInfo } from "node:os";
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

  it("makes the command line executable", () => {
    accessSync(inClone("dist/cli/main.js"), constants.X_OK);
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

  describe("with a Node that is older than package.json allows", () => {
    const wanted = `Node ${process.versions.node} is older than 99.1: providing 22.23.3 for this clone`;
    const bin = () => join(clone.folder, ".cache/pulumi-agentserver/node-22.23.3/bin");

    before(() => clone.writeJson("package.json", { engines: { node: ">=99.1" } }));
    after(() => {
      clone.writeJson("package.json", { engines: { node: ">=22.12" } });
      rmSync(inClone("node_modules/.bin/node"));
      rmSync(join(clone.tools, "npm"));
    });

    it("says which one is needed and where to get it when the registry has none that starts", async () => {
      clone.tool("npm", `console.error("npm error 404 Not Found"); process.exit(1);`);
      const { code, output } = await clone.setUp();
      expect(output).to.equal(
        `${wanted} …\n${wanted} failed: npm error 404 Not Found. Install Node 99.1 or newer: https://nodejs.org\n`,
      );
      expect(code).to.equal(1);
      expect(existsSync(bin())).to.equal(false);
    });

    it("provides the one of the lock file for npm scripts, once", async () => {
      clone.tool(
        "npm",
        `const { appendFileSync, cpSync, mkdirSync, readFileSync } = require("node:fs");
         appendFileSync(${JSON.stringify(join(clone.folder, "npm.log"))}, process.argv[2] + "\\n");
         readFileSync("package-lock.json");
         const folder = \`node_modules/node-\${process.platform}-\${process.arch}/bin\`;
         mkdirSync(folder, { recursive: true });
         cpSync(process.execPath, folder + "/node");`,
      );
      expect((await clone.setUp()).output).to.include(`${wanted}: done in`);
      expect(readlinkSync(inClone("node_modules/.bin/node"))).to.equal(join(bin(), "node"));
      expect(await clone.setUp()).to.deep.equal({ code: 0, output: "" });
      rmSync(inClone("node_modules/.bin/node"));
      expect((await clone.setUp()).output).to.include(`${wanted}: done in`);
      expect(readFileSync(join(clone.folder, "npm.log"), "utf8")).to.equal("ci\n");
    });
  });

  it("installs the packages when package-lock.json names others than those present, and only then", async () => {
    clone.writeJson("package-lock.json", {
      packages: {
        "": {},
        "node_modules/one": { version: "1.0.0", integrity: "sha512-one" },
        "node_modules/for-another-platform": { version: "1.0.0", optional: true },
      },
    });
    const present = {
      packages: { "node_modules/one": { version: "1.0.0", integrity: "sha512-one" } },
    };
    clone.tool(
      "npm",
      `require("node:fs").appendFileSync("npm.log", process.argv[2] + "\\n");
       require("node:fs").writeFileSync("node_modules/.package-lock.json", ${JSON.stringify(JSON.stringify(present))});`,
    );
    expect((await clone.setUp()).output).to.include("Installing packages");
    expect((await clone.setUp()).output).to.equal("");
    expect(readFileSync(inClone("npm.log"), "utf8")).to.equal("ci\n");
  });

  it("leaves no output of a source that is gone", async () => {
    clone.write("cli/old.ts", "export const old = 1;\n");
    await clone.setUp();
    expect(existsSync(inClone("dist/cli/old.js"))).to.equal(true);
    rmSync(inClone("cli/old.ts"));
    await clone.setUp();
    expect(existsSync(inClone("dist/cli/old.js"))).to.equal(false);
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

  it("is not held up by the lock of a process that is gone", async () => {
    const gone = spawn(process.execPath, ["-e", ""]);
    await once(gone, "exit");
    const lock = join(clone.folder, `pulumi-agentserver-setup-${userInfo().uid}`);
    symlinkSync(`${gone.pid}`, lock);
    clone.write("cli/main.ts", "export const port = 8125;\n");
    expect((await clone.setUp()).code).to.equal(0);
    expect(() => readlinkSync(lock)).to.throw("ENOENT");
  });
});

import { execFile } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect } from "chai";
import { Clone, type Ending } from "./clone";

describe("scripts/test.mjs", () => {
  let clone: Clone;
  before(() => {
    clone = new Clone();
    symlinkSync(resolve("node_modules/mocha"), join(clone.root, "node_modules/mocha"));
    clone.write("dist/tests/sdk/one.test.js", `it("is of the units", () => {});`);
    clone.write("dist/tests/engine/two.test.js", `it("is of the engine", () => {});`);
    clone.write("scripts/check.mjs", `console.log("a check ran"); process.exitCode = 1;`);
  });
  after(() => clone.remove());

  const test = (...args: string[]): Promise<Ending> =>
    new Promise((done) => {
      const options = { cwd: clone.root, env: clone.environment() };
      const child = execFile(
        process.execPath,
        ["scripts/test.mjs", ...args],
        options,
        (_, stdout, stderr) => done({ code: child.exitCode ?? -1, output: stdout + stderr }),
      );
    });

  const [check, unit, engine] = ["a check ran", "is of the units", "is of the engine"];
  for (const { title, args, runs, code } of [
    { title: "everything", args: [], runs: [check, unit, engine], code: 1 },
    { title: "the units", args: ["--unit"], runs: [unit], code: 0 },
    {
      title: "one file without a CLI",
      args: ["--unit", "tests/engine/two.test.ts"],
      runs: [engine],
      code: 0,
    },
    { title: "one file", args: ["tests/engine/two.test.ts"], runs: [engine], code: 0 },
  ])
    it(`runs ${title}, and fails when a part of it does`, async () => {
      const ending = await test(...args);
      expect([check, unit, engine].filter((name) => ending.output.includes(name))).to.deep.equal(
        runs,
      );
      expect(ending.code).to.equal(code);
    });
});

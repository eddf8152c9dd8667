import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { expect } from "chai";

const LONG = "scripts/bench.test";
const TESTS = readFileSync(`tests/${LONG}.ts`, "utf8").match(/^ +it\(/gm)?.length;

/** The last lines of a run of nothing but the tests of the long tier that `LONG` holds. */
async function lastLines(args: readonly string[], changes: NodeJS.ProcessEnv = {}) {
  const env = { ...process.env, CI: undefined, AGENTSERVER_TESTS: undefined, ...changes };
  const { stdout } = await promisify(execFile)(process.execPath, [...args], { env });
  return stdout.trim().split("\n").slice(-3);
}

describe("the long tier of the tests", () => {
  const mocha = ["node_modules/mocha/bin/mocha.js", `dist/tests/${LONG}.js`];
  const dry = ["--dry-run", "--no-parallel"];

  for (const parallel of ["--parallel", "--no-parallel"])
    it(`is counted as skipped, and how to run it is said: ${parallel}`, async () => {
      expect(await lastLines([...mocha, parallel])).to.deep.equal([
        `NOT RUN: ${TESTS} tests of the long tier. \`npm run test:all\` runs them too, as does CI=true.`,
        "",
        `0 passed, 0 failed, ${TESTS} skipped`,
      ]);
    });

  for (const changes of [{ CI: "true" }, { AGENTSERVER_TESTS: "all" }])
    it(`runs with ${JSON.stringify(changes)}`, async () => {
      const last = await lastLines([...mocha, ...dry], changes);
      expect(last.at(-1)).to.equal(`${TESTS} passed, 0 failed`);
    });

  it("runs in a file that is named", async () => {
    const last = await lastLines(["scripts/test.mjs", `tests/${LONG}.ts`, ...dry]);
    expect(last.at(-1)).to.equal(`${TESTS} passed, 0 failed`);
  });
});

import { execFile, execFileSync } from "node:child_process";
import { promisify } from "node:util";

const check = "scripts/check.mjs";

describe("the sources", () => {
  const names = execFileSync(process.execPath, [check, "--list"], { encoding: "utf8" });
  for (const name of names.trim().split("\n"))
    it(`pass the check "${name}"`, () =>
      promisify(execFile)(process.execPath, [check, name]).catch((failed: { stdout: string }) => {
        throw new Error(failed.stdout);
      }));
});

import { expect } from "chai";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { REPOSITORY } from "../../../../scripts/project";
import { aFolder, removeFolder } from "../../../local/children";

/** It serves for good, and says when its stdin has ended, if it is still there. */
const SERVES = `require(${JSON.stringify(join(REPOSITORY, "dist/provider/lifecycle"))});
setInterval(() => {}, 1_000);
process.stdin.resume().on("end", () => setImmediate(() => console.log("stays")));
`;

describe("a process that has loaded the resources' lifecycles", () => {
  let folder = "";
  before(async () => void (folder = await aFolder()));
  after(() => removeFolder(folder));

  for (const [title, place, outcome] of [
    ["is Pulumi's of dynamic providers, and ends with the engine", "dynamic-provider", "ends"],
    ["is a program or a test, and goes on", "program", "stays"],
  ] as const)
    it(title, async () => {
      const script = join(folder, place, "index.js");
      await mkdir(join(folder, place));
      await writeFile(script, SERVES);
      const child = spawn(process.execPath, [script], { stdio: ["pipe", "pipe", "inherit"] });
      child.stdin.end();
      const ended = once(child, "exit");
      const first = await Promise.race([
        once(child.stdout, "data").then(([text]) => String(text).trim()),
        ended.then(([code]) => (code === 0 ? "ends" : `fails with ${code}`)),
      ]);
      child.kill();
      await ended;
      expect(first).to.equal(outcome);
    });
});

import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { processesWith, until } from "../local/children";

const BENCH = require.resolve("../../scripts/bench");

describe("npm run bench", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "agentserver-test-"));
  });
  afterEach(async () => {
    for (const pid of await processesWith(folder)) process.kill(pid, "SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });

  /** Starts it with its temporary files in the test's folder. */
  const start = (...args: string[]) => {
    const env = { ...process.env, TMPDIR: folder };
    const child = spawn(process.execPath, [BENCH, ...args], { env });
    const said = { output: "", errors: "" };
    child.stdout.on("data", (piece) => (said.output += String(piece)));
    child.stderr.on("data", (piece) => (said.errors += String(piece)));
    const code = new Promise<number | null>((resolve) => child.once("close", resolve));
    return { child, said, code };
  };

  it("tells what there is when a name is unknown", async () => {
    const { said, code } = start("platform", "sandwich");
    expect(await code).to.equal(2);
    expect(said.errors)
      .to.contain("there is no bench 'sandwich'")
      .and.match(/^ {2}platform /m);
  });

  it("tells how it is used", async () => {
    const { said, code } = start("--help");
    expect(await code).to.equal(0);
    expect(said.output).to.match(/^npm run bench \[-- NAME…\]/);
  });

  it("refuses an option it does not know", async () => {
    const { said, code } = start("--fast");
    expect(await code).to.equal(2);
    expect(said.errors).to.contain("--fast");
  });

  it("leaves nothing behind after Ctrl-C", async () => {
    const { child, said, code } = start("platform", "--json");
    await until("the second platform", () => said.errors.includes("10,000"));
    child.kill("SIGINT");
    expect(await code).to.equal(130);
    expect(said.errors).to.contain("stopped by SIGINT");
    expect(said.output).to.equal("");
    expect(readdirSync(folder)).to.deep.equal([]);
    expect(await processesWith(folder)).to.deep.equal([]);
  });
});

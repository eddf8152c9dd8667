import { expect } from "chai";
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { note, notesOfOthers } from "../../../provider/host/run";

/** A process of the run at that address, which has noted a line. */
async function aProcess(address: string, line: string) {
  const script = `
    require(${JSON.stringify(require.resolve("../../../provider/host/run"))}).note(${JSON.stringify(line)});
    process.stdout.write("noted");
    process.stdin.resume();`;
  const child = spawn(process.execPath, ["-e", script, "--", address], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  const end = async () => {
    child.stdin.end();
    await once(child, "exit");
  };
  return { end };
}

describe("what the provider processes of one run note for each other", () => {
  const here = process.argv.at(-1) ?? "";
  /** The processes in which tests run share an address too. */
  const mark = randomUUID();

  it("is seen by the others of the run until its end, and by no other run", async () => {
    const [neighbour, stranger] = await Promise.all([
      aProcess(here, `${mark} a neighbour's`),
      aProcess("127.0.0.1:1", `${mark} a stranger's`),
    ]);
    note(`${mark} their own`);
    expect(notesOfOthers(mark)).to.deep.equal([`${mark} a neighbour's`]);
    await Promise.all([neighbour.end(), stranger.end()]);
    expect(notesOfOthers(mark)).to.be.empty;
  });

  it("lies in a folder of the user alone", () => {
    note("private");
    const { mode } = statSync(join(tmpdir(), `pulumi-agentserver-${process.getuid?.()}`));
    expect(mode & 0o777).to.equal(0o700);
  });
});

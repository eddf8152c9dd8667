import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect } from "chai";
import { descendantsOf, memoryOf, waitedSecondsOf } from "../../../scripts/bench/proc";

describe("what /proc says of a process", () => {
  it("is its memory and how long it waited", async () => {
    const { rss, pss } = await memoryOf(process.pid);
    expect(rss).to.be.within(10, 2000);
    expect(pss).to.be.within(1, rss);
    expect(await waitedSecondsOf(process.pid)).to.be.within(0, process.uptime());
  });

  it("is which processes it has started, and which these have", async () => {
    const shell = spawn("/bin/sh", ["-c", "sleep 60 & echo $!; wait"]);
    const [line] = await once(shell.stdout, "data");
    const below = await descendantsOf(process.pid);
    expect(below).to.include.members([shell.pid, Number(line)]);
    expect(below).not.to.include(process.ppid);
    for (const pid of [Number(line), shell.pid ?? 0]) process.kill(pid);
  });

  it("is unknown memory and no waiting where there is no such process", async () => {
    const child = spawn(process.execPath, ["--version"]);
    await new Promise((resolve) => child.once("close", resolve));
    const pid = child.pid ?? 0;
    expect(await memoryOf(pid)).to.deep.equal({ rss: NaN, pss: NaN });
    expect(await waitedSecondsOf(pid)).to.equal(0);
  });
});

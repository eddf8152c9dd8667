import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect } from "chai";
import { endLeftovers, Keeper } from "../../../../../local/drivers/process/keeper/keeper";
import { ServerPool } from "../../../../../local/drivers/process/servers/server-pool";
import { standingClock } from "../../../../support/clock";
import { aFolder, removeFolder } from "../../../children";
import { aRevision, openGate, scriptedLauncher, type Mode } from "./scripted";

/**
 * A platform with nothing but a server pool: creates a thread on r1, then rolls over to r2, and prints every line of the log. It
 * stands still when r2 starts to serve, which is when a platform has stored it.
 */
const PLATFORM = `
const [folder, dataDir, modes] = process.argv.slice(1);
const load = (name) => require(folder + "/" + name);
const { aRevision, scriptedLauncher } = load("tests/local/drivers/process/servers/scripted");
const { ServerPool } = load("local/drivers/process/servers/server-pool");
const { standingClock } = load("tests/support/clock");
const { Keeper } = load("local/drivers/process/keeper/keeper");
const { traffic } = load("local/drivers/process/servers/requests");
const keeper = new Keeper(dataDir, 600);
const launcher = scriptedLauncher({ keeper, dataDir, modes: JSON.parse(modes) });
const pool = new ServerPool({ launcher, clock: standingClock(), drainSeconds: 600, maxServers: 3 });
const signal = new AbortController().signal;
const activate = () => {
  console.log("r2: takes over");
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
};
const deploy = (id) =>
  pool.deploy({ revision: aRevision(id), signal, log: (line) => console.log(id + ": " + line), ...(id === "r2" && { activate }) });
(async () => {
  await deploy("r1");
  const origin = await pool.origin("one");
  await fetch(origin + "/threads", { method: "POST" });
  if (modes.includes("busy")) traffic.track(origin);
  await deploy("r2");
})();`;

describe("a roll-over that ends with the platform's process, killed", () => {
  let dataDir: string;
  let keeper: Keeper;
  let pool: ServerPool;
  let platform: ChildProcess | undefined;

  beforeEach(async () => {
    dataDir = await aFolder();
  });
  afterEach(async () => {
    platform?.kill("SIGKILL");
    await pool.close();
    await keeper.close();
    await removeFolder(dataDir);
  });

  async function killAt(step: string, modes: Record<string, Mode | "busy">): Promise<void> {
    const root = join(__dirname, "../../../../..");
    const args = ["-e", PLATFORM, root, dataDir, JSON.stringify(modes)];
    platform = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    const exit = once(platform, "exit");
    if (!platform.stdout) throw new Error("the platform has no output");
    for await (const line of createInterface(platform.stdout)) if (line === step) break;
    platform.kill("SIGKILL");
    await exit;
    await openGate(dataDir, "r1");
    await endLeftovers(dataDir, 600);
  }
  /** The steps of a platform that starts with an active revision. */
  function restart(active: string): void {
    keeper = new Keeper(dataDir, 600);
    const launcher = scriptedLauncher({ keeper, dataDir });
    pool = new ServerPool({ launcher, clock: standingClock(), drainSeconds: 600, maxServers: 3 });
    pool.restore(aRevision(active));
  }
  const threads = async (): Promise<unknown> =>
    (await fetch(`${await pool.origin("one")}/threads`)).json();

  const DRAINS =
    "r2: draining the old server: new requests wait, running ones have 600 s to finish";
  for (const [step, modes] of [
    ["r2: read 0", { r2: "starts late" }],
    [DRAINS, { r3: "busy" }],
    ["r1: asked to end", { r1: "ends late" }],
    ["r2: read 1", { r2: "starts late on threads" }],
  ] as const)
    it(`loses no thread of the old revision, and the new one gets all of them: at "${step}"`, async () => {
      await killAt(step, modes);
      restart("r1");
      expect(await threads()).to.deep.equal([{ id: 0, by: "r1" }]);
      const log: string[] = [];
      const { signal } = new AbortController();
      await pool.deploy({ revision: aRevision("r2"), signal, log: (line) => log.push(line) });
      expect(log.filter((line) => line.startsWith("read"))).to.deep.equal(["read 0", "read 1"]);
      expect(await threads()).to.deep.equal([{ id: 0, by: "r1" }]);
    });

  it("leaves all threads to the new revision when that has just started to serve", async () => {
    await killAt("r2: takes over", {});
    restart("r2");
    expect(await threads()).to.deep.equal([{ id: 0, by: "r1" }]);
  });
});

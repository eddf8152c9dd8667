import { setImmediate } from "node:timers/promises";
import { expect } from "chai";
import { Keeper } from "../../../../../local/drivers/process/keeper/keeper";
import { ServerPool } from "../../../../../local/drivers/process/servers/server-pool";
import { standingClock } from "../../../../support/clock";
import { aFolder, removeFolder, until } from "../../../children";
import { aRevision } from "./scripted";
import { openGate, statefulLauncher, type StatefulMode } from "./stateful";

describe("Deployments that share the place of one server", () => {
  let dataDir: string;
  let keeper: Keeper;
  let pool: ServerPool;
  let modes: Record<string, StatefulMode>;
  let formats: Record<string, null>;
  let log: string[];

  beforeEach(async () => {
    dataDir = await aFolder();
    keeper = new Keeper(dataDir, 600); // ended by force, a server has not written its threads
    [modes, formats, log] = [{}, {}, []];
    pool = new ServerPool({
      clock: standingClock(),
      maxServers: 1,
      drainSeconds: 600,
      launcher: statefulLauncher({
        keeper,
        dataDir,
        modes,
        formats,
        write: ({ id }, line) => void log.push(`${id}: ${line}`),
      }),
    });
  });
  afterEach(async () => {
    for (const id of Object.keys(modes)) await openGate(dataDir, id);
    await pool.close();
    await keeper.close();
    await removeFolder(dataDir);
  });

  const deploy = (id: string, deploymentId = "one") =>
    pool.deploy({
      revision: aRevision(id, deploymentId),
      signal: new AbortController().signal,
      log: (line) => log.push(`${id}: ${line}`),
    });
  const post = async (deploymentId: string) =>
    fetch(`${await pool.origin(deploymentId)}/threads`, { method: "POST" });
  const untilLog = (line: string) => until(line, () => log.includes(line));
  /** Another deployment asks for the place; resolves with its origin. */
  async function ask(deploymentId: string): Promise<string> {
    pool.restore(aRevision(`${deploymentId}-1`, deploymentId));
    return pool.origin(deploymentId);
  }

  it("answer all when a hand-over fails while another one waits", async () => {
    Object.assign(modes, { r1: "ends late", r2: "dies on threads" });
    await deploy("r1");
    await post("one");
    const deploying = deploy("r2").catch(() => "failed");
    await untilLog("r1: asked to end");
    const other = ask("two");
    await openGate(dataDir, "r1");
    expect(await deploying).to.equal("failed");
    expect(await pool.origin("one")).to.match(/^http/);
    expect(await other).to.match(/^http/);
  });

  it("answer all when a revision is deployed during a start while another one waits", async () => {
    modes["r1"] = "starts late";
    Object.assign(formats, { r1: null, r2: null });
    pool.restore(aRevision("r1"));
    const first = pool.origin("one");
    await untilLog("r1: read 0");
    const other = ask("two");
    await setImmediate(); // it is the first to wait
    const deploying = deploy("r2");
    await openGate(dataDir, "r1");
    await deploying;
    expect(await first).to.match(/^http/);
    expect(await other).to.match(/^http/);
  });

  it("lose no place to one that is removed while it waits", async () => {
    modes["r1"] = "ends late";
    await deploy("r1");
    const removed = ask("two").catch((error: unknown) => String(error));
    await untilLog("r1: asked to end");
    const removing = pool.remove("two");
    await openGate(dataDir, "r1");
    await removing;
    expect(await removed).to.contain("the deployment is shutting down");
    expect(await ask("three")).to.match(/^http/);
  });
});

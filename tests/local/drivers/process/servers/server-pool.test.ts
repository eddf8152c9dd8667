import { expect } from "chai";
import { z } from "zod";
import type { PlatformClock } from "../../../../../local/platform/clock";
import { ServerUnavailable } from "../../../../../local/drivers/driver";
import { Keeper } from "../../../../../local/drivers/process/keeper/keeper";
import { ServerPool } from "../../../../../local/drivers/process/servers/server-pool";
import type { Server } from "../../../../../local/drivers/process/servers/server";
import { traffic } from "../../../../../local/drivers/process/servers/requests";
import { standingClock } from "../../../../support/clock";
import { aFolder, removeFolder, until } from "../../../children";
import { openFront, type Front } from "../../../front";
import { aRevision, startScripted, type Mode } from "./scripted";

const Info = z.object({ revision: z.string(), pid: z.number() });

describe("ServerPool", () => {
  let dataDir: string;
  let keeper: Keeper;
  let clock: PlatformClock;
  let pool: ServerPool;
  let front: Front;
  let modes: Record<string, Mode>;
  let started: string[];
  let log: string[];
  let running: number;
  let mostRunning: number;

  beforeEach(async () => {
    dataDir = await aFolder();
    keeper = new Keeper(dataDir, 0.2);
    clock = standingClock();
    [modes, started, log, running, mostRunning] = [{}, [], [], 0, 0];
    pool = makePool(2);
    front = await openFront((name) => pool.origin(name));
  });
  afterEach(async () => {
    front.close();
    await pool.close();
    await keeper.close();
    await removeFolder(dataDir);
  });

  function makePool(maxServers: number, drainSeconds = 600): ServerPool {
    return new ServerPool({
      clock,
      maxServers,
      drainSeconds,
      launcher: {
        start: async (revision, signal, write) => {
          started.push(revision.id);
          mostRunning = Math.max(mostRunning, ++running);
          const mode = modes[revision.id] ?? "";
          const server = startScripted({
            keeper,
            revisionId: revision.id,
            mode,
            signal,
            ...(write && { log: write }),
          });
          void server
            .then((value: Server) => value.ended)
            .catch(() => {})
            .finally(() => running--);
          return server;
        },
        stateFolder: async () => undefined,
      },
    });
  }
  const deploy = (id: string, deploymentId = "one", signal = new AbortController().signal) =>
    pool.deploy({ revision: aRevision(id, deploymentId), signal, log: (line) => log.push(line) });
  const ask = (path: string, deploymentId = "one") => fetch(`${front.url}/${deploymentId}${path}`);
  const info = async (deploymentId = "one") =>
    Info.parse(await (await ask("/info", deploymentId)).json());
  const revisionOf = async (deploymentId = "one") => (await info(deploymentId)).revision;

  async function unavailable(deploymentId = "one"): Promise<ServerUnavailable> {
    const error = await pool.origin(deploymentId).catch((reason: unknown) => reason);
    if (!(error instanceof ServerUnavailable)) throw new Error(`is available: ${String(error)}`);
    return error;
  }
  /** Makes a request that runs until it is released. */
  async function hold() {
    const origin = await pool.origin("one");
    const answer = ask("/held");
    await until("the request to run", () => traffic.count(origin) === 1);
    return { answer, release: () => fetch(`${origin}/release`) };
  }
  async function crash(): Promise<void> {
    await ask("/crash");
    await until("the crash to be noticed", async () =>
      pool.origin("one").then(
        () => false,
        () => true,
      ),
    );
  }

  describe("origin", () => {
    it("starts a restored revision at the first request, once for all who ask", async () => {
      pool.restore(aRevision("r1"));
      expect(started).to.deep.equal([]);
      const revisions = await Promise.all([revisionOf(), revisionOf(), revisionOf()]);
      expect(revisions).to.deep.equal(["r1", "r1", "r1"]);
      expect(started).to.deep.equal(["r1"]);
    });

    it("says that nothing runs yet, also while the first revision starts or when it failed", async () => {
      const reason = "no revision of this deployment is deployed yet";
      expect(await unavailable()).to.have.property("message", reason);
      modes = { r1: "dies" };
      const deploying = deploy("r1").catch(() => {});
      expect(await unavailable()).to.have.property("message", reason);
      await deploying;
      expect(await unavailable()).to.have.property("message", reason);
    });
  });

  describe("deploy", () => {
    it("lets running requests of the old server finish, then ends it", async () => {
      await deploy("r1");
      const { pid } = await info();
      const { answer, release } = await hold();
      await deploy("r2");
      expect(await revisionOf()).to.equal("r2");
      await release();
      expect(await (await answer).json()).to.deep.equal({ revision: "r1", pid });
      await until("one to run", () => running === 1);
    });

    it("refuses no request while revisions roll over", async () => {
      await deploy("r0");
      const rolling = new AbortController();
      const statuses = new Set<number>();
      const callers = [1, 2, 3, 4].map(async () => {
        while (!rolling.signal.aborted) {
          const answer = await ask("/info");
          statuses.add(answer.status);
          await answer.text();
        }
      });
      for (const id of ["r1", "r2", "r3", "r4"]) await deploy(id);
      rolling.abort();
      await Promise.all(callers);
      expect([...statuses]).to.deep.equal([200]);
      expect(await revisionOf()).to.equal("r4");
    });

    it("follows a start that is in progress", async () => {
      modes = { r1: "mute" };
      pool.restore(aRevision("r1"));
      const waiting = revisionOf();
      await until("the start", () => running === 1);
      await deploy("r2");
      expect(await waiting).to.equal("r2");
      await until("one to run", () => running === 1);
    });
  });

  describe("after a crash", () => {
    it("says why and for how long, and starts the server again after the pause", async () => {
      await deploy("r1");
      await crash();
      const { message, retryAfterSeconds } = await unavailable();
      expect(message).to.match(/^the server exited with code 5: crashed at last; restarting/);
      expect(retryAfterSeconds).to.equal(1);
      await clock.advance(1000);
      expect(await revisionOf()).to.equal("r1");
    });

    it("hides secrets in what it says, as anyone may ask", async () => {
      const secrets = [{ name: "MODEL_API_KEY", value: "crashed at last" }];
      const revision = aRevision("r1", "one", { secrets });
      await pool.deploy({ revision, signal: new AbortController().signal, log: () => {} });
      await crash();
      expect((await unavailable()).message).to.match(/^the server exited with code 5: \*\*\*;/);
    });

    it("gives up after five within a minute, until the next revision", async () => {
      await deploy("r1");
      for (const pauseSeconds of [1, 2, 4, 8]) {
        await crash();
        expect((await unavailable()).retryAfterSeconds).to.equal(pauseSeconds);
        await clock.advance(pauseSeconds * 1000);
        await until("the restart", async () => (await pool.origin("one")) !== "");
      }
      await crash();
      const { message, retryAfterSeconds } = await unavailable();
      expect(message).to.match(/^the server failed 5 times within a minute/);
      expect(message).to.contain("crashed at last");
      expect(retryAfterSeconds).to.equal(undefined);
      await deploy("r2");
      expect(await revisionOf()).to.equal("r2");
    });

    it("counts a restart that fails as another crash", async () => {
      await deploy("r1");
      modes = { r1: "dies" };
      await crash();
      await clock.advance(1000);
      await until("the second", async () => (await unavailable()).retryAfterSeconds === 2);
      expect((await unavailable()).message).to.contain("import error: no module named x");
    });
  });

  describe("with more deployments than servers", () => {
    it("stops the one that was asked for longest ago, which starts again when asked", async () => {
      for (const name of ["one", "two", "three"]) {
        pool.restore(aRevision(`${name}-1`, name));
        await clock.advance(1000);
        if (name !== "three") await revisionOf(name);
      }
      await clock.advance(1000);
      await revisionOf("one");
      await revisionOf("three");
      expect(running).to.equal(2);
      expect(await revisionOf("one")).to.equal("one-1");
      expect(started).to.deep.equal(["one-1", "two-1", "three-1"]);
      expect(await revisionOf("two")).to.equal("two-1");
      expect(started.at(-1)).to.equal("two-1");
    });

    it("spares the one that has a request running", async () => {
      for (const name of ["one", "two"]) {
        await deploy(`${name}-1`, name);
        await clock.advance(1000);
      }
      const { answer, release } = await hold();
      await clock.advance(1000);
      await revisionOf("two");
      await deploy("three-1", "three");
      await release();
      expect((await answer).status).to.equal(200);
      await revisionOf("one");
      expect(started).to.deep.equal(["one-1", "two-1", "three-1"]);
    });

    it("answers everyone though all ask at once", async () => {
      pool = makePool(1);
      const names = ["one", "two", "three", "four"];
      for (const name of names) pool.restore(aRevision(`${name}-1`, name));
      const answers = await Promise.all(names.map(revisionOf));
      expect(answers).to.deep.equal(["one-1", "two-1", "three-1", "four-1"]);
      expect(mostRunning).to.equal(1);
    });
  });

  it("ends a start that is under way when the deployment is removed", async () => {
    modes = { r1: "mute" };
    pool.restore(aRevision("r1"));
    const waiting = unavailable();
    await until("the start", () => running === 1);
    await pool.remove("one");
    expect(await waiting).to.have.property("message", "the deployment is shutting down");
    expect(running).to.equal(0);
  });
});

import { existsSync } from "node:fs";
import { cp, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { mock } from "node:test";
import { setImmediate } from "node:timers/promises";
import { expect } from "chai";
import { handOver } from "../../../../../local/drivers/process/servers/handover";
import { traffic } from "../../../../../local/drivers/process/servers/requests";
import { processesWith, until } from "../../../children";
import { untyped } from "../../../../support/values";
import { reasonOf } from "../../stage-failure";
import { Scene, failureOf as failure } from "./scene";
import { aRevision, stateFolderOf } from "./scripted";

const DRAINS = "r2: draining the old server: new requests wait, running ones have 600 s to finish";

describe("a roll-over of servers that hold their threads in memory", () => {
  const scene = new Scene();
  const { ask, info, make, makers, open, starts, threads, untilLog } = scene;
  const files = async () => (await readdir(scene.dataDir, { recursive: true })).toSorted();

  it("lets the new server have the threads of the old one, and says what it does", async () => {
    await scene.deployWithThread();
    await scene.deploy("r2");
    await make();
    expect(await makers()).to.deep.equal(["r1", "r2"]);
    expect(scene.log).to.deep.equal([
      "r1: read 0",
      "r2: checking that the new server starts, without threads",
      "r2: read 0",
      "r2: asked to end",
      DRAINS,
      "r1: asked to end",
      "r2: read 1",
    ]);
  });

  it("says that the new server serves before any client gets its address", async () => {
    await scene.deployWithThread("ends late");
    const activate = () => scene.log.push("takes over");
    const deploying = scene.deploy("r2", { activate });
    await untilLog("r1: asked to end");
    const waiting = scene.pool.origin("one").then(() => scene.log.push("told"));
    await open("r1");
    await Promise.all([deploying, waiting]);
    expect(scene.log.slice(-3)).to.deep.equal(["r2: read 1", "takes over", "told"]);
  });

  it("answers every request under load, and loses no thread", async () => {
    await scene.deploy("r0");
    const rolling = new AbortController();
    const made: unknown[] = [];
    const callers = [1, 2, 3, 4].map(async () => {
      while (!rolling.signal.aborted) made.push(await make());
    });

    for (const id of ["r1", "r2", "r3"]) await scene.deploy(id);
    rolling.abort();
    await Promise.all(callers);
    expect(await threads()).to.have.deep.members(made);
    expect(new Set(await makers())).to.include.keys("r0", "r3");
  });

  it("serves on from its own folder after a crash, and writes its threads at the close though an answer never ends", async () => {
    await scene.deployWithThread();
    await scene.deploy("r2");
    await make();
    await ask("/write");
    await scene.crash();
    await scene.clock.advance(1000);
    expect(await makers()).to.deep.equal(["r1", "r2"]);
    await make();
    const stream = await ask("/stream");
    await scene.restart("r2");
    expect(await failure(stream.text())).to.be.instanceOf(Error);
    expect(await makers()).to.deep.equal(["r1", "r2", "r2"]);
  });

  describe("requests", () => {
    it("that run finish on the old server, those that come then wait for the new one", async () => {
      await scene.deployWithThread();
      const { answer: running, release } = await scene.hold();
      const deploying = scene.deploy("r2");
      await untilLog(DRAINS);
      expect(scene.log).to.not.include("r1: asked to end");
      const waiting = info();
      await release();
      expect(await (await running).json()).to.include({ revision: "r1" });
      expect(await waiting).to.include({ revision: "r2" });
      await deploying;
    });

    it("that run for too long are ended, as the log says", async () => {
      scene.makePool({ drainSeconds: 0.2 });
      await scene.deployWithThread();
      const stream = await ask("/stream");
      const unanswered = ask("/held");
      const origin = await scene.pool.origin("one");
      await until("both to run", () => traffic.count(origin) === 2);
      await scene.deploy("r2");
      expect(scene.log).to.include("r2: requests aborted after 0.2 s: 2");
      expect(await failure(stream.text())).to.be.instanceOf(Error);
      expect((await unanswered).status).to.equal(502);
      expect(await makers()).to.deep.equal(["r1"]);
    });

    it("whose caller has gone while they waited are not handed on", async () => {
      await scene.deployWithThread("ends late");
      const deploying = scene.deploy("r2");
      await untilLog("r1: asked to end");
      const giveUp = new AbortController();
      const gone = failure(ask("/threads", { method: "POST", signal: giveUp.signal }));
      const waiting = make();
      giveUp.abort();
      await gone;
      await open("r1");
      await Promise.all([deploying, waiting]);
      expect(await makers()).to.deep.equal(["r1", "r2"]);
    });
  });

  describe("from a server that does not run", () => {
    it("takes the threads of one that was not asked for since a restart", async () => {
      await scene.deployWithThread();
      await scene.restart("r1");
      await scene.deploy("r2");
      expect(await makers()).to.deep.equal(["r1"]);
      expect(starts()).to.deep.equal(["r1", "r2", "r2"]);
    });

    it("takes what one that crashed has written, and does not start that again", async () => {
      await scene.deployWithThread();
      await ask("/write");
      await scene.crash();
      await scene.deploy("r2");
      await scene.clock.advance(60_000);
      expect(await makers()).to.deep.equal(["r1"]);
      expect(starts()).to.deep.equal(["r1", "r2", "r2"]);
    });

    it("follows one that crashes while its requests finish", async () => {
      await scene.deployWithThread();
      await ask("/write");
      const origin = await scene.pool.origin("one");
      const { done } = traffic.track(origin);
      const deploying = scene.deploy("r2");
      await untilLog(DRAINS);
      scene.modes["r1"] = "starts late";
      await failure(fetch(`${origin}/crash`));
      await until("the restart", async () => {
        await scene.clock.advance(1000);
        return starts().at(-1) === "r1";
      });
      done();
      await open("r1");
      await deploying;
      expect(await makers()).to.deep.equal(["r1"]);
      expect(starts()).to.deep.equal(["r1", "r2", "r1", "r2"]);
    });

    it("waits for one that is just starting, and for who waits for it", async () => {
      await scene.deployWithThread();
      scene.modes["r1"] = "starts late";
      await scene.restart("r1");
      const waiting = info();
      await until("the start", () => starts().length === 2);
      const deploying = scene.deploy("r2");
      await untilLog("r2: asked to end");
      await open("r1");
      expect(await waiting).to.include({ revision: "r1" });
      await deploying;
      expect(await makers()).to.deep.equal(["r1"]);
      expect(starts()).to.deep.equal(["r1", "r1", "r2", "r2"]);
    });
  });

  it("says that the old server was killed", async () => {
    scene.makePool({ graceSeconds: 0.2 });
    await scene.deployWithThread("stays");
    await ask("/write");
    await make();
    await scene.deploy("r2");
    const killed = /^r2: the previous revision's server .* was killed; threads .* are lost$/m;
    expect(scene.log.join("\n")).to.match(killed);
    expect(await makers()).to.deep.equal(["r1"]);
  });

  describe("where nothing can be handed over", () => {
    const NOTE = /^r2: threads are not carried over: /;

    it("starts the first revision without threads, and each with those of its predecessor alone, though an attempt before left some", async () => {
      await scene.deployWithThread();
      await scene.pool.close();
      const left = stateFolderOf(scene.dataDir, "r1");
      await cp(left, stateFolderOf(scene.dataDir, "r2"), { recursive: true });
      scene.makePool();
      await scene.deploy("r1");
      expect(scene.log).to.deep.equal(["r1: read 0", "r1: asked to end", "r1: read 0"]);
      await scene.deploy("r2");
      expect(scene.log).to.include("r2: read 0").and.not.include("r2: read 1");
    });

    for (const [what, from, to, notes] of [
      ["from the built-in server to a real one", null, "python", 1],
      ["from a real server to the built-in one", "python", null, 1],
      ["from one real server to another", "javascript", "python", 1],
      ["but not between two built-in servers", null, null, 0],
    ] as const)
      it(`starts the new server beside the old one, and says that threads stay behind: ${what}`, async () => {
        Object.assign(scene.formats, { r1: from, r2: to });
        await scene.deployWithThread();
        const { answer: running, release } = await scene.hold();
        await scene.deploy("r2");
        expect(await threads()).to.deep.equal([]);
        await release();
        expect(await (await running).json()).to.include({ revision: "r1" });
        await until("the old one's end", () => scene.running === 1);
        expect(starts()).to.deep.equal(["r1", "r2"]);
        expect(scene.log.filter((line) => NOTE.test(line))).to.have.length(notes);
      });

    it("starts the new server though the files of the revision before are gone", async () => {
      scene.formats["r1"] = "gone";
      scene.pool.restore(aRevision("r1"));
      await scene.deploy("r2");
      expect(scene.log[0]).to.match(NOTE);
      expect(starts()).to.deep.equal(["r2"]);
    });
  });

  describe("on a failure", () => {
    it("has not stopped the old server when the new one does not start at all", async () => {
      await scene.deployWithThread();
      const before = await info();
      scene.modes["r2"] = "dies";
      expect(await reasonOf(scene.deploy("r2"))).to.contain("import error");
      expect(await info()).to.deep.equal(before);
      expect(existsSync(stateFolderOf(scene.dataDir, "r2"))).to.equal(false);
    });

    it("starts the old server again when the new one can't read its threads, answers who waits, and hands over to the next revision", async () => {
      await scene.deployWithThread("ends late");
      scene.modes["r2"] = "dies on threads";
      const deploying = reasonOf(scene.deploy("r2"));
      await untilLog("r1: asked to end");
      const waiting = info();
      await open("r1");
      expect(await deploying).to.contain("import error");
      expect(await waiting).to.include({ revision: "r1" });
      expect(await makers()).to.deep.equal(["r1"]);
      expect(starts()).to.deep.equal(["r1", "r2", "r2", "r1"]);
      expect(scene.log).to.include("r2: the previous revision keeps serving, with its threads");
      await scene.deploy("r3");
      await make();
      expect(await makers()).to.deep.equal(["r1", "r3"]);
    });

    it("starts the old server again when the change to the new one can't be stored", async () => {
      await scene.deployWithThread();
      const activate = () => {
        throw new Error("the disk is full");
      };
      const error = await failure(scene.deploy("r2", { activate }));
      expect(error).to.have.property("message", "the disk is full");
      expect([await makers(), scene.running]).to.deep.equal([["r1"], 1]);
      expect(starts()).to.deep.equal(["r1", "r2", "r2", "r1"]);
    });

    it("leaves the old server's folder as it was, and nothing of the new one's", async () => {
      await scene.deployWithThread();
      await scene.restart("r1");
      const path = join(stateFolderOf(scene.dataDir, "r1"), "threads.json");
      const before = [await readFile(path, "utf8"), ...(await files())];
      scene.modes["r2"] = "dies on threads";
      await reasonOf(scene.deploy("r2"));
      const left = (await files()).filter((name) => name !== "r2");
      expect([await readFile(path, "utf8"), ...left]).to.deep.equal(before);
      expect(await makers()).to.deep.equal(["r1"]);
    });
  });

  /** The point at which a roll-over from r1 to r2 stands still: the behaviour of both, the log then, and whether the old one starts again. */
  const STEPS = {
    "while the new server is checked": ["", "starts late", "r2: read 0", false],
    "while running requests finish": ["", "", DRAINS, false],
    "while the old server ends": ["ends late", "", "r1: asked to end", true],
    "while the new server starts": ["", "starts late on threads", "r2: read 1", true],
  } as const;

  for (const [when, [r1, r2, line, again]] of Object.entries(STEPS))
    describe(when, () => {
      let deploying: Promise<unknown>;
      let interruption: AbortController;

      beforeEach(async () => {
        await scene.deployWithThread(r1);
        scene.modes["r2"] = r2;
        interruption = new AbortController();
        if (when === "while running requests finish") (await scene.hold()).answer.catch(() => {});
        deploying = failure(scene.deploy("r2", { signal: interruption.signal }));
        await untilLog(line);
      });

      it("an interruption lets the old server serve on, with all threads", async () => {
        const waiting = make();
        interruption.abort(new Error("interrupted"));
        await open("r1");
        expect(await deploying).to.have.property("message", "interrupted");
        expect(await waiting).to.include({ by: "r1" });
        expect(await makers()).to.deep.equal(["r1", "r1"]);
        expect(starts().filter((id) => id === "r1")).to.have.length(again ? 2 : 1);
        expect(await readdir(join(scene.dataDir, "r2")).catch(() => [])).to.deep.equal([]);
      });

      it("a removal of the deployment ends both servers", async () => {
        const waiting = ask("/info");
        const removing = scene.pool.remove("one");
        await open("r1");
        await removing;
        expect(await deploying).to.be.instanceOf(Error);
        await until("the end", async () => (await processesWith(scene.dataDir)).length === 0);
        expect((await waiting).status).to.equal(503);
        expect((await ask("/info")).status).to.equal(503);
      });
    });

  it("does not stop a server that was just starting when the roll-over is interrupted", async () => {
    const interruption = new AbortController();
    const stop = mock.fn();
    const settled = async () => interruption.abort(new Error("interrupted"));
    const old = { settled, stop, origin: async () => "" };
    const { signal } = interruption;
    expect(
      await failure(handOver(untyped({ old, signal, log: () => {}, to: scene.dataDir }))),
    ).to.have.property("message", "interrupted");
    expect(stop.mock.callCount()).to.equal(0);
  });

  describe("of one deployment, where others wait for the place of its server,", () => {
    beforeEach(() => scene.makePool({ maxServers: 1 }));

    /** Another deployment asks for the place; resolves with its origin. */
    const askOther = (name: string) => {
      scene.pool.restore(aRevision(`${name}-1`, name));
      return scene.pool.origin(name);
    };

    it("keeps its place from beginning to end", async () => {
      await scene.deployWithThread("ends late");
      const deploying = scene.deploy("r2");
      await untilLog("r1: asked to end");
      const other = scene.deploy("other", { deploymentId: "two" });
      await open("r1");
      await deploying;
      expect(starts()).to.deep.equal(["r1", "r2", "r2"]);
      await other;
      expect(starts()).to.deep.equal(["r1", "r2", "r2", "other"]);
    });

    it("starts no server before the one that was stopped has written its threads", async () => {
      await scene.deployWithThread("ends late");
      const other = scene.deploy("other", { deploymentId: "two" });
      await untilLog("r1: asked to end");
      const waiting = threads();
      await open("r1");
      await other;
      expect(await waiting).to.have.length(1);
      expect(starts()).to.deep.equal(["r1", "other", "r1"]);
    });

    it("answers all when it fails", async () => {
      scene.modes["r2"] = "dies on threads";
      await scene.deployWithThread("ends late");
      const deploying = reasonOf(scene.deploy("r2"));
      await untilLog("r1: asked to end");
      const other = askOther("two");
      await open("r1");
      await deploying;
      expect(await scene.pool.origin("one")).to.match(/^http/);
      expect(await other).to.match(/^http/);
    });

    it("answers all when it begins during a start", async () => {
      scene.modes["r1"] = "starts late";
      Object.assign(scene.formats, { r1: null, r2: null });
      scene.pool.restore(aRevision("r1"));
      const first = scene.pool.origin("one");
      await untilLog("r1: read 0");
      const other = askOther("two");
      await setImmediate(); // it is the first to wait
      const deploying = scene.deploy("r2");
      await open("r1");
      await deploying;
      expect(await first).to.match(/^http/);
      expect(await other).to.match(/^http/);
    });

    it("loses no place to one that is removed while it waits", async () => {
      await scene.deployWithThread("ends late");
      const removed = failure(askOther("two"));
      await untilLog("r1: asked to end");
      const removing = scene.pool.remove("two");
      await open("r1");
      await removing;
      expect(String(await removed)).to.contain("the deployment is shutting down");
      expect(await askOther("three")).to.match(/^http/);
    });
  });
});

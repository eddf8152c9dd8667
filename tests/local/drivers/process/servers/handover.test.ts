import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { z } from "zod";
import type { PlatformClock } from "../../../../../local/platform/clock";
import { StageFailure } from "../../../../../local/drivers/driver";
import { Keeper } from "../../../../../local/drivers/process/keeper/keeper";
import { ServerPool } from "../../../../../local/drivers/process/servers/server-pool";
import { traffic } from "../../../../../local/drivers/process/servers/requests";
import { standingClock } from "../../../../support/clock";
import { aFolder, processesWith, removeFolder, until } from "../../../children";
import { openFront, type Front } from "../../../front";
import { aRevision } from "./scripted";
import { openGate, stateFolderOf, statefulLauncher, type StatefulMode } from "./stateful";

const Threads = z.object({ id: z.number(), by: z.string() }).array();
const Info = z.object({ revision: z.string(), pid: z.number() });
/** Ended by force, a server has not written its threads. */
const GRACE_SECONDS = 600;
const never = new AbortController().signal;

describe("a roll-over of servers that hold their threads in memory", () => {
  let dataDir: string;
  let keeper: Keeper;
  let clock: PlatformClock;
  let pool: ServerPool;
  let front: Front;
  let modes: Record<string, StatefulMode>;
  let formats: Record<string, string | null>;
  let log: string[];

  beforeEach(async () => {
    dataDir = await aFolder();
    keeper = new Keeper(dataDir, GRACE_SECONDS);
    clock = standingClock();
    [modes, formats, log] = [{}, {}, []];
    pool = makePool();
    front = await openFront((name) => pool.origin(name));
  });
  afterEach(async () => {
    front.close();
    for (const id of Object.keys(modes)) await openGate(dataDir, id);
    await pool.close();
    await keeper.close();
    expect(await processesWith(dataDir), "processes left").to.deep.equal([]);
    await removeFolder(dataDir);
  });

  function makePool({ drainSeconds = 600, maxServers = 3 } = {}): ServerPool {
    const write = ({ id }: { id: string }, line: string) => void log.push(`${id}: ${line}`);
    const launcher = statefulLauncher({ keeper, dataDir, modes, formats, write });
    return new ServerPool({ clock, maxServers, drainSeconds, launcher });
  }
  const deploy = (
    id: string,
    {
      deploymentId = "one",
      signal = never,
      activate,
    }: { deploymentId?: string; signal?: AbortSignal; activate?: () => void } = {},
  ) =>
    pool.deploy({
      revision: aRevision(id, deploymentId),
      signal,
      activate,
      log: (line) => log.push(`${id}: ${line}`),
    });
  const open = (id: string) => openGate(dataDir, id);
  const ask = (path: string, init?: RequestInit, name = "one") =>
    fetch(`${front.url}/${name}${path}`, init);
  const make = async (name?: string): Promise<unknown> =>
    (await ask("/threads", { method: "POST" }, name)).json();
  const threads = async (name?: string) =>
    Threads.parse(await (await ask("/threads", {}, name)).json());
  const makers = async (name?: string) => (await threads(name)).map(({ by }) => by);
  const info = async () => Info.parse(await (await ask("/info")).json());
  const untilLog = (line: string) => until(line, () => log.includes(line));
  const starts = () => log.flatMap((line) => /^(\w+): read/.exec(line)?.[1] ?? []);
  const files = async () => (await readdir(dataDir, { recursive: true })).toSorted();
  const failure = async (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => undefined,
      (error: unknown) => error,
    );
  async function crash(): Promise<void> {
    await ask("/crash");
    await until(
      "the crash to be noticed",
      async () => (await failure(pool.origin("one"))) !== undefined,
    );
  }
  /** Makes a request that runs until it is released. */
  async function hold() {
    const origin = await pool.origin("one");
    const answer = ask("/held");
    await until("the request to run", () => traffic.count(origin) === 1);
    return { answer, release: () => fetch(`${origin}/release`) };
  }
  /** `r1` runs, with a thread. */
  async function runsWithThread(mode: StatefulMode = ""): Promise<void> {
    modes["r1"] = mode;
    await deploy("r1");
    await make();
  }

  it("lets the new server have the threads of the old one, and says what it does", async () => {
    await runsWithThread();
    await deploy("r2");
    await make();
    expect(await makers()).to.deep.equal(["r1", "r2"]);
    expect(log).to.deep.equal([
      "r1: read 0",
      "r2: checking that the new server starts, without threads",
      "r2: read 0",
      "r2: asked to end",
      "r2: draining the old server: new requests wait, running ones have 600 s to finish",
      "r1: asked to end",
      "r2: read 1",
    ]);
  });

  it("says that the new server serves before any client gets its address", async () => {
    await runsWithThread("ends late");
    const activate = () => log.push("takes over");
    const deploying = deploy("r2", { activate });
    await untilLog("r1: asked to end");
    const waiting = pool.origin("one").then(() => log.push("told"));
    await open("r1");
    await Promise.all([deploying, waiting]);
    expect(log.slice(-3)).to.deep.equal(["r2: read 1", "takes over", "told"]);
  });

  it("answers every request under load, and loses no thread", async () => {
    await deploy("r0");
    const rolling = new AbortController();
    const made: unknown[] = [];
    const callers = [1, 2, 3, 4].map(async () => {
      while (!rolling.signal.aborted) made.push(await make());
    });
    for (const id of ["r1", "r2", "r3"]) await deploy(id);
    rolling.abort();
    await Promise.all(callers);
    expect(await threads()).to.have.deep.members(made);
    expect(new Set(await makers())).to.include.keys("r0", "r3");
  });

  it("serves on from its own folder after a crash", async () => {
    await runsWithThread();
    await deploy("r2");
    await make();
    await ask("/write");
    await crash();
    await clock.advance(1000);
    expect(await makers()).to.deep.equal(["r1", "r2"]);
  });

  it("writes its threads at the close though an answer never ends", async () => {
    await runsWithThread();
    const stream = await ask("/stream");
    await pool.close();
    expect(await failure(stream.text())).to.be.instanceOf(Error);
    pool = makePool();
    pool.restore(aRevision("r1"));
    expect(await makers()).to.deep.equal(["r1"]);
  });

  describe("requests", () => {
    it("that run finish on the old server, those that come then wait for the new one", async () => {
      await runsWithThread();
      const { answer: running, release } = await hold();
      const deploying = deploy("r2");
      await untilLog(
        "r2: draining the old server: new requests wait, running ones have 600 s to finish",
      );
      expect(log).to.not.include("r1: asked to end");
      const waiting = info();
      await release();
      expect(await (await running).json()).to.include({ revision: "r1" });
      expect(await waiting).to.include({ revision: "r2" });
      await deploying;
    });

    it("that run for too long are ended, as the log says", async () => {
      pool = makePool({ drainSeconds: 0.2 });
      await runsWithThread();
      const stream = await ask("/stream");
      const unanswered = ask("/held");
      const origin = await pool.origin("one");
      await until("both to run", () => traffic.count(origin) === 2);
      await deploy("r2");
      expect(log).to.include("r2: requests aborted after 0.2 s: 2");
      expect(await failure(stream.text())).to.be.instanceOf(Error);
      expect((await unanswered).status).to.equal(502);
      expect(await makers()).to.deep.equal(["r1"]);
    });

    it("that wait for 30 s are answered with `Retry-After`", async () => {
      await runsWithThread("ends late");
      const deploying = deploy("r2");
      await untilLog("r1: asked to end");
      let answer: Response | undefined;
      void ask("/info").then((value) => (answer = value));
      await until("the answer", async () => {
        await clock.advance(30_000);
        return answer !== undefined;
      });
      expect([answer?.status, answer?.headers.get("retry-after")]).to.deep.equal([503, "1"]);
      await open("r1");
      await deploying;
    });

    it("whose caller has gone while they waited are not handed on", async () => {
      await runsWithThread("ends late");
      const deploying = deploy("r2");
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
      await runsWithThread();
      await pool.close();
      pool = makePool();
      pool.restore(aRevision("r1"));
      await deploy("r2");
      expect(await makers()).to.deep.equal(["r1"]);
      expect(starts()).to.deep.equal(["r1", "r2", "r2"]);
    });

    it("takes what one that crashed has written, and does not start that again", async () => {
      await runsWithThread();
      await ask("/write");
      await crash();
      await deploy("r2");
      await clock.advance(60_000);
      expect(await makers()).to.deep.equal(["r1"]);
      expect(starts()).to.deep.equal(["r1", "r2", "r2"]);
    });

    it("follows one that crashes while its requests finish", async () => {
      await runsWithThread();
      await ask("/write");
      const origin = await pool.origin("one");
      const { done } = traffic.track(origin);
      const deploying = deploy("r2");
      await untilLog(
        "r2: draining the old server: new requests wait, running ones have 600 s to finish",
      );
      modes["r1"] = "starts late";
      await failure(fetch(`${origin}/crash`));
      await until("the restart", async () => {
        await clock.advance(1000);
        return starts().at(-1) === "r1";
      });
      done();
      await open("r1");
      await deploying;
      expect(await makers()).to.deep.equal(["r1"]);
      expect(starts()).to.deep.equal(["r1", "r2", "r1", "r2"]);
    });

    it("waits for one that is just starting, and for who waits for it", async () => {
      await runsWithThread();
      await pool.close();
      modes["r1"] = "starts late";
      pool = makePool();
      pool.restore(aRevision("r1"));
      const waiting = info();
      await until("the start", () => starts().length === 2);
      const deploying = deploy("r2");
      await untilLog("r2: asked to end");
      await open("r1");
      expect(await waiting).to.include({ revision: "r1" });
      await deploying;
      expect(await makers()).to.deep.equal(["r1"]);
      expect(starts()).to.deep.equal(["r1", "r1", "r2", "r2"]);
    });
  });

  it("says that the old server was killed", async () => {
    await pool.close();
    keeper = new Keeper(dataDir, 0.2);
    pool = makePool();
    await runsWithThread("stays");
    await ask("/write");
    await make();
    await deploy("r2");
    expect(log).to.include(
      "r2: the previous revision's server did not exit and was killed; threads that it had not written to disk are lost",
    );
    expect(await makers()).to.deep.equal(["r1"]);
  });

  describe("where nothing can be handed over", () => {
    const NOTE =
      "r2: threads are not carried over: the previous revision stored them in another format, or they are missing";

    it("starts the first revision without threads, though an attempt before left some", async () => {
      await runsWithThread();
      await pool.close();
      pool = makePool();
      await deploy("r1");
      expect(await threads()).to.deep.equal([]);
      expect(log).to.deep.equal(["r1: read 0", "r1: asked to end", "r1: read 0"]);
    });

    for (const [what, from, to] of [
      ["from the built-in server to a real one", null, "python"],
      ["from a real server to the built-in one", "python", null],
      ["from one real server to another", "javascript", "python"],
    ] as const)
      it(`starts the new server beside the old one, and says that threads stay behind: ${what}`, async () => {
        formats = { r1: from, r2: to };
        pool = makePool();
        await runsWithThread();
        const { answer: running, release } = await hold();
        await deploy("r2");
        expect(await threads()).to.deep.equal([]);
        await release();
        expect(await (await running).json()).to.include({ revision: "r1" });
        expect(log.filter((line) => !line.includes("asked to end"))).to.deep.equal([
          "r1: read 0",
          NOTE,
          "r2: read 0",
        ]);
      });

    it("starts the new server though the files of the revision before are gone", async () => {
      formats = { r1: "gone" };
      pool = makePool();
      pool.restore(aRevision("r1"));
      await deploy("r2");
      expect(log).to.deep.equal([NOTE, "r2: read 0"]);
    });

    it("says nothing of the kind between two built-in servers", async () => {
      formats = { r1: null, r2: null };
      pool = makePool();
      await runsWithThread();
      await deploy("r2");
      expect(log).to.not.include(NOTE);
    });
  });

  describe("on a failure", () => {
    it("has not stopped the old server when the new one does not start at all", async () => {
      await runsWithThread();
      const before = await info();
      modes["r2"] = "dies";
      const error = await failure(deploy("r2"));
      expect(error).to.be.instanceOf(StageFailure);
      expect(error).to.have.property("message").that.contains("import error");
      expect(await info()).to.deep.equal(before);
      expect(existsSync(stateFolderOf(dataDir, "r2"))).to.equal(false);
    });

    it("starts the old server again when the new one can't read its threads, and answers who waits", async () => {
      await runsWithThread("ends late");
      modes["r2"] = "dies on threads";
      const deploying = failure(deploy("r2"));
      await untilLog("r1: asked to end");
      const waiting = info();
      await open("r1");
      const error = await deploying;
      expect(error).to.be.instanceOf(StageFailure);
      expect(error).to.have.property("message").that.contains("import error");
      expect(await waiting).to.include({ revision: "r1" });
      expect(await makers()).to.deep.equal(["r1"]);
      expect(starts()).to.deep.equal(["r1", "r2", "r2", "r1"]);
      expect(log).to.include("r2: the previous revision keeps serving, with its threads");
    });

    it("starts the old server again when the change to the new one can't be stored", async () => {
      await runsWithThread();
      const activate = () => {
        throw new Error("the disk is full");
      };
      expect(await failure(deploy("r2", { activate }))).to.have.property(
        "message",
        "the disk is full",
      );
      expect(await makers()).to.deep.equal(["r1"]);
      expect(starts()).to.deep.equal(["r1", "r2", "r2", "r1"]);
    });

    it("leaves the old server's folder as it was, and nothing of the new one's", async () => {
      await runsWithThread();
      await pool.close();
      const before = await files();
      const written = await readFile(join(stateFolderOf(dataDir, "r1"), "threads.json"), "utf8");
      modes["r2"] = "dies on threads";
      pool = makePool();
      pool.restore(aRevision("r1"));
      expect(await failure(deploy("r2"))).to.be.instanceOf(StageFailure);
      expect((await files()).filter((name) => name !== "r2")).to.deep.equal(before);
      const left = await readFile(join(stateFolderOf(dataDir, "r1"), "threads.json"), "utf8");
      expect(left).to.equal(written);
      expect(await makers()).to.deep.equal(["r1"]);
    });

    it("hands over to the next revision all the same", async () => {
      await runsWithThread();
      modes["r2"] = "dies on threads";
      await failure(deploy("r2"));
      await until("the old server's start", () => starts().at(-1) === "r1");
      await deploy("r3");
      await make();
      expect(await makers()).to.deep.equal(["r1", "r3"]);
    });
  });

  /** The point at which a roll-over from r1 to r2 stands still: the behaviour of both, the log then, and the event that lets it go on. */
  const STEPS = {
    "while the new server is checked": {
      r1: "",
      r2: "starts late",
      line: "r2: read 0",
      again: false,
    },
    "while running requests finish": {
      r1: "",
      r2: "",
      line: "r2: draining the old server: new requests wait, running ones have 600 s to finish",
      again: false,
    },
    "while the old server ends": { r1: "ends late", r2: "", line: "r1: asked to end", again: true },
    "while the new server starts": {
      r1: "",
      r2: "starts late on threads",
      line: "r2: read 1",
      again: true,
    },
  } as const;

  for (const [when, { r1, r2, line, again }] of Object.entries(STEPS))
    describe(when, () => {
      let deploying: Promise<unknown>;
      let interruption: AbortController;

      beforeEach(async () => {
        await runsWithThread(r1);
        modes["r2"] = r2;
        interruption = new AbortController();
        if (when === "while running requests finish") (await hold()).answer.catch(() => {});
        deploying = failure(deploy("r2", { signal: interruption.signal }));
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
        expect(await readdir(join(dataDir, "r2")).catch(() => [])).to.deep.equal([]);
      });

      it("a removal of the deployment ends both servers", async () => {
        const waiting = ask("/info");
        const removing = pool.remove("one");
        await open("r1");
        await removing;
        expect(await deploying).to.be.instanceOf(Error);
        await until("the end", async () => (await processesWith(dataDir)).length === 0);
        expect((await waiting).status).to.equal(503);
        expect((await ask("/info")).status).to.equal(503);
      });
    });

  describe("with more deployments than servers", () => {
    beforeEach(() => {
      pool = makePool({ maxServers: 1 });
    });

    it("keeps its place from beginning to end", async () => {
      await runsWithThread("ends late");
      const deploying = deploy("r2");
      await untilLog("r1: asked to end");
      const other = deploy("other", { deploymentId: "two" });
      await open("r1");
      await deploying;
      expect(starts()).to.deep.equal(["r1", "r2", "r2"]);
      await other;
      expect(starts()).to.deep.equal(["r1", "r2", "r2", "other"]);
    });

    it("starts no server before the one that was stopped has written its threads", async () => {
      await runsWithThread("ends late");
      const other = deploy("other", { deploymentId: "two" });
      await untilLog("r1: asked to end");
      const waiting = threads();
      await open("r1");
      await other;
      expect(await waiting).to.have.length(1);
      expect(starts()).to.deep.equal(["r1", "other", "r1"]);
    });
  });
});

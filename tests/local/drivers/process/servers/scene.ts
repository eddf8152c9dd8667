import { expect } from "chai";
import { z } from "zod";
import type { PlatformClock } from "../../../../../local/platform/clock";
import { Keeper } from "../../../../../local/drivers/process/keeper/keeper";
import { traffic } from "../../../../../local/drivers/process/servers/requests";
import { ServerPool } from "../../../../../local/drivers/process/servers/server-pool";
import { standingClock } from "../../../../support/clock";
import { aFolder, processesWith, removeFolder, until } from "../../../children";
import { openFront } from "../../../front";
import { aRevision, openGate, scriptedLauncher, type Mode } from "./scripted";

const Threads = z.object({ id: z.number(), by: z.string() }).array();
const Info = z.object({ revision: z.string(), pid: z.number() });
export const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(() => undefined).catch((error: unknown) => error);

/** A server pool behind an address, for each test; its servers print into `log`. */
export class Scene {
  dataDir = "";
  modes: Record<string, Mode> = {};
  formats: Record<string, string | null> = {};
  log: string[] = [];
  running = 0;
  mostRunning = 0;
  pool!: ServerPool;
  clock!: PlatformClock;
  #keeper!: Keeper;
  #front!: Awaited<ReturnType<typeof openFront>>;

  /** Makes it before each test of the \`describe\`, and ends it after; leaves no process. */
  constructor() {
    beforeEach(async () => {
      this.dataDir = await aFolder();
      [this.modes, this.formats, this.log] = [{}, {}, []];
      [this.running, this.mostRunning] = [0, 0];
      this.clock = standingClock();
      this.makePool();
      this.#front = await openFront((name) => this.pool.origin(name));
    });
    afterEach(async () => {
      this.#front.close();
      for (const id of Object.keys(this.modes)) await openGate(this.dataDir, id);
      await this.pool.close();
      await this.#keeper.close();
      expect(await processesWith(this.dataDir), "processes left").to.deep.equal([]);
      await removeFolder(this.dataDir);
    });
  }

  /** Puts another pool in place. Ended by force, a server has not written its threads: it gets ten minutes. */
  makePool({ drainSeconds = 600, maxServers = 3, graceSeconds = 600 } = {}): void {
    const keeper = (this.#keeper = new Keeper(this.dataDir, graceSeconds));
    const { clock, dataDir, modes, formats } = this;
    const write = ({ id }: { id: string }, line: string) => void this.log.push(`${id}: ${line}`);
    const launcher = scriptedLauncher({ keeper, dataDir, modes, formats, write });
    const start: typeof launcher.start = async (...parts) => {
      this.mostRunning = Math.max(this.mostRunning, ++this.running);
      const server = launcher.start(...parts);
      const ended = server.then((value) => value.ended).catch(() => {});
      void ended.then(() => (this.running -= 1));
      return server;
    };
    const watched = { ...launcher, start };
    this.pool = new ServerPool({ clock, maxServers, drainSeconds, launcher: watched });
  }

  /** The pool of a platform that is started again, with an active revision. */
  async restart(revisionId: string): Promise<void> {
    await this.pool.close();
    this.makePool();
    this.pool.restore(aRevision(revisionId));
  }

  deploy(
    id: string,
    more: { deploymentId?: string; signal?: AbortSignal; activate?: () => void } = {},
  ): Promise<void> {
    const { deploymentId, signal = new AbortController().signal, activate } = more;
    const log = (line: string) => void this.log.push(`${id}: ${line}`);
    return this.pool.deploy({ revision: aRevision(id, deploymentId), signal, activate, log });
  }

  async deployWithThread(mode: Mode = ""): Promise<void> {
    this.modes["r1"] = mode;
    await this.deploy("r1");
    await this.make();
  }

  open = (id: string) => openGate(this.dataDir, id);
  ask = (path: string, init?: RequestInit, name = "one") =>
    fetch(`${this.#front.url}/${name}${path}`, init);
  make = async (): Promise<unknown> => (await this.ask("/threads", { method: "POST" })).json();
  threads = async () => Threads.parse(await (await this.ask("/threads")).json());
  makers = async () => (await this.threads()).map(({ by }) => by);
  info = async (name?: string) =>
    Info.parse(await (await this.ask("/info", undefined, name)).json());
  revisionOf = async (name?: string) => (await this.info(name)).revision;
  untilLog = (line: string) => until(line, () => this.log.includes(line));
  /** The revisions whose servers were started, in order. */
  starts = () => this.log.flatMap((line) => /^([\w-]+): read/.exec(line)?.[1] ?? []);

  async crash(): Promise<void> {
    await this.ask("/crash").catch(() => {});
    const gone = async () => (await failureOf(this.pool.origin("one"))) !== undefined;
    await until("the crash to be noticed", gone);
  }

  /** Makes a request that runs until it is released. */
  async hold() {
    const origin = await this.pool.origin("one");
    const answer = this.ask("/held");
    await until("the request to run", () => traffic.count(origin) === 1);
    return { answer, release: () => fetch(`${origin}/release`) };
  }
}

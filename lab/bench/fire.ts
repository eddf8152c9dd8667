import { setTimeout as sleep } from "node:timers/promises";
import { join } from "node:path";
import type { Deployment } from "../../sdk";
import { Deployment as DeploymentSchema } from "../../sdk/schema";
import { factsOf } from "../../sdk/status";
import { killProcess, processesWith } from "../processes";
import { Random } from "../faults/random";
import { ask, measure, type Request } from "./load";
import { FIRST_PAGE } from "./local/deployments";
import { CONNECTIONS, post } from "./local/requests";
import type { Bench, BenchOptions, Run, Server } from "./run";
import { clientOf, startPlatform } from "./servers";

const STAGE_SECONDS = 0.1;
const WRITERS = 8;
/** The load before a kill takes up to this; one kill in ten hits a platform that is starting. */
const MOST_LOAD_MS = 1500;
const MOST_START_MS = 1000;
const EARLY = 0.1;
const SETTLE_MS = 120_000;
const POLL_MS = 200;

/** A platform that is killed again and again. */
export const fire: Bench = {
  about: "a platform that is killed under writes, and what it lost (only by name)",
  measure: (run, options) => measureFire(run, { ...options, stored: 1000 }),
  isExtra: true,
};

/** A write whose response the kill took: it has happened as a whole, or not at all. */
interface Unanswered {
  readonly kind: "create" | "update" | "delete";
  readonly value: string;
  readonly id: string;
}

/**
 * Kills a platform with `kill -9` while it is written to, starts it again, and compares with what it had acknowledged. The
 * moments and the writes are the same in each run; which of them the platform gets to is its own.
 */
async function measureFire(
  run: Run,
  { kills, stored }: Pick<BenchOptions, "kills"> & { readonly stored: number },
): Promise<void> {
  const random = new Random(1);
  const dataDir = join(run.folder, "killed");
  const start = () => startPlatform(run, dataDir, "simulated", STAGE_SECONDS);
  let server = await start();
  const client = await clientOf(server, run.signal);
  const acknowledged = new Acknowledged(client, run.signal, random);
  run.say(`creating ${stored} deployments`);
  await acknowledged.fill(server, stored);
  const secondsToAnswer: number[] = [];
  for (let killed = 1; killed <= kills; killed++) {
    if (random.chance(EARLY))
      await killStarting(server, start, random.below(MOST_START_MS), dataDir);
    else await killWriting(server, acknowledged, random.below(MOST_LOAD_MS));
    server = await start();
    await ask(server, FIRST_PAGE, run.signal);
    secondsToAnswer.push((performance.now() - server.startedMs) / 1000);
    await acknowledged.compare();
  }
  await acknowledged.settle();
  await server.stop();
  for (const what of acknowledged.lost) run.say(`LOST: ${what}`);
  const figures = [
    { name: "kills", values: [secondsToAnswer.length] },
    { name: "acknowledged", values: [acknowledged.count] },
    { name: "lost", values: [acknowledged.lost.length], atMost: 0 },
    { name: "first answer (s)", values: secondsToAnswer },
  ];
  run.show({ title: "kill -9 under writes", rows: [{ name: `${stored} deployments`, figures }] });
}

async function killWriting(server: Server, acknowledged: Acknowledged, afterMs: number) {
  const kill = new AbortController();
  const writers = Array.from({ length: WRITERS }, (_, at) =>
    acknowledged.write(server, kill.signal, at),
  );
  const killing = sleep(afterMs).then(() => {
    kill.abort();
    killProcess(server.pid);
  });
  await Promise.all([...writers, killing]);
  await server.stop();
}

/** The platform that runs has nothing to do; its successor is killed before or just after its first answer. */
async function killStarting(
  server: Server,
  start: () => Promise<Server>,
  afterMs: number,
  dataDir: string,
): Promise<void> {
  killProcess(server.pid);
  await server.stop();
  const starting = start().catch(() => undefined);
  await sleep(afterMs);
  for (const pid of await processesWith(dataDir)) killProcess(pid);
  await (await starting)?.stop();
}

const secretsOf = (value: string) => [{ name: "WRITTEN", value }];
const valueOf = ({ secrets }: Deployment) => secrets?.[0]?.value ?? "";

/** What a platform has acknowledged: the value of each deployment. */
class Acknowledged {
  count = 0;
  /** What the platform lacks or has too much, in words. */
  readonly lost: string[] = [];
  readonly #values = new Map<string, string>();
  #unanswered: Unanswered[] = [];
  #written = 0;
  readonly #client: Awaited<ReturnType<typeof clientOf>>;
  readonly #signal: AbortSignal;
  readonly #random: Random;

  constructor(client: Awaited<ReturnType<typeof clientOf>>, signal: AbortSignal, random: Random) {
    [this.#client, this.#signal, this.#random] = [client, signal, random];
  }

  async fill(server: Server, requests: number): Promise<void> {
    const onBody = (body: string) => this.#note(body);
    const next = () => this.#create(`${(this.#written += 1)}`);
    await measure(server, { connections: CONNECTIONS, requests }, next, {
      signal: this.#signal,
      onBody,
    });
  }

  /** Sends one write after the other, to deployments of no other writer, until the kill leaves one unanswered. */
  async write(server: Server, killed: AbortSignal, writer: number): Promise<void> {
    for (;;) {
      const value = `${(this.#written += 1)}`;
      const own = [...this.#values.keys()].filter((_, at) => at % WRITERS === writer);
      const id = own[this.#random.below(own.length)] ?? "";
      const kind =
        id === "" ? "create" : this.#random.pick(["create", "update", "update", "delete"]);
      const path = `/v2/deployments/${id}`;
      const requests: Readonly<Record<Unanswered["kind"], Request>> = {
        create: this.#create(value),
        update: { method: "PATCH", path, body: { secrets: secretsOf(value) } },
        delete: { method: "DELETE", path },
      };
      // No other writer may choose it before the response.
      if (kind !== "create") this.#values.delete(id);
      try {
        const body = await ask(server, requests[kind], this.#signal);
        if (kind === "delete") this.count += 1;
        else this.#note(body);
      } catch (error) {
        // `fetch` throws a TypeError where it gets no response.
        if (!killed.aborted || !(error instanceof TypeError)) throw error;
        this.#unanswered.push({ kind, value, id });
        return;
      }
    }
  }

  /** Compares what is there with what was acknowledged; a write without a response may have happened. */
  async compare(): Promise<void> {
    const open = this.#unanswered.splice(0);
    const found = await this.#list();
    for (const [id, value] of this.#values)
      if (found.get(id) !== value) this.lost.push(`${value} of ${id}: it has ${found.get(id)}`);
    for (const { kind, id } of open)
      if (kind === "update" && !found.has(id)) this.lost.push(`deployment ${id}`);
    for (const [id, value] of found)
      if (!this.#values.has(id) && !open.some((one) => one.id === id || one.value === value))
        this.lost.push(`the delete of ${id}`);
    this.#values.clear();
    for (const [id, value] of found) this.#values.set(id, value);
  }

  /** What is there once no delete goes on: one that ends meanwhile moves the pages. */
  async #list(): Promise<Map<string, string>> {
    let before = -1;
    for (;;) {
      const found = new Map<string, string>();
      let deleted = 0;
      for await (const one of this.#client.controlPlane.deployments.list({ limit: 100 }))
        if (one.status === "AWAITING_DELETE") deleted += 1;
        else found.set(one.id, valueOf(one));
      if (deleted === 0 && found.size === before) return found;
      before = found.size;
    }
  }

  /** All roll-outs must end. */
  async settle(): Promise<void> {
    const { deployments, revisions } = this.#client.controlPlane;
    const isOpen = async (id: string) => {
      const { latest_revision_id: latest } = await deployments.get(id);
      return factsOf((await revisions.get(id, latest ?? "")).status).phase === "in progress";
    };
    const endMs = performance.now() + SETTLE_MS;
    for (const id of this.#values.keys())
      while (await isOpen(id))
        if (performance.now() > endMs) return void this.lost.push(`the end of roll-outs of ${id}`);
        else await sleep(POLL_MS);
  }

  #create(value: string): Request {
    const body = this.#client.bodyOf(`agent-${value}`, "https://git.example.com/acme/support.git");
    return post("/v2/deployments", { ...body, secrets: secretsOf(value) });
  }

  #note(body: string): void {
    const deployment = DeploymentSchema.parse(JSON.parse(body));
    this.count += 1;
    this.#values.set(deployment.id, valueOf(deployment));
  }
}

import { setTimeout as sleep } from "node:timers/promises";
import { type Deployment, NotFound } from "../../../sdk";
import { Deployment as DeploymentSchema } from "../../../sdk/schema";
import { factsOf } from "../../../sdk/status";
import { messageOf } from "../../../shared/errors";
import type { Random } from "../../faults/random";
import { ask, type Request } from "../load";
import { post } from "../local/requests";
import type { Run, Server } from "../run";
import { clientOf } from "../servers";

/** A write whose response the kill took: it has happened as a whole, or not at all. */
interface Unanswered {
  readonly kind: "create" | "update" | "delete";
  readonly value: string;
  readonly id: string;
}

type Client = Awaited<ReturnType<typeof clientOf>>;
type Entry = ReturnType<typeof entryOf>;

const REPOSITORY = "https://git.example.com/acme/support.git";
/** Writes go to one of the newest deployments: many of their roll-outs go on. */
const NEWEST = 300;
const SETTLE_MS = 120_000;
const POLL_MS = 200;

const nameOf = (value: string) => `agent-${value}-x`;
const secretsOf = (value: string) => [{ name: "WRITTEN", value }];

/** What a write to a deployment has set: the value, and the revision that this made. */
const entryOf = ({ secrets, latest_revision_id }: Deployment) => ({
  value: secrets?.[0]?.value ?? "",
  revision: latest_revision_id ?? "",
});

/** Where a roll-out has ended already, its interrupt is refused. */
function unlessEnded(error: unknown): void {
  if (!messageOf(error).includes("has ended already")) throw error;
}

/** Writes to a platform that is killed again and again, and compares it with all that it has acknowledged. */
export class Ledger {
  acknowledged = 0;
  /** What the platform lacks or has too much, in words. */
  readonly lost: string[] = [];
  readonly #signal: AbortSignal;
  readonly #random: Random;
  readonly #client: Client;
  readonly #entries = new Map<string, Entry>();
  /** Ids of all that were created, oldest first. */
  readonly #ids: string[] = [];
  #touched = new Set<string>();
  #unanswered: Unanswered[] = [];
  #written = 0;

  private constructor(signal: AbortSignal, random: Random, client: Client) {
    this.#signal = signal;
    this.#random = random;
    this.#client = client;
  }

  static async of(server: Server, { signal }: Run, random: Random): Promise<Ledger> {
    return new Ledger(signal, random, await clientOf(server, signal));
  }

  /** A request that creates another deployment. */
  create(value = `${(this.#written += 1)}`): Request {
    const body = this.#client.bodyOf(nameOf(value), REPOSITORY);
    return post("/v2/deployments", { ...body, secrets: secretsOf(value) });
  }

  /** Notes the response of a create or an update, and returns the revision that it made. */
  acknowledge(body: string): string {
    const deployment = DeploymentSchema.parse(JSON.parse(body));
    this.acknowledged += 1;
    return this.#note(deployment).revision;
  }

  /** Sends one write after the other, to deployments of no other writer, until the kill leaves one unanswered. */
  async write(
    server: Server,
    killed: AbortSignal,
    { writer, writers }: { readonly writer: number; readonly writers: number },
  ): Promise<void> {
    const send = (request: Request) => ask(server, request, this.#signal);
    for (;;) {
      const value = `${(this.#written += 1)}`;
      const chance = this.#random.next();
      const place = Math.floor((this.#ids.length - this.#random.below(NEWEST)) / writers);
      const id = this.#ids[place * writers + writer] ?? "";
      const path = `/v2/deployments/${id}`;
      const kind =
        !this.#entries.has(id) || chance < 0.3 ? "create" : chance < 0.8 ? "update" : "delete";
      try {
        if (kind === "create") this.acknowledge(await send(this.create(value)));
        if (kind === "update") {
          const body = { secrets: secretsOf(value) };
          const revision = this.acknowledge(await send({ method: "PATCH", path, body }));
          const interrupt = post(`${path}/revisions/${revision}/interrupt`, {});
          if (chance < 0.4) await send(interrupt).catch(unlessEnded);
        }
        if (kind === "delete") {
          await send({ method: "DELETE", path });
          this.acknowledged += 1;
          this.#touched.add(id);
          this.#entries.delete(id);
        }
      } catch (error) {
        // `fetch` throws a TypeError where it gets no response.
        if (!killed.aborted || !(error instanceof TypeError)) throw error;
        this.#unanswered.push({ kind, value, id });
        return;
      }
    }
  }

  /** Compares what the writes before a kill concern. */
  async compareTouched(): Promise<void> {
    const { deployments } = this.#client.controlPlane;
    const of = new Map(this.#unanswered.map((unanswered) => [unanswered.id, unanswered]));
    for (const { kind, value } of this.#unanswered)
      if (kind === "create")
        for await (const created of deployments.list({ name_contains: nameOf(value) }))
          this.#note(created);
    of.delete("");
    const ids = [...new Set([...this.#touched, ...of.keys()])];
    await Promise.all(ids.map(async (id) => this.#compare(id, await this.#find(id), of.get(id))));
    this.#touched = new Set();
    this.#unanswered = [];
  }

  /** Compares everything, when the deletes have ended; the roll-outs must end too. */
  async compareAll(): Promise<void> {
    const { deployments } = this.#client.controlPlane;
    const isDeleting = async () => {
      for await (const _ of deployments.list({ status: "AWAITING_DELETE" })) return true;
      return false;
    };
    const endMs = performance.now() + SETTLE_MS;
    while ((await isDeleting()) && performance.now() < endMs) await sleep(POLL_MS);
    const found = new Map<string, Deployment>();
    for await (const deployment of deployments.list({ limit: 100 }))
      found.set(deployment.id, deployment);
    for (const id of new Set([...this.#entries.keys(), ...found.keys()]))
      this.#compare(id, found.get(id));
    let open = [...found.values()].filter(
      ({ status, ...has }) =>
        status !== "READY" || has.active_revision_id !== has.latest_revision_id,
    );
    for (;;) {
      const isOpen = await Promise.all(open.map(({ id }) => this.#isOpen(id)));
      open = open.filter((_, place) => isOpen[place]);
      if (open.length === 0) return;
      if (performance.now() > endMs) break;
      await sleep(POLL_MS);
    }
    this.lost.push(...open.map(({ id }) => `the end of the roll-outs of ${id}`));
  }

  /** Whether a deployment has something to do, or waits for good. */
  async #isOpen(id: string): Promise<boolean> {
    const { deployments, revisions } = this.#client.controlPlane;
    const { status, latest_revision_id } = await deployments.get(id);
    const latest = await revisions.get(id, latest_revision_id ?? "");
    return status !== "READY" || factsOf(latest.status).phase === "in progress";
  }

  #compare(id: string, found: Deployment | undefined, unanswered?: Unanswered): void {
    const entry = this.#entries.get(id);
    this.#entries.delete(id);
    if (!found || found.status === "AWAITING_DELETE") {
      if (entry && unanswered?.kind !== "delete") this.lost.push(`deployment ${id}`);
      return;
    }
    const { value, revision } = entryOf(found);
    this.#entries.set(id, { value, revision });
    if (!entry) this.lost.push(`the delete of ${id}`);
    else if (value === unanswered?.value) return;
    else if (value !== entry.value || revision !== entry.revision)
      this.lost.push(`the update of ${id} to ${entry.value}: it has ${value}`);
  }

  #note(deployment: Deployment): Entry {
    const { id } = deployment;
    const entry = entryOf(deployment);
    if (!this.#entries.has(id)) this.#ids.push(id);
    this.#entries.set(id, entry);
    this.#touched.add(id);
    return entry;
  }

  async #find(id: string): Promise<Deployment | undefined> {
    try {
      return await this.#client.controlPlane.deployments.get(id);
    } catch (error) {
      if (error instanceof NotFound) return undefined;
      throw error;
    }
  }
}

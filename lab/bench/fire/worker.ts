import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { Random } from "../../faults/random";
import { ask, type Request, type Target } from "../load";
import { get, post } from "../local/requests";
import type { clientOf } from "../servers";
import type { Answers } from "./answers";

/** A workspace with its client, on a platform with an admin key and a page. */
export interface Site {
  readonly target: Target;
  readonly client: Awaited<ReturnType<typeof clientOf>>;
  readonly listenerId: string;
  readonly adminKey: string;
  readonly page: Target;
  readonly cookie: string;
}

/** What one deployment of a worker is known by. */
const Owned = z.object({ id: z.string(), source: z.string(), latest_revision_id: z.string() });
type Owned = z.infer<typeof Owned>;
const Created = z.object({ id: z.string() });

const REPOSITORIES = 40;
const repositoryOf = (number: number) =>
  `https://git.example.com/acme/agent-${number % REPOSITORIES}.git`;

/** One of those who use a platform: it changes only deployments of its own, so that none of its requests may fail. */
export class Worker {
  readonly owned: Owned[] = [];
  readonly #site: Site;
  readonly #name: string;
  readonly #answers: Answers;
  readonly #random: Random;
  readonly #signal: AbortSignal;
  #count = 0;

  constructor(
    site: Site,
    name: string,
    { answers, random, signal }: { answers: Answers; random: Random; signal: AbortSignal },
  ) {
    this.#site = site;
    this.#name = name;
    this.#answers = answers;
    this.#random = random;
    this.#signal = signal;
  }

  /** Does one thing; it creates while it has fewer than `most` deployments, else it deletes one as often. */
  async act(most: number): Promise<void> {
    const chance = this.#random.below(100);
    const some = this.owned[this.#random.below(this.owned.length)];
    if (!some) return this.#create();
    const path = `/v2/deployments/${some.id}`;
    const revision = `${path}/revisions/${some.latest_revision_id}`;
    if (chance < 10) return this.owned.length < most ? this.#create() : this.#remove(some);
    if (chance < 18) {
      const secrets = [{ name: "LOG_LEVEL", value: `level ${(this.#count += 1)}` }];
      return this.#change("roll-out", some, { method: "PATCH", path, body: { secrets } });
    }
    if (chance < 22) return this.#change("redeploy", some, post(`${revision}/redeploy`, {}));
    if (chance < 25 && some.source === "git_host") {
      const source_config = { build_on_push: chance === 24 };
      return this.#change("update", some, { method: "PATCH", path, body: { source_config } });
    }
    if (chance < 27) return this.#ask("interrupt", post(`${revision}/interrupt`, {}), /has ended/);
    if (chance < 30) return this.#push();
    if (chance < 33) return this.#listener();
    if (chance < 38) return this.#look(some.id);
    if (chance < 58) return this.#ask("look-up", get(path));
    if (chance < 66) return this.#ask("look-up", get(revision));
    if (chance < 72) return this.#ask("log", get(`${revision}/logs?type=build`));
    if (chance < 80) return this.#ask("list", get("/v2/deployments?limit=100&offset=100"));
    if (chance < 90) return this.#ask("list", get("/v2/deployments?name_contains=-7"));
    return this.#ask("list", get(`${path}/revisions`));
  }

  /** Creates so many deployments. */
  async fill(most: number): Promise<void> {
    while (this.owned.length < most) await this.#create();
  }

  async #create(): Promise<void> {
    const number = (this.#count += 1);
    const name = `${this.#name}-${number}`;
    const { source_config, ...body } = this.#site.client.bodyOf(name, repositoryOf(number));
    const isImage = number % 5 === 0;
    const image = {
      ...body,
      source: "external_container",
      source_config: { listener_id: this.#site.listenerId },
      source_revision_config: { image_uri: `registry.example.com/acme/agent:${number}` },
    };
    const git = { ...body, source_config: { ...source_config, build_on_push: number % 2 === 0 } };
    const request = post("/v2/deployments", isImage ? image : git);
    const created = await this.#answers.time("create", () => this.#send(request));
    if (created !== undefined) this.owned.push(Owned.parse(JSON.parse(created)));
  }

  async #remove(some: Owned): Promise<void> {
    this.owned.splice(this.owned.indexOf(some), 1);
    await this.#ask("delete", { method: "DELETE", path: `/v2/deployments/${some.id}` });
  }

  async #change(kind: string, some: Owned, request: Request): Promise<void> {
    const changed = await this.#answers.time(kind, () => this.#send(request));
    if (changed !== undefined)
      this.owned[this.owned.indexOf(some)] = Owned.parse(JSON.parse(changed));
  }

  /** A push to a repository, which rolls out the deployments of all workspaces that follow it. */
  async #push(): Promise<void> {
    const repoUrl = repositoryOf(this.#random.below(REPOSITORIES));
    const sha = randomBytes(20).toString("hex");
    const headers = { "X-Local-Key": this.#site.adminKey };
    const body = { repoUrl, ref: "main", sha };
    await this.#ask("push", { ...post("/_local/pushes", body), headers });
  }

  async #listener(): Promise<void> {
    const compute_id = `${this.#name}-${(this.#count += 1)}`;
    const body = { compute_type: "k8s", compute_id, compute_config: { k8s_namespaces: ["a"] } };
    await this.#answers.time("listener", async () => {
      const { id } = Created.parse(JSON.parse(await this.#send(post("/v2/listeners", body))));
      const path = `/v2/listeners/${id}`;
      const compute_config = { k8s_namespaces: ["a", "b"] };
      await this.#send({ method: "PATCH", path, body: { compute_config } });
      await this.#send(get("/v2/listeners"));
      await this.#send({ method: "DELETE", path });
    });
  }

  async #look(id: string): Promise<void> {
    const { page, cookie } = this.#site;
    const path = this.#random.pick(["/", "/?show=in-progress", "/requests", `/deployments/${id}`]);
    const request = { ...get(path), headers: { cookie } };
    await this.#answers.time("page", () => ask(page, request, this.#signal));
  }

  async #ask(kind: string, request: Request, expected?: RegExp): Promise<void> {
    await this.#answers.time(kind, () => this.#send(request), expected);
  }

  #send(request: Request): Promise<string> {
    return ask(this.#site.target, request, this.#signal);
  }
}

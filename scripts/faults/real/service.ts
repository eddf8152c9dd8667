import { AgentServer, ControlPlane, NotFound } from "../../../sdk";
import type { Deployment } from "../../../sdk/schema";
import type { Kind } from "./program";

/** A thing on the service. */
export interface Thing {
  readonly kind: Kind;
  readonly id: string;
  /** Its name on the service, where it has one. */
  readonly name: string;
  /** The values that a program declares, without secrets that the service does not show. */
  readonly values: object;
  /** The newest revision that does not serve. */
  readonly waiting?: string;
}

/** A workspace's things, read and deleted past all faults. */
export class Service {
  readonly #client: ControlPlane;
  readonly #threads: AgentServer["threads"];
  readonly #workspaceId: string;

  constructor(place: {
    readonly url: string;
    readonly workspaceId: string;
    readonly apiKey: string;
    readonly agentServerUrl: string;
  }) {
    const { url, workspaceId, apiKey, agentServerUrl } = place;
    this.#client = new ControlPlane({ baseUrl: url, apiKey, workspaceId });
    this.#threads = new AgentServer({ url: agentServerUrl }).threads;
    this.#workspaceId = workspaceId;
  }

  async integrationId(): Promise<string> {
    const [integration] = await Array.fromAsync(this.#client.integrations.list());
    return integration?.id ?? "";
  }

  async all(): Promise<Thing[]> {
    const deployments = await Array.fromAsync(this.#client.deployments.list());
    const listeners = await Array.fromAsync(this.#client.listeners.list());
    const providers = await Array.fromAsync(this.#client.oauthProviders.list());
    const found = await Promise.all([
      ...deployments.map((deployment) => this.#deployment(deployment)),
      ...(await this.#threads.search({ metadata: { run: this.#workspaceId }, limit: 100 })).map(
        ({ thread_id: id }) => this.#thread(id),
      ),
    ]);
    return [
      ...found,
      ...listeners
        .filter(({ compute_id }) => compute_id !== "local")
        .map(({ id, compute_id: computeId, compute_config: { k8s_namespaces: namespaces } }) => {
          const values = { computeId, namespaces };
          return { kind: "Listener" as const, id, name: computeId, values };
        }),
      ...providers.map(({ provider_id: providerId, name }) => {
        const values = { providerId, name };
        return { kind: "OAuthProvider" as const, id: providerId, name: providerId, values };
      }),
    ];
  }

  /** One that is gone is fine. */
  async remove(thing: Pick<Thing, "kind" | "id">): Promise<void> {
    await this.#delete(thing).catch((error: unknown) => {
      if (!(error instanceof NotFound)) throw error;
    });
  }

  #delete({ kind, id }: Pick<Thing, "kind" | "id">): Promise<void> {
    switch (kind) {
      case "Deployment":
        return this.#client.deployments.delete(id);
      case "Listener":
        return this.#client.listeners.delete(id);
      case "OAuthProvider":
        return this.#client.oauthProviders.delete(id);
      case "Thread":
        return this.#threads.delete(id);
    }
  }

  async #deployment(deployment: Deployment): Promise<Thing> {
    const { id, name, secrets, source_config: config, source_revision_config: code } = deployment;
    const [newest] = await this.#client.revisions.newest(id, 1);
    const isServed = newest?.status === "DEPLOYED" && deployment.active_revision_id === newest.id;
    const variables = Object.fromEntries(
      (secrets ?? []).map((secret) => [secret.name, secret.value]),
    );
    const values = {
      code: code.image_uri ?? `${config.repo_url} ${code.repo_ref}`,
      variables,
    };
    const waiting = isServed ? {} : { waiting: `${deployment.status}, ${newest?.status}` };
    return { kind: "Deployment", id, name, values, ...waiting };
  }

  async #thread(id: string): Promise<Thing> {
    const { metadata } = await this.#threads.get(id);
    const { label, resource, run } = metadata;
    const { values } = await this.#threads.state(id);
    const messages = (values.messages ?? []).map(({ content }) => content);
    return {
      kind: "Thread",
      id,
      name: String(resource),
      values: { metadata: { label, resource, run }, messages },
    };
  }
}

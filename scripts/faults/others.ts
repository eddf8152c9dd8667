import type { ResourceTypeName } from "./history";
import type { Workspace } from "./world";

/** More than a page. */
const COUNT = 101;

/** The beginning of their names. */
const NAME = "others-";

/** Things of others that fill the pages of the service's lists. */
export class Others {
  readonly #workspace: Workspace;
  /** Paths to delete. */
  readonly #paths: string[] = [];

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /** Creates a hundred of a kind; says how many, or nothing where the kind's list has no pages. */
  async create(kind: ResourceTypeName): Promise<string | undefined> {
    if (kind !== "listener" || this.#paths.length > 0) return undefined;
    for (let at = 0; at < COUNT; at += 1)
      await this.#workspace.send("POST", "/v2/listeners", {
        compute_type: "k8s",
        compute_id: `${NAME}${at}`,
        compute_config: { k8s_namespaces: ["others"] },
      });
    const { listeners } = this.#workspace.client;
    for await (const { id, compute_id } of listeners.list())
      if (isOfOthers(compute_id)) this.#paths.push(`/v2/listeners/${id}`);
    return `${this.#paths.length}`;
  }

  async deleteOne(): Promise<void> {
    const path = this.#paths.shift();
    if (path !== undefined) await this.#workspace.send("DELETE", path);
  }
}

/** Whether a thing of this name is one of them. */
export function isOfOthers(name: string): boolean {
  return name.startsWith(NAME);
}

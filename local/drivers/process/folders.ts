import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Revision } from "../driver";

/** Names a revision. */
type RevisionName = Pick<Revision, "id" | "deploymentId">;

/** Where the driver keeps what it has of a deployment, below the platform's data folder. */
export class Folders {
  readonly #dataDir: string;

  constructor(dataDir: string) {
    this.#dataDir = dataDir;
  }

  /** The folder of the deployment. */
  deployment(deploymentId: string): string {
    return join(this.#dataDir, "deployments", deploymentId);
  }

  /** The SQLite file of its threads: one for all revisions, so that a thread outlives them. */
  threads(deploymentId: string): string {
    return join(this.deployment(deploymentId), "threads.db");
  }

  /** The repository's files of a revision. */
  checkout(revision: RevisionName): string {
    return join(this.#revision(revision), "checkout");
  }

  /** The virtual environment of a revision that has one to itself. */
  venv(revision: RevisionName): string {
    return join(this.#revision(revision), "venv");
  }

  /** The graph configuration as its server is given it. */
  serverConfig(revision: RevisionName): string {
    return join(this.#revision(revision), "langgraph.json");
  }

  /** What the build has noted for the starts of the server. */
  record(revision: RevisionName): string {
    return join(this.#revision(revision), "runtime.json");
  }

  /** The records of all revisions. */
  async records(): Promise<string[]> {
    const deployments = join(this.#dataDir, "deployments");
    const ids = await readdir(deployments).catch(() => []);
    const names = ids.map(async (deploymentId) => {
      const revisions = await readdir(this.#revisions(deploymentId)).catch(() => []);
      return revisions.map((id) => this.record({ id, deploymentId }));
    });
    return (await Promise.all(names)).flat();
  }

  /** What installs have made, for all deployments. */
  get cache(): string {
    return join(this.#dataDir, "cache");
  }

  /** Removes what there is of all revisions but those. */
  async keepRevisions(deploymentId: string, revisionIds: readonly string[]): Promise<void> {
    const revisions = this.#revisions(deploymentId);
    const all = await readdir(revisions).catch(() => []);
    const old = all.filter((revisionId) => !revisionIds.includes(revisionId));
    await Promise.all(old.map((revisionId) => remove(join(revisions, revisionId))));
  }

  /** Removes what there is of a revision. */
  async removeRevision(revision: RevisionName): Promise<void> {
    await remove(this.#revision(revision));
  }

  /** Removes all of a deployment. */
  async remove(deploymentId: string): Promise<void> {
    await remove(this.deployment(deploymentId));
  }

  #revision({ id, deploymentId }: RevisionName): string {
    return join(this.#revisions(deploymentId), id);
  }

  #revisions(deploymentId: string): string {
    return join(this.deployment(deploymentId), "revisions");
  }
}

async function remove(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}

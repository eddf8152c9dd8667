import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";

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
  checkout(deploymentId: string, revisionId: string): string {
    return join(this.#revisions(deploymentId), revisionId, "checkout");
  }

  /** Removes what there is of all revisions but those. */
  async keepRevisions(deploymentId: string, revisionIds: readonly string[]): Promise<void> {
    const revisions = this.#revisions(deploymentId);
    const all = await readdir(revisions).catch(() => []);
    const old = all.filter((revisionId) => !revisionIds.includes(revisionId));
    await Promise.all(old.map((revisionId) => remove(join(revisions, revisionId))));
  }

  /** Removes all of a deployment. */
  async remove(deploymentId: string): Promise<void> {
    await remove(this.deployment(deploymentId));
  }

  #revisions(deploymentId: string): string {
    return join(this.deployment(deploymentId), "revisions");
  }
}

async function remove(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}

import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Revision } from "../driver";
import { pathsIn } from "../../platform/identity-file";

/** Identifies a revision. */
type RevisionName = Pick<Revision, "id" | "deploymentId">;

/** The paths of the driver's files, below the platform's data folder. */
export class Folders {
  /** The cache of installed packages, for all deployments. */
  readonly cache: string;
  readonly #deployments: string;

  constructor(dataDir: string) {
    ({ cache: this.cache, deployments: this.#deployments } = pathsIn(dataDir));
  }

  /** The folder of the deployment. */
  deployment(deploymentId: string): string {
    return join(this.#deployments, deploymentId);
  }

  /** The SQLite file of the built-in server's threads; all revisions share it, so that threads outlive them. */
  threads(deploymentId: string): string {
    return join(this.deployment(deploymentId), "threads.db");
  }

  /** The checkout of a revision. */
  checkout(revision: RevisionName): string {
    return join(this.#revision(revision), "checkout");
  }

  /** The graph configuration that the server reads. */
  serverConfig(revision: RevisionName): string {
    return join(this.#revision(revision), "langgraph.json");
  }

  /** The record that the build wrote. */
  record(revision: RevisionName): string {
    return join(this.#revision(revision), "runtime.json");
  }

  /** The records of all revisions. */
  async records(): Promise<string[]> {
    const ids = await readdir(this.#deployments).catch(() => []);
    const names = ids.map(async (deploymentId) => {
      const revisions = await readdir(this.#revisions(deploymentId)).catch(() => []);
      return revisions.map((id) => this.record({ id, deploymentId }));
    });
    return (await Promise.all(names)).flat();
  }

  /** Removes the files of all other revisions. */
  async keepRevisions(deploymentId: string, revisionIds: readonly string[]): Promise<void> {
    const revisions = this.#revisions(deploymentId);
    const all = await readdir(revisions).catch(() => []);
    const old = all.filter((revisionId) => !revisionIds.includes(revisionId));
    await Promise.all(old.map((revisionId) => remove(join(revisions, revisionId))));
  }

  /** Removes the files of a revision. */
  async removeRevision(revision: RevisionName): Promise<void> {
    await remove(this.#revision(revision));
  }

  /** Removes the files of a deployment. */
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

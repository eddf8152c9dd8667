import { cp, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "../../../shared/errors";
import type { Revision } from "../driver";
import { pathsIn } from "../../platform/identity-file";

type RevisionName = Pick<Revision, "id" | "deploymentId">;

/** The paths of the driver's files, below the platform's data folder. */
export class Folders {
  readonly cache: string;
  readonly #deployments: string;

  constructor(dataDir: string) {
    ({ cache: this.cache, deployments: this.#deployments } = pathsIn(dataDir));
  }

  deployment(deploymentId: string): string {
    return join(this.#deployments, deploymentId);
  }

  /** The SQLite file of the built-in server's threads; all revisions share it, so that threads outlive them. */
  threads(deploymentId: string): string {
    return join(this.deployment(deploymentId), "threads.db");
  }

  revision({ id, deploymentId }: RevisionName): string {
    return join(this.#revisions(deploymentId), id);
  }

  /** The checkout of a revision, the record that its build wrote, or the graph configuration that its server reads. */
  path(revision: RevisionName, name: "checkout" | "runtime.json" | "langgraph.json"): string {
    return join(this.revision(revision), name);
  }

  async records(): Promise<string[]> {
    const ids = await readdir(this.#deployments).catch(() => []);
    const names = ids.map(async (deploymentId) => {
      const revisions = await readdir(this.#revisions(deploymentId)).catch(() => []);
      return revisions.map((id) => this.path({ id, deploymentId }, "runtime.json"));
    });
    return (await Promise.all(names)).flat();
  }

  /** Removes the files of all other revisions. */
  async keepRevisions(deploymentId: string, revisionIds: readonly string[]): Promise<void> {
    const all = await readdir(this.#revisions(deploymentId)).catch(() => []);
    const old = all.filter((id) => !revisionIds.includes(id));
    await Promise.all(old.map((id) => removeFolder(this.revision({ id, deploymentId }))));
  }

  #revisions(deploymentId: string): string {
    return join(this.deployment(deploymentId), "revisions");
  }
}

/** Removes a folder or a file, if there is one. */
export async function removeFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 });
}

/** Moves a folder to a path that does not exist, also on another file system. */
export async function moveFolder(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (codeOf(error) !== "EXDEV") throw error;
    await cp(from, to, { recursive: true, verbatimSymlinks: true });
    await removeFolder(from);
  }
}

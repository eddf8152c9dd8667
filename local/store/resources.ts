import { z } from "zod";
import type { Database } from "../sqlite/database";

/** The Pulumi resource of a deployment, as its provider names it. */
const Resource = z.object({ project: z.string(), stack: z.string(), name: z.string() });
export type Resource = z.infer<typeof Resource>;

/** The Pulumi resources of all deployments. */
export class Resources {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Undefined where no provider has named one. */
  get(deploymentId: string): Resource | undefined {
    const sql = "SELECT project, stack, name FROM resources WHERE deployment_id = ?";
    return this.#database.get(Resource, sql, deploymentId);
  }

  /** Keeps the last one. A deployment that does not exist is left out. */
  set(deploymentId: string, { project, stack, name }: Resource): void {
    const known = this.get(deploymentId);
    if (known?.project === project && known.stack === stack && known.name === name) return;
    this.#database.run(
      "INSERT OR REPLACE INTO resources SELECT id, ?, ?, ? FROM deployments WHERE id = ?",
      project,
      stack,
      name,
      deploymentId,
    );
  }
}

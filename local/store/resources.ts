import { z } from "zod";
import type { Database } from "../sqlite/database";

const Row = z.object({ urn: z.string() });

/** The Pulumi resources of deployments, as providers name them. */
export class Resources {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The URN of a deployment's resource; undefined where no provider has named one. */
  urn(deploymentId: string): string | undefined {
    const sql = "SELECT urn FROM resources WHERE deployment_id = ?";
    return this.#database.get(Row, sql, deploymentId)?.urn;
  }

  /** Keeps the last one. A deployment that does not exist is left out. */
  set(deploymentId: string, urn: string): void {
    if (this.urn(deploymentId) === urn) return;
    this.#database.run(
      "INSERT OR REPLACE INTO resources SELECT id, ? FROM deployments WHERE id = ?",
      urn,
      deploymentId,
    );
  }
}

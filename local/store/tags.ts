import type { Database } from "../sqlite/database";

/** The tag values of deployments, which a list can be filtered by. */
export class Tags {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Replaces the tag values of a deployment. */
  set(deploymentId: string, tagValueIds: readonly string[]): void {
    this.#database.run("DELETE FROM tags WHERE deployment_id = ?", deploymentId);
    for (const tagValueId of new Set(tagValueIds))
      this.#database.run("INSERT INTO tags VALUES (?, ?)", deploymentId, tagValueId);
  }
}

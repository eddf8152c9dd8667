import { Integration } from "../../sdk/schema";
import type { Database } from "../sqlite/database";

const COLUMNS = "id, installation_id, name";

/** The git hosts of each workspace. */
export class Integrations {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  get(workspaceId: string, id: string): Integration | undefined {
    const sql = `SELECT ${COLUMNS} FROM integrations WHERE workspace_id = ? AND id = ?`;
    return this.#database.get(Integration, sql, workspaceId, id);
  }

  list(workspaceId: string): Integration[] {
    const sql = `SELECT ${COLUMNS} FROM integrations WHERE workspace_id = ? ORDER BY installation_id`;
    return this.#database.all(Integration, sql, workspaceId);
  }

  add(workspaceId: string, integration: Integration): void {
    const { id, installation_id, name } = integration;
    const sql = "INSERT INTO integrations VALUES (?, ?, ?, ?)";
    this.#database.run(sql, id, workspaceId, installation_id, name);
  }
}

import { Listener } from "../../sdk/schema";
import type { Database } from "../sqlite/database";
import { json } from "../sqlite/json";

const StoredListener = Listener.extend({ compute_config: json(Listener.shape.compute_config) });

/** The listeners of each workspace. */
export class Listeners {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  get(workspaceId: string, id: string): Listener | undefined {
    const sql = "SELECT * FROM listeners WHERE workspace_id = ? AND id = ?";
    return this.#database.get(StoredListener, sql, workspaceId, id);
  }

  /** A page, newest first. */
  list(workspaceId: string, limit: number, offset: number): Listener[] {
    const sql = `SELECT * FROM listeners WHERE workspace_id = ?
      ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?`;
    return this.#database.all(StoredListener, sql, workspaceId, limit, offset);
  }

  /** The listener of a compute; a workspace has at most one. */
  ofCompute(workspaceId: string, computeId: string): Listener | undefined {
    const sql = "SELECT * FROM listeners WHERE workspace_id = ? AND compute_id = ?";
    return this.#database.get(StoredListener, sql, workspaceId, computeId);
  }

  remove(id: string): void {
    this.#database.run("DELETE FROM listeners WHERE id = ?", id);
  }

  /** Adds or updates a listener. */
  put(workspaceId: string, listener: Listener): void {
    this.#database.run(
      `INSERT INTO listeners VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET
        compute_config = excluded.compute_config, version = excluded.version, updated_at = excluded.updated_at`,
      listener.id,
      workspaceId,
      listener.compute_type,
      listener.compute_id,
      JSON.stringify(listener.compute_config),
      listener.version ?? null,
      listener.created_at,
      listener.updated_at,
    );
  }
}

import { z } from "zod";
import { Listener } from "../../sdk/schema";
import type { Database } from "../sqlite/database";
import { json } from "../sqlite/json";

const Row = z.object({ listener: json(Listener) });

/** The listeners of each workspace. */
export class Listeners {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  get(workspaceId: string, id: string): Listener | undefined {
    const sql = "SELECT listener FROM listeners WHERE workspace_id = ? AND id = ?";
    return this.#database.get(Row, sql, workspaceId, id)?.listener;
  }

  /** A page, newest first. */
  list(workspaceId: string, limit: number, offset: number): Listener[] {
    const sql = `SELECT listener FROM listeners WHERE workspace_id = ?
      ORDER BY listener ->> 'created_at' DESC, id DESC LIMIT ? OFFSET ?`;
    const rows = this.#database.all(Row, sql, workspaceId, limit, offset);
    return rows.map(({ listener }) => listener);
  }

  /** The listener of a compute; a workspace has at most one. */
  ofCompute(workspaceId: string, computeId: string): Listener | undefined {
    const sql = "SELECT listener FROM listeners WHERE workspace_id = ? AND compute_id = ?";
    return this.#database.get(Row, sql, workspaceId, computeId)?.listener;
  }

  remove(id: string): void {
    this.#database.run("DELETE FROM listeners WHERE id = ?", id);
  }

  /** Adds or updates a listener. */
  put(workspaceId: string, listener: Listener): void {
    this.#database.run(
      `INSERT INTO listeners VALUES (?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET listener = excluded.listener`,
      listener.id,
      workspaceId,
      listener.compute_id,
      JSON.stringify(listener),
    );
  }
}

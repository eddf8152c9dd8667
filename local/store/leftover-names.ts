import { z } from "zod";
import type { Database } from "../sqlite/database";

/** Names that no deployment has but that are in use, as by the tracing project of a deleted one. */
export class LeftoverNames {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  has(name: string): boolean {
    const sql = "SELECT name FROM leftover_names WHERE name = ?";
    return this.#database.get(z.object({ name: z.string() }), sql, name) !== undefined;
  }

  add(name: string): void {
    this.#database.run("INSERT INTO leftover_names VALUES (?) ON CONFLICT DO NOTHING", name);
  }
}

import { z } from "zod";
import type { Database } from "./database";

/** What a data folder chose at its first start and keeps: the port, the admin key and the first workspace. */
export const Identity = z.object({
  port: z.int(),
  admin_key: z.string(),
  workspace_id: z.string(),
  clock_offset_ms: z.int(),
});
export type Identity = z.infer<typeof Identity>;

/** The one row about the platform itself. */
export class PlatformRow {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  get(): Identity | undefined {
    return this.#database.get(Identity, "SELECT * FROM platform");
  }

  add(identity: Identity): void {
    const { port, admin_key, workspace_id, clock_offset_ms } = identity;
    const sql = "INSERT INTO platform VALUES (1, ?, ?, ?, ?)";
    this.#database.run(sql, port, admin_key, workspace_id, clock_offset_ms);
  }

  setClockOffset(milliseconds: number): void {
    this.#database.run("UPDATE platform SET clock_offset_ms = ?", milliseconds);
  }
}

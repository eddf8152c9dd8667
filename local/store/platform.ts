import { z } from "zod";
import type { Database } from "../sqlite/database";

/** The choices of a data folder's first start, and the offset of its clock. */
const KeptPlatform = z.object({
  port: z.int(),
  admin_key: z.string(),
  workspace_id: z.string(),
  /** The key of that workspace. */
  api_key: z.string(),
  clock_offset_ms: z.int(),
  /** The port of the page; null before its first start. */
  page_port: z.int().nullable(),
});
export type KeptPlatform = z.infer<typeof KeptPlatform>;

const NewestTime = z.object({ at: z.string().nullable() });

/** The one row about the platform; a new data folder has none. */
export class PlatformRow {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  get(): KeptPlatform | undefined {
    const sql = `SELECT p.*, w.api_key FROM platform p JOIN workspaces w ON w.id = p.workspace_id`;
    return this.#database.get(KeptPlatform, sql);
  }

  /** The newest time of what is listed newest first, in milliseconds since 1970; 0 without any. */
  newestMs(): number {
    const sql = `SELECT max(at) AS at FROM (SELECT max(updated_at) AS at FROM deployments UNION ALL
      SELECT max(updated_at) FROM revisions UNION ALL SELECT max(listener ->> 'updated_at') FROM listeners)`;
    return Date.parse(this.#database.get(NewestTime, sql)?.at ?? "") || 0;
  }

  add(port: number, adminKey: string, workspaceId: string): void {
    const sql = "INSERT INTO platform VALUES (1, ?, ?, ?, 0, NULL)";
    this.#database.run(sql, port, adminKey, workspaceId);
  }

  setPagePort(port: number): void {
    this.#database.run("UPDATE platform SET page_port = ?", port);
  }

  setClockOffset(milliseconds: number): void {
    this.#database.run("UPDATE platform SET clock_offset_ms = ?", milliseconds);
  }
}

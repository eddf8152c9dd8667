import { z } from "zod";
import type { Database } from "../sqlite/database";

/** A workspace (the contract's tenant) and the key that opens it. */
export const Workspace = z.object({ id: z.string(), name: z.string(), api_key: z.string() });
export type Workspace = z.infer<typeof Workspace>;

/** The workspaces of the platform. */
export class Workspaces {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  all(): Workspace[] {
    return this.#database.all(Workspace, "SELECT * FROM workspaces");
  }

  add(workspace: Workspace): void {
    const { id, name, api_key } = workspace;
    this.#database.run("INSERT INTO workspaces VALUES (?, ?, ?)", id, name, api_key);
  }
}

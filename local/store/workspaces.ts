import { z } from "zod";
import type { Database } from "../sqlite/database";

/** A workspace (the contract's tenant) and the key that opens it. */
export const Workspace = z.object({ id: z.string(), name: z.string(), api_key: z.string() });
export type Workspace = z.infer<typeof Workspace>;

/** The workspaces of the platform. Each request asks for them, so they are kept: no other process writes the file. */
export class Workspaces {
  readonly #database: Database;
  #all: readonly Workspace[] | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  all(): readonly Workspace[] {
    this.#all ??= this.#database.all(Workspace, "SELECT * FROM workspaces");
    return this.#all;
  }

  add(workspace: Workspace): void {
    const { id, name, api_key } = workspace;
    this.#database.run("INSERT INTO workspaces VALUES (?, ?, ?)", id, name, api_key);
    this.#all = undefined;
  }
}

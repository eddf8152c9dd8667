import { z } from "zod";
import { OAuthProvider } from "../../sdk/schema";
import type { Database } from "../sqlite/database";
import { json } from "../sqlite/json";

/** A provider as responses contain it, with every member, and its secret, which no response contains. */
const StoredProvider = z.object({
  provider: json(OAuthProvider.required()),
  client_secret: z.string().nullable(),
});
export type StoredProvider = z.infer<typeof StoredProvider>;

/** The OAuth providers of each workspace. */
export class OAuthProviders {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  get(workspaceId: string, providerId: string): StoredProvider | undefined {
    const sql = "SELECT * FROM oauth_providers WHERE workspace_id = ? AND provider_id = ?";
    return this.#database.get(StoredProvider, sql, workspaceId, providerId);
  }

  /** All providers, oldest first. */
  list(workspaceId: string): StoredProvider["provider"][] {
    const sql = "SELECT * FROM oauth_providers WHERE workspace_id = ? ORDER BY rowid";
    return this.#database.all(StoredProvider, sql, workspaceId).map(({ provider }) => provider);
  }

  /** Adds or updates a provider. */
  put(workspaceId: string, { provider, client_secret }: StoredProvider): void {
    this.#database.run(
      `INSERT INTO oauth_providers VALUES (?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET provider = excluded.provider, client_secret = excluded.client_secret`,
      workspaceId,
      provider.provider_id,
      JSON.stringify(provider),
      client_secret,
    );
  }

  remove(workspaceId: string, providerId: string): void {
    const sql = "DELETE FROM oauth_providers WHERE workspace_id = ? AND provider_id = ?";
    this.#database.run(sql, workspaceId, providerId);
  }
}

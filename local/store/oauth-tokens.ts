import { z } from "zod";
import { OAuthToken } from "../../sdk/schema";
import type { Database } from "../sqlite/database";
import { json } from "../sqlite/json";

/** A token as responses contain it, with every member, and its value, which only those of an authentication contain. */
const StoredToken = z.object({ token: json(OAuthToken.required()), access_token: z.string() });
export type StoredToken = z.infer<typeof StoredToken>;

/** The tokens that each workspace has at OAuth providers. They go with their provider. */
export class OAuthTokens {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  get(workspaceId: string, id: string): StoredToken | undefined {
    const sql = "SELECT * FROM oauth_tokens WHERE workspace_id = ? AND id = ?";
    return this.#database.get(StoredToken, sql, workspaceId, id);
  }

  /** All tokens, or those of one provider; oldest first. */
  list(workspaceId: string, providerId?: string): StoredToken[] {
    const sql = `SELECT * FROM oauth_tokens WHERE workspace_id = ?1 AND provider_id = ifnull(?2, provider_id) ORDER BY rowid`;
    return this.#database.all(StoredToken, sql, workspaceId, providerId ?? null);
  }

  /** Adds or updates a token. A provider has one default: another one that was it no longer is. */
  put(workspaceId: string, stored: StoredToken): void {
    this.#database.transaction(() => {
      const { id, provider_id, is_default } = stored.token;
      if (is_default)
        for (const other of this.list(workspaceId, provider_id))
          if (other.token.is_default && other.token.id !== id)
            this.#write(workspaceId, { ...other, token: { ...other.token, is_default: false } });
      this.#write(workspaceId, stored);
    });
  }

  remove(workspaceId: string, id: string): void {
    this.#database.run(
      "DELETE FROM oauth_tokens WHERE workspace_id = ? AND id = ?",
      workspaceId,
      id,
    );
  }

  #write(workspaceId: string, { token, access_token }: StoredToken): void {
    this.#database.run(
      "INSERT INTO oauth_tokens VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET token = excluded.token",
      token.id,
      workspaceId,
      token.provider_id,
      JSON.stringify(token),
      access_token,
    );
  }
}

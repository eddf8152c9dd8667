import { z } from "zod";
import {
  Secret,
  SecretReference,
  Source,
  SourceConfig,
  SourceRevisionConfig,
} from "../../sdk/schema";
import { REVISION_STATUSES, type RevisionStatus } from "../../sdk/status";
import type { Database } from "../sqlite/database";
import { json } from "../sqlite/json";

/** A revision with the settings and environment of its creation, from which a restart resumes it. */
export const StoredRevision = z.object({
  id: z.string(),
  deployment_id: z.string(),
  source: Source,
  /** That of its deployment. */
  url: z.string(),
  status: z.enum(REVISION_STATUSES),
  source_config: json(SourceConfig),
  source_revision_config: json(SourceRevisionConfig),
  secrets: json(z.array(Secret)),
  secret_references: json(z.array(SecretReference)),
  created_at: z.string(),
  updated_at: z.string(),
  /** Whether a push created it, not a request. */
  pushed: z.int().transform(Boolean),
});
export type StoredRevision = z.infer<typeof StoredRevision>;

/** When a revision got a status. */
const StatusChange = z.object({ at: z.string(), status: z.enum(REVISION_STATUSES) });
export type StatusChange = z.infer<typeof StatusChange>;

/** The columns of a new revision. */
export type NewRevision = Pick<
  StoredRevision,
  "id" | "deployment_id" | "source_config" | "source_revision_config" | "secrets"
> &
  Partial<Pick<StoredRevision, "secret_references">> & {
    readonly image_version: string | null;
    readonly pushed?: boolean;
  };

const SELECT =
  "SELECT r.*, d.source, d.url FROM revisions r JOIN deployments d ON d.id = r.deployment_id";

/** The revisions of all deployments. */
export class Revisions {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  get(id: string): StoredRevision | undefined {
    return this.#database.get(StoredRevision, `${SELECT} WHERE r.id = ?`, id);
  }

  /** A page of a deployment's revisions, newest first; all statuses unless `statuses` is set. */
  list(
    deploymentId: string,
    page: { limit: number; offset: number; statuses?: readonly string[] | undefined },
  ): StoredRevision[] {
    const among = page.statuses ? "AND r.status IN (SELECT value FROM json_each(?))" : "";
    const sql = `${SELECT} WHERE r.deployment_id = ? ${among}
      ORDER BY r.created_at DESC, r.id DESC LIMIT ? OFFSET ?`;
    const statuses = page.statuses ? [JSON.stringify(page.statuses)] : [];
    return this.#database.all(
      StoredRevision,
      sql,
      deploymentId,
      ...statuses,
      page.limit,
      page.offset,
    );
  }

  /** Those with one of these statuses, oldest first; of one deployment or of all. */
  withStatus(statuses: readonly string[], deploymentId?: string): StoredRevision[] {
    const ofDeployment = deploymentId === undefined ? "" : "AND r.deployment_id = ?";
    const sql = `${SELECT} WHERE r.status IN (SELECT value FROM json_each(?)) ${ofDeployment}
      ORDER BY r.created_at, r.id`;
    const owner = deploymentId === undefined ? [] : [deploymentId];
    return this.#database.all(StoredRevision, sql, JSON.stringify(statuses), ...owner);
  }

  /** The active revision of each deployment. */
  active(): StoredRevision[] {
    return this.#database.all(StoredRevision, `${SELECT} WHERE d.active_revision_id = r.id`);
  }

  /** The statuses that a revision has had, oldest first. */
  statusChanges(id: string): StatusChange[] {
    const sql = "SELECT at, status FROM status_changes WHERE revision_id = ? ORDER BY at";
    return this.#database.all(StatusChange, sql, id);
  }

  add(revision: NewRevision, at: string): void {
    this.#database.run(
      `INSERT INTO revisions VALUES (?, ?, 'CREATING', ?, ?, ?, ?, ?, ?, ?, ?)`,
      revision.id,
      revision.deployment_id,
      JSON.stringify(revision.source_config),
      JSON.stringify(revision.source_revision_config),
      JSON.stringify(revision.secrets),
      JSON.stringify(revision.secret_references ?? []),
      revision.image_version,
      at,
      at,
      revision.pushed ? 1 : 0,
    );
    this.#addStatusChange(revision.id, at, "CREATING");
  }

  /** Stores what a transition changes; in a transaction. */
  update(
    revision: Pick<StoredRevision, "id" | "status" | "source_revision_config" | "updated_at">,
  ): void {
    this.#database.run(
      "UPDATE revisions SET status = ?, source_revision_config = ?, updated_at = ? WHERE id = ?",
      revision.status,
      JSON.stringify(revision.source_revision_config),
      revision.updated_at,
      revision.id,
    );
    this.#addStatusChange(revision.id, revision.updated_at, revision.status);
  }

  #addStatusChange(id: string, at: string, status: RevisionStatus): void {
    this.#database.run("INSERT INTO status_changes VALUES (?, ?, ?)", id, at, status);
  }
}

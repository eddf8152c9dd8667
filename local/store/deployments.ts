import { z } from "zod";
import {
  Secret,
  SecretReference,
  Source,
  SourceConfig,
  SourceRevisionConfig,
} from "../../sdk/schema";
import { DEPLOYMENT_STATUSES, type DeploymentStatus } from "../../sdk/status";
import type { Database } from "../sqlite/database";
import { conditionsOf, type Condition, type StoreFilters } from "./deployment-filters";
import { json } from "../sqlite/json";

/** A deployment with the configuration, environment and image version of its latest revision. */
export const StoredDeployment = z.object({
  id: z.string(),
  workspace_id: z.string(),
  name: z.string(),
  source: Source,
  source_config: json(SourceConfig),
  status: z.enum(DEPLOYMENT_STATUSES),
  url: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  latest_revision_id: z.string(),
  active_revision_id: z.string().nullable(),
  display_name: z.string().nullable(),
  source_revision_config: json(SourceRevisionConfig),
  secrets: json(z.array(Secret)),
  secret_references: json(z.array(SecretReference)),
  image_version: z.string().nullable(),
});
export type StoredDeployment = z.infer<typeof StoredDeployment>;

/** The columns of a new deployment; its first revision is stored beside it in the same transaction. */
export type NewDeployment = Pick<
  StoredDeployment,
  "id" | "workspace_id" | "name" | "source" | "source_config" | "url" | "latest_revision_id"
>;

const UsedRepository = z.object({ repo_url: z.string(), branch: z.string() });
type UsedRepository = z.infer<typeof UsedRepository>;

const BuiltRepository = UsedRepository.pick({ repo_url: true });

/** SQL condition: a push creates a revision of the deployment `d`. */
export const BUILT_ON_PUSH =
  "d.source_config ->> 'build_on_push' = 1 AND d.status <> 'AWAITING_DELETE'";

const SELECT = `SELECT d.*, r.source_revision_config, r.secrets, r.secret_references,
  r.image_version
  FROM deployments d JOIN revisions r ON r.id = d.latest_revision_id`;

/** The deployments of all workspaces. */
export class Deployments {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  get(id: string): StoredDeployment | undefined {
    return this.#database.get(StoredDeployment, `${SELECT} WHERE d.id = ?`, id);
  }

  named(workspaceId: string, name: string): StoredDeployment | undefined {
    const sql = `${SELECT} WHERE d.workspace_id = ? AND d.name = ?`;
    return this.#database.get(StoredDeployment, sql, workspaceId, name);
  }

  /** Those of all workspaces that are built on a push to this repository, or to this branch of it. */
  builtOnPush(repoUrl: string, branch?: string): StoredDeployment[] {
    const tracked = branch === undefined ? "" : "AND r.source_revision_config ->> 'repo_ref' = ?";
    const sql = `${SELECT} WHERE ${BUILT_ON_PUSH} AND d.source_config ->> 'repo_url' = ? ${tracked}`;
    const branches = branch === undefined ? [] : [branch];
    return this.#database.all(StoredDeployment, sql, repoUrl, ...branches);
  }

  /** The repositories of those that are built on a push, without duplicates. */
  repositoriesBuiltOnPush(): string[] {
    const sql = `SELECT DISTINCT d.source_config ->> 'repo_url' AS repo_url
      FROM deployments d WHERE ${BUILT_ON_PUSH}`;
    return this.#database.all(BuiltRepository, sql).map(({ repo_url }) => repo_url);
  }

  /** The repositories of a workspace's deployments, without duplicates, with a deployed branch, else `main`. */
  repositories(workspaceId: string): UsedRepository[] {
    const sql = `SELECT d.source_config ->> 'repo_url' AS repo_url,
        coalesce(max(ref) FILTER (WHERE ref NOT LIKE 'refs/%'), 'main') AS branch
      FROM deployments d JOIN
        (SELECT id, source_revision_config ->> 'repo_ref' AS ref FROM revisions) r ON r.id = d.latest_revision_id
      WHERE d.workspace_id = ? AND repo_url IS NOT NULL GROUP BY repo_url ORDER BY repo_url`;
    return this.#database.all(UsedRepository, sql, workspaceId);
  }

  withStatus(status: DeploymentStatus): StoredDeployment[] {
    return this.#database.all(StoredDeployment, `${SELECT} WHERE d.status = ?`, status);
  }

  /**
   * A page, newest first. An insert between two pages moves rows to later pages: one may come twice, none is missed. A
   * delete moves them to earlier pages, which can hide one.
   */
  list(workspaceId: string, filters: StoreFilters, limit: number, offset: number) {
    const all: Condition[] = [["d.workspace_id = ?", workspaceId], ...conditionsOf(filters)];
    const where = all.map(([sql]) => sql).join(" AND ");
    const values = all.flatMap(([, ...given]) => given);
    // The page is selected before the join, which would read every skipped row too.
    const newest = "ORDER BY d.created_at DESC, d.id DESC";
    const page = `SELECT d.id FROM deployments d WHERE ${where} ${newest} LIMIT ? OFFSET ?`;
    const sql = `${SELECT} WHERE d.id IN (${page}) ${newest}`;
    return this.#database.all(StoredDeployment, sql, ...values, limit, offset);
  }

  add(deployment: NewDeployment, at: string): void {
    this.#database.run(
      `INSERT INTO deployments VALUES (?, ?, ?, ?, ?, 'AWAITING_DATABASE', ?, ?, ?, ?, NULL, NULL)`,
      deployment.id,
      deployment.workspace_id,
      deployment.name,
      deployment.source,
      JSON.stringify(deployment.source_config),
      deployment.url,
      at,
      at,
      deployment.latest_revision_id,
    );
  }

  setStatus(id: string, status: DeploymentStatus, at: string): void {
    this.#set(id, "status", status, at);
  }

  setSourceConfig(id: string, sourceConfig: SourceConfig, at: string): void {
    this.#set(id, "source_config", JSON.stringify(sourceConfig), at);
  }

  setDisplayName(id: string, name: string, at: string): void {
    this.#set(id, "display_name", name, at);
  }

  setLatestRevision(id: string, revisionId: string, at: string): void {
    this.#set(id, "latest_revision_id", revisionId, at);
  }

  setActiveRevision(id: string, revisionId: string, at: string): void {
    this.#set(id, "active_revision_id", revisionId, at);
  }

  /** Removes it with its revisions, tags and logs. */
  remove(id: string): void {
    this.#database.run("DELETE FROM deployments WHERE id = ?", id);
  }

  #set(
    id: string,
    column:
      | "status"
      | "source_config"
      | "latest_revision_id"
      | "active_revision_id"
      | "display_name",
    value: string,
    at: string,
  ): void {
    const sql = `UPDATE deployments SET ${column} = ?, updated_at = ? WHERE id = ?`;
    this.#database.run(sql, value, at, id);
  }
}

import { z } from "zod";
import { Source } from "../../sdk/schema";
import { DEPLOYMENT_STATUSES, REVISION_STATUSES, statusesIn } from "../../sdk/status";
import type { Database } from "../sqlite/database";

/** A deployment in one row: what serves, and how its newest revision is. */
const OverviewRow = z.object({
  id: z.string(),
  name: z.string(),
  workspace: z.string(),
  source: Source,
  status: z.enum(DEPLOYMENT_STATUSES),
  url: z.string(),
  created_at: z.string(),
  latest_id: z.string(),
  latest_status: z.enum(REVISION_STATUSES),
  latest_created_at: z.string(),
  latest_updated_at: z.string(),
  latest_pushed: z.int().transform(Boolean),
  active_id: z.string().nullable(),
  active_ref: z.string().nullable(),
  active_commit: z.string().nullable(),
  active_image: z.string().nullable(),
});
export type OverviewRow = z.infer<typeof OverviewRow>;

const LATEST_STATUS = `(SELECT status FROM revisions WHERE id = d.latest_revision_id) IN
  (SELECT value FROM json_each(?))`;
const IN_PROGRESS = JSON.stringify([...statusesIn("in progress")]);
const FAILED = JSON.stringify([...statusesIn("failed"), ...statusesIn("interrupted")]);

/** A SQL condition and its values. */
type Condition = readonly [sql: string, ...values: string[]];

/** All deployments, those that serve, and those whose newest revision is in progress or has failed. */
const GROUPS = {
  all: ["TRUE"],
  serving: ["d.active_revision_id IS NOT NULL"],
  "in-progress": [LATEST_STATUS, IN_PROGRESS],
  failed: [LATEST_STATUS, FAILED],
} as const satisfies Record<string, Condition>;

/** Filters of the list; both must match. */
export interface OverviewFilter {
  /** A part of the name, whatever its case, or the beginning or the end of an id. */
  readonly search?: string | undefined;
  readonly group: keyof typeof GROUPS;
}

const Counts = z.object({
  all: z.int(),
  serving: z.int(),
  in_progress: z.int(),
  failed: z.int(),
});
const Id = z.object({ id: z.string() });

/** The deployments of all workspaces, as people look for them. */
export class Overview {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** A page, newest first. */
  list(filter: OverviewFilter, limit: number, offset: number): OverviewRow[] {
    const [where, values] = conditionOf(filter);
    const newest = "ORDER BY d.created_at DESC, d.id DESC";
    // The page is selected before the joins, which would read every skipped row too.
    const page = `SELECT d.id FROM deployments d WHERE ${where} ${newest} LIMIT ? OFFSET ?`;
    const sql = `SELECT d.id, d.name, w.name AS workspace, d.source, d.status, d.url, d.created_at,
        l.id AS latest_id, l.status AS latest_status, l.created_at AS latest_created_at,
        l.updated_at AS latest_updated_at, l.pushed AS latest_pushed, a.id AS active_id,
        a.source_revision_config ->> 'repo_ref' AS active_ref,
        a.source_revision_config ->> 'repo_commit_sha' AS active_commit,
        a.source_revision_config ->> 'image_uri' AS active_image
      FROM deployments d JOIN workspaces w ON w.id = d.workspace_id
        JOIN revisions l ON l.id = d.latest_revision_id
        LEFT JOIN revisions a ON a.id = d.active_revision_id
      WHERE d.id IN (${page}) ${newest}`;
    return this.#database.all(OverviewRow, sql, ...values, limit, offset);
  }

  /** The ids of all that serve, newest first. */
  serving(): string[] {
    const sql = `SELECT id FROM deployments d WHERE ${GROUPS.serving[0]} ORDER BY created_at DESC, id DESC`;
    return this.#database.all(Id, sql).map(({ id }) => id);
  }

  /** Counts of the deployments that match, by group. */
  counts(search?: string): Record<OverviewFilter["group"], number> {
    const [where, values] = conditionOf({ search, group: "all" });
    const inGroup = "sum(r.status IN (SELECT value FROM json_each(?)))";
    const sql = `SELECT count(*) AS "all", coalesce(sum(${GROUPS.serving[0]}), 0) AS serving,
        coalesce(${inGroup}, 0) AS in_progress, coalesce(${inGroup}, 0) AS failed
      FROM deployments d JOIN (SELECT id, status FROM revisions) r ON r.id = d.latest_revision_id WHERE ${where}`;
    const found = this.#database.get(Counts, sql, IN_PROGRESS, FAILED, ...values);
    return {
      all: found?.all ?? 0,
      serving: found?.serving ?? 0,
      "in-progress": found?.in_progress ?? 0,
      failed: found?.failed ?? 0,
    };
  }
}

function conditionOf({ search, group }: OverviewFilter): [sql: string, values: string[]] {
  const conditions: Condition[] = [GROUPS[group]];
  if (search) {
    const text = search.toLowerCase();
    const matches =
      "instr(lower(d.name), ?) > 0 OR instr(d.id, ?) = 1 OR substr(d.id, -length(?)) = ?";
    conditions.push([`(${matches})`, text, text, text, text]);
  }
  const sql = conditions.map(([text]) => text).join(" AND ");
  return [sql, conditions.flatMap(([, ...values]) => values)];
}

import Libsql from "libsql";

/** The form of a database file of schema version 1, as that release made it. Never changed. */
const SCHEMA = `
  CREATE TABLE workspaces (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, api_key TEXT NOT NULL UNIQUE
  ) STRICT;
  CREATE TABLE platform (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    port INTEGER NOT NULL,
    admin_key TEXT NOT NULL,
    workspace_id TEXT NOT NULL REFERENCES workspaces (id),
    clock_offset_ms INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE integrations (
    id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL REFERENCES workspaces (id),
    installation_id INTEGER NOT NULL, name TEXT NOT NULL
  ) STRICT;
  CREATE TABLE listeners (
    id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL REFERENCES workspaces (id),
    compute_type TEXT NOT NULL, compute_id TEXT NOT NULL, compute_config TEXT NOT NULL, version TEXT,
    created_at TEXT NOT NULL, updated_at TEXT NOT NULL, UNIQUE (workspace_id, compute_id)
  ) STRICT;
  CREATE TABLE deployments (
    id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL REFERENCES workspaces (id),
    name TEXT NOT NULL, source TEXT NOT NULL, source_config TEXT NOT NULL,
    status TEXT NOT NULL, url TEXT NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    latest_revision_id TEXT NOT NULL, active_revision_id TEXT, UNIQUE (workspace_id, name)
  ) STRICT;
  CREATE INDEX deployments_newest ON deployments (workspace_id, created_at DESC, id DESC);
  CREATE TABLE revisions (
    id TEXT PRIMARY KEY, deployment_id TEXT NOT NULL REFERENCES deployments (id) ON DELETE CASCADE,
    status TEXT NOT NULL, source_config TEXT NOT NULL, source_revision_config TEXT NOT NULL,
    secrets TEXT NOT NULL, image_version TEXT, created_at TEXT NOT NULL, updated_at TEXT NOT NULL
  ) STRICT;
  CREATE INDEX revisions_newest ON revisions (deployment_id, created_at DESC, id DESC);
  CREATE TABLE tags (
    deployment_id TEXT NOT NULL REFERENCES deployments (id) ON DELETE CASCADE,
    tag_value_id TEXT NOT NULL, PRIMARY KEY (deployment_id, tag_value_id)
  ) STRICT;
  CREATE TABLE leftover_names (name TEXT PRIMARY KEY) STRICT;
  PRAGMA user_version = 1;
`;

type Row = readonly (string | number | null)[];

/** Makes a file of version 1 with these rows by table, in the order given. */
export function writeVersion1(path: string, tables: Readonly<Record<string, readonly Row[]>>) {
  const file = new Libsql(path);
  file.exec(SCHEMA);
  for (const [table, rows] of Object.entries(tables))
    for (const row of rows) {
      const places = row.map(() => "?").join(", ");
      file
        .prepare<(string | number | null)[]>(`INSERT INTO ${table} VALUES (${places})`)
        .run(...row);
    }
  file.close();
}

/** The version that a file says it has. */
export function versionOf(path: string): number {
  const file = new Libsql(path);
  const [row]: unknown[] = file.prepare("PRAGMA user_version").all();
  file.close();
  return Number(Reflect.get(Object(row), "user_version"));
}

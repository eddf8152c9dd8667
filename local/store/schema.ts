/** The tables of `platform.db`. */
export const SCHEMA = `
  CREATE TABLE workspaces (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, api_key TEXT NOT NULL UNIQUE
  ) STRICT;
  CREATE TABLE platform (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    port INTEGER NOT NULL,
    admin_key TEXT NOT NULL,
    workspace_id TEXT NOT NULL REFERENCES workspaces (id),
    clock_offset_ms INTEGER NOT NULL,
    page_port INTEGER
  ) STRICT;
  CREATE TABLE integrations (
    id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL REFERENCES workspaces (id),
    installation_id INTEGER NOT NULL, name TEXT NOT NULL
  ) STRICT;
  CREATE TABLE listeners (
    id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL REFERENCES workspaces (id),
    compute_id TEXT NOT NULL, listener TEXT NOT NULL, UNIQUE (workspace_id, compute_id)
  ) STRICT;
  CREATE TABLE oauth_providers (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id), provider_id TEXT NOT NULL,
    provider TEXT NOT NULL, client_secret TEXT, PRIMARY KEY (workspace_id, provider_id)
  ) STRICT;
  CREATE TABLE oauth_tokens (
    id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL, provider_id TEXT NOT NULL,
    token TEXT NOT NULL, access_token TEXT NOT NULL,
    FOREIGN KEY (workspace_id, provider_id) REFERENCES oauth_providers ON DELETE CASCADE
  ) STRICT;
  CREATE TABLE deployments (
    id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL REFERENCES workspaces (id),
    name TEXT NOT NULL, source TEXT NOT NULL, source_config TEXT NOT NULL,
    status TEXT NOT NULL, url TEXT NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    latest_revision_id TEXT NOT NULL, active_revision_id TEXT, display_name TEXT,
    UNIQUE (workspace_id, name)
  ) STRICT;
  CREATE INDEX deployments_newest ON deployments (workspace_id, created_at DESC, id DESC);
  CREATE INDEX deployments_built_on_push ON deployments (source_config ->> 'repo_url')
    WHERE source_config ->> 'build_on_push' = 1;
  CREATE TABLE tags (
    deployment_id TEXT NOT NULL REFERENCES deployments (id) ON DELETE CASCADE,
    tag_value_id TEXT NOT NULL, PRIMARY KEY (deployment_id, tag_value_id)
  ) STRICT;
  CREATE TABLE resources (
    deployment_id TEXT PRIMARY KEY REFERENCES deployments (id) ON DELETE CASCADE,
    project TEXT NOT NULL, stack TEXT NOT NULL, name TEXT NOT NULL
  ) STRICT;
  CREATE TABLE seen_branches (
    deployment_id TEXT PRIMARY KEY REFERENCES deployments (id) ON DELETE CASCADE, branch TEXT NOT NULL, sha TEXT
  ) STRICT;
  CREATE TABLE leftover_names (name TEXT PRIMARY KEY) STRICT;
  CREATE TABLE revisions (
    id TEXT PRIMARY KEY, deployment_id TEXT NOT NULL REFERENCES deployments (id) ON DELETE CASCADE,
    status TEXT NOT NULL, source_config TEXT NOT NULL, source_revision_config TEXT NOT NULL,
    secrets TEXT NOT NULL, secret_references TEXT NOT NULL, image_version TEXT, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    pushed INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX revisions_newest ON revisions (deployment_id, created_at DESC, id DESC);
  CREATE TABLE status_changes (
    revision_id TEXT NOT NULL REFERENCES revisions (id) ON DELETE CASCADE, at TEXT NOT NULL, status TEXT NOT NULL,
    PRIMARY KEY (revision_id, at)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE log_lines (
    revision_id TEXT NOT NULL REFERENCES revisions (id) ON DELETE CASCADE, type TEXT NOT NULL,
    number INTEGER NOT NULL, end_byte INTEGER NOT NULL,
    timestamp TEXT NOT NULL, level TEXT NOT NULL, message TEXT NOT NULL, PRIMARY KEY (revision_id, type, number)
  ) STRICT, WITHOUT ROWID;
`;

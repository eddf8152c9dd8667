/** The tables of a deployment's threads and assistants. The current row of an assistant is that of its `version`. */
export const SCHEMA = `
  CREATE TABLE threads (
    thread_id TEXT NOT NULL UNIQUE,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    status TEXT NOT NULL,
    metadata TEXT NOT NULL
  );
  CREATE INDEX threads_by_creation ON threads (created_at);
  CREATE INDEX threads_by_update ON threads (updated_at);
  CREATE INDEX threads_by_status ON threads (status);
  CREATE TABLE checkpoints (
    thread_id TEXT NOT NULL REFERENCES threads (thread_id) ON DELETE CASCADE,
    checkpoint_id TEXT NOT NULL,
    parent_checkpoint_id TEXT,
    created_at TEXT NOT NULL,
    metadata TEXT NOT NULL,
    next TEXT NOT NULL,
    "values" TEXT NOT NULL,
    UNIQUE (thread_id, checkpoint_id)
  );
  CREATE TABLE assistants (
    assistant_id TEXT NOT NULL UNIQUE,
    version INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
  );
  CREATE TABLE assistant_versions (
    assistant_id TEXT NOT NULL REFERENCES assistants (assistant_id) ON DELETE CASCADE,
    version INTEGER NOT NULL,
    graph_id TEXT NOT NULL,
    name TEXT NOT NULL,
    description TEXT,
    config TEXT NOT NULL,
    context TEXT NOT NULL,
    metadata TEXT NOT NULL,
    version_created_at TEXT NOT NULL,
    UNIQUE (assistant_id, version)
  );
`;

import { membersOf } from "./members";

const ADD_MEMBERS = `
  INSERT INTO metadata_members
  SELECT member, new.created_at, new.rowid FROM (${membersOf("new.metadata")});`;
const REMOVE_MEMBERS = `
  DELETE FROM metadata_members
  WHERE created_at = old.created_at AND thread = old.rowid AND member IN (${membersOf("old.metadata")});`;

/**
 * The schema of a deployment's threads, as steps from version to version. A step only adds: a server of the previous
 * version may still use the file.
 */
export const MIGRATIONS = [
  `CREATE TABLE threads (
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
   );`,
  // Triggers update it, because a server of the previous version does not. The last statement fills it.
  `CREATE TABLE metadata_members (
     member TEXT NOT NULL,
     created_at TEXT NOT NULL,
     thread INTEGER NOT NULL,
     PRIMARY KEY (member, created_at, thread)
   ) WITHOUT ROWID;
   CREATE TRIGGER thread_created AFTER INSERT ON threads BEGIN ${ADD_MEMBERS} END;
   CREATE TRIGGER thread_updated AFTER UPDATE OF metadata ON threads BEGIN ${REMOVE_MEMBERS} ${ADD_MEMBERS} END;
   CREATE TRIGGER thread_deleted AFTER DELETE ON threads BEGIN ${REMOVE_MEMBERS} END;
   UPDATE threads SET metadata = metadata;`,
];

import { Logs } from "../../../local/logs/logs";
import { PlatformClock } from "../../../local/platform/clock";
import { Database } from "../../../local/sqlite/database";
import { LogLines, type LogName } from "../../../local/store/log-lines";
import { SCHEMA } from "../../../local/store/schema";

/** Opens a platform's database, with its logs. */
export function openLogs(path: string) {
  const database = new Database(path, { access: "exclusive", schema: SCHEMA });
  const lines = new LogLines(database);
  return { database, lines, logs: new Logs(lines, new PlatformClock()) };
}

/** Adds a deployment with one revision, which has logs. */
export function addRevision(database: Database, deploymentId: string, revisionId: string): LogName {
  database.execute(`
    INSERT INTO workspaces VALUES ('w', 'w', 'w') ON CONFLICT DO NOTHING;
    INSERT INTO deployments
      VALUES ('${deploymentId}', 'w', '${deploymentId}', '', '{}', '', '', '', '', '${revisionId}', NULL, NULL);
    INSERT INTO revisions VALUES ('${revisionId}', '${deploymentId}', '', '{}', '{}', '[]', '[]', NULL, '', '', 0);`);
  return { revisionId, type: "build" };
}

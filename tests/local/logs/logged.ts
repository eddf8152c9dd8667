import { Logs } from "../../../local/logs/logs";
import { PlatformClock } from "../../../local/platform/clock";
import { Database } from "../../../local/sqlite/database";
import { Deployments } from "../../../local/store/deployments";
import { LogLines, type LogName } from "../../../local/store/log-lines";
import { Revisions } from "../../../local/store/revisions";
import { SCHEMA } from "../../../local/store/schema";
import { Workspaces } from "../../../local/store/workspaces";

export function openLogs(path: string) {
  const database = new Database(path, { access: "exclusive", schema: SCHEMA });
  const lines = new LogLines(database);
  return { database, lines, logs: new Logs(lines, new PlatformClock()) };
}

/** Adds a deployment with one revision, which has logs. */
export function addRevision(database: Database, deploymentId: string, revisionId: string): LogName {
  const at = "2026-01-01T00:00:00Z";
  const workspaces = new Workspaces(database);
  if (workspaces.all().length === 0) workspaces.add({ id: "w", name: "w", api_key: "w" });
  const source = { source: "external_container", source_config: {} } as const;
  const named = { id: deploymentId, name: deploymentId, workspace_id: "w", url: "" };
  new Deployments(database).add({ ...named, ...source, latest_revision_id: revisionId }, at);
  const revision = { id: revisionId, deployment_id: deploymentId, source_config: {} };
  const rest = { source_revision_config: {}, secrets: [], image_version: null };
  new Revisions(database).add({ ...revision, ...rest }, at);
  return { revisionId, type: "build" };
}

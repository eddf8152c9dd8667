import { readGraphConfig } from "./checkout";
import type { AgentServerSettings } from "../../agentserver/settings";
import type { Revision } from "../driver";
import { graphConfigPath, isFromGit } from "./source";
import { variableNames } from "./environment";
import type { Folders } from "./folders";

/** What the built-in agent server is told that stands in for a revision; nothing of it is secret. */
export async function serverSettings(
  folders: Folders,
  revision: Revision,
): Promise<AgentServerSettings> {
  const { deploymentId } = revision;
  return {
    database: folders.threads(deploymentId),
    port: 0,
    graphs: isFromGit(revision) ? await graphs(folders.checkout(revision), revision) : [],
    variables: variableNames(revision),
    commit: revision.sourceRevisionConfig.repo_commit_sha ?? null,
  };
}

async function graphs(checkout: string, revision: Revision): Promise<string[]> {
  return Object.keys((await readGraphConfig(checkout, graphConfigPath(revision))).graphs);
}

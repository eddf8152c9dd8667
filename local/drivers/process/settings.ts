import { readGraphConfig } from "./checkout";
import type { AgentServerSettings } from "../../agentserver/settings";
import type { Revision } from "../driver";
import { graphConfigPath, isFromGit } from "./source";
import { variableNames } from "./environment";
import type { Folders } from "./folders";

/** Settings of the built-in agent server for a revision. They are arguments of its process, so none is secret. */
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
    revision: revision.id,
    commit: revision.sourceRevisionConfig.repo_commit_sha ?? null,
  };
}

async function graphs(checkout: string, revision: Revision): Promise<string[]> {
  return Object.keys((await readGraphConfig(checkout, graphConfigPath(revision))).graphs);
}

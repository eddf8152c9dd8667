import type { GitSource } from "./git/git";
import { StageFailure, type Revision } from "../driver";

/** Whether the revision is a commit of a repository, not an image. */
export function isFromGit(revision: Revision): boolean {
  return revision.source === "git_host";
}

/** The repository and the ref, which may not be resolved yet. */
export function gitRefOf(revision: Revision): Pick<GitSource, "repoUrl" | "ref"> {
  return {
    repoUrl: required(revision.sourceConfig.repo_url, "repo_url"),
    ref: required(revision.sourceRevisionConfig.repo_ref, "repo_ref"),
  };
}

export function gitSourceOf(revision: Revision): GitSource {
  const commit = required(revision.sourceRevisionConfig.repo_commit_sha, "repo_commit_sha");
  return { ...gitRefOf(revision), commit };
}

/** The path of the graph configuration in the repository. */
export function graphConfigPath(revision: Revision): string {
  return required(revision.sourceRevisionConfig.graph_config_path, "graph_config_path");
}

function required(value: string | null | undefined, name: string): string {
  if (value) return value;
  throw new StageFailure(`${name} is not set; set it and create a new revision`);
}

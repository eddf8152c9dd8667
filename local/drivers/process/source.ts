import type { Origin } from "./git/git";
import { StageFailure, type Revision } from "../driver";

/** Whether the revision is a commit of a repository; any other is an image. */
export function isFromGit(revision: Revision): boolean {
  return revision.source === "git_host";
}

/** The repository and the ref, whose commit may not be known yet. */
export function refOf(revision: Revision): Pick<Origin, "repoUrl" | "ref"> {
  return {
    repoUrl: required(revision.sourceConfig.repo_url, "repo_url"),
    ref: required(revision.sourceRevisionConfig.repo_ref, "repo_ref"),
  };
}

/** The commit that the ref named when the revision was made. */
export function originOf(revision: Revision): Origin {
  const commit = required(revision.sourceRevisionConfig.repo_commit_sha, "repo_commit_sha");
  return { ...refOf(revision), commit };
}

/** Where the graph configuration lies in the repository. */
export function graphConfigPath(revision: Revision): string {
  return required(revision.sourceRevisionConfig.graph_config_path, "graph_config_path");
}

function required(value: string | null | undefined, name: string): string {
  if (value) return value;
  throw new StageFailure(`${name} is not set: set it and create a new revision`);
}

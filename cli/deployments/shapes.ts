import type { Deployment, Revision } from "../../sdk";
import { factsOf } from "../../sdk/status";
import { urlOf } from "../../shared/agent-server-url";
import type { StackDeployment } from "../stack";
import { secondsBetween } from "../terminal/time";

/** A revision in the output of `--json`. */
export interface RevisionShape {
  readonly id: string;
  readonly status: string;
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  /** The time that it took, or has taken so far; null where the control plane gives no times. */
  readonly durationSeconds: number | null;
  readonly repoRef: string | null;
  readonly repoCommitSha: string | null;
  readonly graphConfigPath: string | null;
  readonly imageUri: string | null;
}

/** A deployment in the output of `--json`. */
export interface DeploymentShape {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly source: string;
  readonly repoUrl: string | null;
  readonly url: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** The revision that answers requests. */
  readonly serving: RevisionShape | null;
  readonly newest: RevisionShape | null;
  /** The selected stack of the Pulumi project in the working folder, where it manages the deployment. */
  readonly stack: { readonly name: string; readonly urn: string } | null;
}

/** The shape of a revision; `now` is the control plane's time. */
export function revisionShape(revision: Revision, now: Date): RevisionShape {
  const nested = revision.source_revision_config;
  const field = (name: "repo_ref" | "repo_commit_sha" | "graph_config_path" | "image_uri") =>
    nested?.[name] ?? revision[name] ?? null;
  const { phase } = factsOf(revision.status);
  const end = phase === "in progress" || phase === "unknown" ? now : revision.updated_at;
  const seconds = secondsBetween(revision.created_at, end);
  return {
    id: revision.id,
    status: revision.status,
    createdAt: revision.created_at ?? null,
    updatedAt: revision.updated_at ?? null,
    durationSeconds: seconds === undefined ? null : Math.round(seconds),
    repoRef: field("repo_ref"),
    repoCommitSha: field("repo_commit_sha"),
    graphConfigPath: field("graph_config_path"),
    imageUri: field("image_uri"),
  };
}

/** The shape of a deployment with what is known of its revisions, and of a stack's deployments. */
export function deploymentShape(
  deployment: Deployment,
  { serving, newest }: { serving: Revision | undefined; newest: Revision | undefined },
  inStack: readonly StackDeployment[],
  now: Date,
): DeploymentShape {
  const resource = inStack.find(({ id }) => id === deployment.id);
  return {
    id: deployment.id,
    name: deployment.name,
    status: deployment.status,
    source: deployment.source,
    repoUrl: deployment.source_config.repo_url ?? null,
    url: urlOf(deployment),
    createdAt: deployment.created_at,
    updatedAt: deployment.updated_at,
    serving: serving ? revisionShape(serving, now) : null,
    newest: newest ? revisionShape(newest, now) : null,
    stack: resource ? { name: resource.stack, urn: resource.urn } : null,
  };
}

/** The source of a revision, for people: `main@1a2b3c4`, or the image without its registry. */
export function sourceText(revision: RevisionShape | null): string {
  if (!revision) return "–";
  const { repoRef, repoCommitSha, imageUri } = revision;
  const commit = repoCommitSha?.slice(0, 7);
  if (repoRef && commit) return repoCommitSha === repoRef ? commit : `${repoRef}@${commit}`;
  return repoRef ?? commit ?? imageUri?.split("/").at(-1) ?? "–";
}

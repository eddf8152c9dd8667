import type { Deployment, LogLine } from "../../sdk";
import { factsOf, logOf } from "../../sdk/status";
import { formatError } from "../host/errors";
import type { Job } from "../host/job";
import type { Props } from "../inputs/props";
import type { Observed } from "./mapping";
import { currentSource } from "./patch";
import { withoutSecrets } from "./redaction";
import type { Outcome } from "./rollout";
import type { SmokeCheckFailure } from "./smoke-check";

/** So many of a log's last lines are quoted. */
const QUOTED_LINES = 30;

/** Why a revision that the service accepted does not run, and what to do now; the headline comes first. */
export async function failureReasons(
  job: Job,
  inputs: Props,
  { deployment, revisions }: Observed,
  outcome: Outcome,
  signal: AbortSignal,
): Promise<string[]> {
  const reasons = [
    headline(deployment, outcome),
    servingRevision({ deployment, revisions }, outcome),
    ...(outcome.state === "failed" ? await lastLogLines(job, outcome, signal) : []),
    nextStep(inputs, deployment, outcome),
  ];
  return asOne(reasons, job, inputs, deployment);
}

/** Why the wait for an accepted revision could not go on; the revision itself may well be fine. */
export function interruptedReasons(
  job: Job,
  inputs: Props,
  deployment: Deployment,
  error: unknown,
): string[] {
  const reasons = [
    `deployment '${deployment.name}' was accepted as ${deployment.id}, but it could not be followed: ${formatError(error, job.settingsInForce)}`,
    "run `pulumi up` again: it goes on waiting and makes no second revision",
  ];
  return asOne(reasons, job, inputs, deployment);
}

/** Nobody knows whether the revision that was asked for was made. */
export function unknownReasons(
  job: Job,
  inputs: Props,
  deployment: Deployment,
  error: unknown,
): string[] {
  const reasons = [
    `deployment '${deployment.name}': a new revision was asked for, and whether it was made could not be seen: ${formatError(error, job.settingsInForce)}`,
    "run `pulumi up` again: it follows that revision, or makes it if it was not made",
  ];
  return asOne(reasons, job, inputs, deployment);
}

/** The revision runs as the control plane says, and its agent server does not do what it is for. */
export function smokeCheckReasons(
  job: Job,
  inputs: Props,
  deployment: Deployment,
  { problem, nextStep: step }: SmokeCheckFailure,
): string[] {
  const reasons = [
    `deployment '${deployment.name}': the revision is deployed, but the smoke check of its agent server failed: ${problem}`,
    step,
  ];
  return asOne(reasons, job, inputs, deployment);
}

/**
 * One reason, as the engine counts reasons as errors: the headline, and what belongs to it below. The engine keeps it in
 * clear.
 */
function asOne(
  lines: readonly string[],
  job: Job,
  inputs: Props,
  deployment: Deployment,
): string[] {
  return [withoutSecrets(lines.join("\n      "), job, inputs, deployment)];
}

function headline(deployment: Deployment, outcome: Outcome): string {
  const revision = `deployment '${deployment.name}': revision ${outcome.revisionId}`;
  const after = `after ${seconds(outcome.elapsedMs)}`;
  if (outcome.state === "pending")
    return `${revision} is still ${outcome.status || "not to be seen"} ${after}; the wait is over`;
  const stage = outcome.stage ? ` while it was ${outcome.stage}` : "";
  if (factsOf(outcome.status).phase === "interrupted")
    return `${revision} was interrupted${stage}, ${after}: ${outcome.words ?? "somebody or something ended it on the service"}`;
  return `${revision} ended with ${outcome.status} ${after}${outcome.words ? `: ${outcome.words}` : ""}`;
}

function servingRevision({ deployment, revisions }: Observed, { revisionId }: Outcome): string {
  const active = deployment.active_revision_id;
  if (!active || active === revisionId) return "no revision of it serves";
  const ids = revisions.map(({ id }) => id);
  const ours = ids.indexOf(revisionId);
  // One that is not listed is older than those that are.
  const isNewer = ids.slice(0, ours === -1 ? undefined : ours).includes(active);
  return isNewer
    ? `a newer revision, ${active}, serves`
    : `the revision before, ${active}, still serves`;
}

function nextStep(inputs: Props, deployment: Deployment, outcome: Outcome): string {
  if (outcome.state === "pending")
    return "run `pulumi up` again: it waits on for the same revision and makes none; `wait.timeoutSeconds` gives it more time";
  if (Object.keys(currentSource(inputs, deployment)).length === 0)
    return "there is nothing yet that a new revision could be made of: push an image, give it as `sourceRevisionConfig.imageUri`, and run `pulumi up`";
  return `mend the cause and run \`pulumi up\`: it makes one new revision of deployment ${deployment.id}`;
}

/** The control plane may offer no logs: that is no failure of its own. */
async function lastLogLines(
  { client, id }: Job,
  outcome: Outcome,
  signal: AbortSignal,
): Promise<string[]> {
  const type = logOf(factsOf(outcome.status).stage ?? factsOf(outcome.stage).stage);
  try {
    const query = { type, limit: QUOTED_LINES } as const;
    const { logs } = await client.revisions.logs(id, outcome.revisionId, query, { signal });
    if (logs.length === 0) return [];
    return [`the ${type} log ends with\n${logs.toReversed().map(quoted).join("\n")}`];
  } catch {
    return [];
  }
}

function quoted({ message }: LogLine): string {
  return `        | ${message}`;
}

function seconds(milliseconds: number): string {
  const total = Math.round(milliseconds / 1000);
  return total < 120 ? `${total} s` : `${Math.floor(total / 60)} min ${total % 60} s`;
}

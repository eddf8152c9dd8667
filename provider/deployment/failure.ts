import { type Deployment, type LogLine, redact } from "../../sdk";
import { explain } from "../advice";
import type { Job } from "../job";
import { type Props, recordOf } from "../props";
import type { Outcome } from "./rollout";

/** So many of a log's last lines are quoted. */
const QUOTED_LINES = 30;

/** Why a revision that the service accepted does not run, and what to do now; the headline comes first. */
export async function failureReasons(
  job: Job,
  inputs: Props,
  deployment: Deployment,
  outcome: Outcome,
  signal: AbortSignal,
): Promise<string[]> {
  const reasons = [
    headline(deployment, outcome),
    previousRevision(deployment, outcome),
    ...(outcome.state === "failed" ? await lastLogLines(job, outcome, signal) : []),
    nextStep(deployment, outcome),
  ];
  return withoutSecrets(reasons, job, inputs);
}

/** Why the wait for an accepted revision could not go on; the revision itself may well be fine. */
export function interruptedReasons(
  job: Job,
  inputs: Props,
  deployment: Deployment,
  error: unknown,
): string[] {
  const reasons = [
    `deployment '${deployment.name}' was accepted as ${deployment.id}, but it could not be followed: ${explain(error, job.settingsInForce)}`,
    "run `pulumi up` again: it goes on waiting and makes no second revision",
  ];
  return withoutSecrets(reasons, job, inputs);
}

/** Nobody knows whether the revision that was asked for was made. */
export function unknownReasons(
  job: Job,
  inputs: Props,
  deployment: Deployment,
  error: unknown,
): string[] {
  const reasons = [
    `deployment '${deployment.name}': a new revision was asked for, and whether it was made could not be seen: ${explain(error, job.settingsInForce)}`,
    "run `pulumi up` again: it follows that revision, or makes it if it was not made",
  ];
  return withoutSecrets(reasons, job, inputs);
}

/** The revision runs as the control plane says, and its agent server does not do what it is for. */
export function smokeCheckReasons(
  job: Job,
  inputs: Props,
  deployment: Deployment,
  problem: string,
): string[] {
  const reasons = [
    `deployment '${deployment.name}': the revision is deployed, but the smoke check of its agent server failed: ${problem}`,
    "run `pulumi up` again: it checks the same revision and makes none; `smokeCheck.timeoutSeconds` gives it more time",
  ];
  return withoutSecrets(reasons, job, inputs);
}

/**
 * One reason, as the engine counts reasons as errors: the headline, and what belongs to it below. The engine keeps it in
 * clear.
 */
function withoutSecrets(lines: readonly string[], job: Job, inputs: Props): string[] {
  return [redact(lines.join("\n      "), secretsOf(job, inputs))];
}

function headline(deployment: Deployment, outcome: Outcome): string {
  const revision = `deployment '${deployment.name}': revision ${outcome.revisionId}`;
  const after = `after ${seconds(outcome.elapsedMs)}`;
  if (outcome.state === "pending")
    return `${revision} is still ${outcome.status || "not to be seen"} ${after}; the wait is over`;
  const stage = outcome.stage ? ` while it was ${outcome.stage}` : "";
  return outcome.status === "INTERRUPTED"
    ? `${revision} was interrupted${stage}, ${after}: somebody or something ended it on the service`
    : `${revision} ended with ${outcome.status} ${after}`;
}

function previousRevision({ active_revision_id: active }: Deployment, outcome: Outcome): string {
  return active && active !== outcome.revisionId
    ? `the revision before, ${active}, still serves`
    : "no revision of it serves";
}

function nextStep({ id }: Deployment, outcome: Outcome): string {
  return outcome.state === "pending"
    ? "run `pulumi up` again: it waits on for the same revision and makes none; `wait.timeoutSeconds` gives it more time"
    : `mend the cause and run \`pulumi up\`: it makes one new revision of deployment ${id}`;
}

/** The control plane may offer no logs: that is no failure of its own. */
async function lastLogLines(
  { client, id }: Job,
  outcome: Outcome,
  signal: AbortSignal,
): Promise<string[]> {
  const type =
    outcome.status === "DEPLOY_FAILED" || outcome.stage === "DEPLOYING" ? "deploy" : "build";
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

function secretsOf({ settingsInForce }: Job, inputs: Props): string[] {
  const { apiKey, bearerToken } = settingsInForce;
  const check = recordOf(inputs["smokeCheck"]);
  const declared = [...Object.values(recordOf(inputs["secrets"])), check["apiKey"]];
  const values = [apiKey, bearerToken, ...declared];
  return values.filter((value) => typeof value === "string");
}

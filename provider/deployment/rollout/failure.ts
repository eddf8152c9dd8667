import type { Deployment } from "../../../sdk";
import { factsOf, isDeleted, isDeployed, logOf } from "../../../sdk/status";
import { controlPlaneAdvice } from "../../resource/advice";
import { indented } from "../../../shared/printable";
import { shorten } from "../../../shared/shorten";
import { formatError } from "../../resource/errors";
import { describeReturn, lastGoodRevision } from "./last-good";
import { newestLines } from "../service/log-lines";
import type { Observed } from "../service/observed";
import { currentSource } from "../service/revision-source";
import type { Outcome } from "./follow";
import type { SmokeCheckFailure } from "./smoke-check";
import type { Operation } from "../../resource/operation";
import { redactSecrets } from "../redaction";
import type { Reached } from "../service/reached";
import type { Rollout } from "../state";
import type { Target } from "../target";
import { rollbackTo } from "./rollback-plan";

/** So many of a log's last lines are quoted. */
const QUOTED_LINES = 30;

/** In front of each line of a log. */
const MARGIN = "        | ";

/** Why a revision that the service accepted does not run, and what to do now; the headline comes first. */
export async function failureLines(
  operation: Operation,
  target: Target,
  { deployment, revisions }: Observed,
  outcome: Outcome,
  signal: AbortSignal,
): Promise<string[]> {
  const quote: Quote = (text) =>
    shorten(redactSecrets(text, operation.settings, target, deployment));
  return [
    headline(deployment, outcome, quote),
    servingRevision({ deployment, revisions }, outcome),
    ...(outcome.state === "failed" ? await lastLogLines(operation, outcome, quote, signal) : []),
    nextStep(operation, target, deployment, outcome),
    ...wayBack(target, { observed: { deployment, revisions }, rollout: outcome }),
  ];
}

/** Another client deletes the deployment, or has. */
export function deletionLines({ name, id, status }: Deployment): string[] {
  const again = "run `pulumi refresh`, then `pulumi up` to recreate it";
  return isDeleted(status)
    ? [`deployment '${name}': ${id} no longer exists`, again]
    : [
        `deployment '${name}': ${id} is being deleted on the control plane`,
        `once it is gone, ${again}`,
      ];
}

/** Why the wait for an accepted revision could not go on; the revision itself may well be fine. */
export function interruptedLines(
  { settings }: Operation,
  deployment: Deployment,
  error: unknown,
): string[] {
  return [
    `deployment '${deployment.name}' was accepted as ${deployment.id}, but it could not be followed: ${formatError(error, controlPlaneAdvice(settings))}`,
    "run `pulumi up` again; it waits for the same revision and creates no other",
  ];
}

/** The revision runs as the control plane says, and its agent server does not do what it is for. */
export function smokeCheckLines(
  target: Target,
  reached: Reached,
  { problem, nextStep: step }: SmokeCheckFailure,
): string[] {
  return [
    `deployment '${reached.observed.deployment.name}': the revision is deployed, but the smoke check of its agent server failed: ${problem}`,
    step,
    `for another revision of the same values run \`pulumi-agentserver redeploy ${reached.observed.deployment.name}\` or change \`redeployOn\`, then run \`pulumi up\``,
    ...wayBack(target, reached),
  ];
}

/** The agent of a deployed revision answers otherwise than its gate expects. */
export function gateLines(target: Target, reached: Reached, failure: readonly string[]): string[] {
  const [scores = "", ...runs] = failure;
  const { name } = reached.observed.deployment;
  return [
    `deployment '${name}': the revision is deployed and not ready, since its gate failed: ${scores}`,
    ...runs,
    afterGate(target),
    ...wayBack(target, reached),
  ];
}

function afterGate({ declared, lastGood }: Target): string {
  const isRolledBack = declared.rollsBack && typeof rollbackTo(lastGood, declared) !== "string";
  return isRolledBack
    ? "fix or revert the new values before the next `pulumi up`, which tries them again"
    : "`pulumi up` asks the gate of this revision once more and creates none; fix the agent and declare what changed, or another value of `redeployOn`, to create one new revision";
}

/** A text of the service as a message may have it. */
type Quote = (text: string) => string;

function headline(deployment: Deployment, outcome: Outcome, quote: Quote): string {
  const revision = `deployment '${deployment.name}': revision ${outcome.revisionId}`;
  const after = `after ${seconds(outcome.elapsedMs)}`;
  if (outcome.mismatch !== undefined) {
    const { commit, expected, problem } = outcome.mismatch;
    const end = problem === undefined ? "was interrupted" : `could not be interrupted: ${problem}`;
    return `${revision} is of commit ${commit} instead of ${expected}, and ${end}`;
  }
  if (outcome.state === "pending") {
    const ended = `${outcome.isCancelled ? "cancelled" : "timed out"} ${after}: ${revision}`;
    if (outcome.silence !== undefined) return `${ended}: ${indented(quote(outcome.silence))}`;
    return `${ended} is ${outcome.status ? `still ${outcome.status}` : "not visible yet"}`;
  }
  const stage = outcome.stage ? ` while it was ${outcome.stage}` : "";
  const reason = outcome.words ? `: ${indented(quote(outcome.words))}` : "";
  if (factsOf(outcome.status).phase === "interrupted")
    return `${revision} was interrupted on the control plane${stage} ${after}${reason}`;
  return `${revision} ended with ${outcome.status} ${after}${reason}`;
}

/** Which revision served when another one had failed. */
export function servingRevision(
  { deployment, revisions }: Observed,
  { revisionId }: Rollout,
): string {
  const active = deployment.active_revision_id;
  if (revisions.length === 0) return "which revision serves could not be read";
  if (!active) return "none of its revisions serves";
  if (active === revisionId) {
    const isServing = revisions.some(({ id, status }) => id === active && isDeployed(status));
    return isServing ? `revision ${active} serves` : "none of its revisions serves";
  }
  const ids = revisions.map(({ id }) => id);
  const ours = ids.findIndex((id) => id === revisionId);
  // One that is not listed is older than those that are.
  const isNewer = ids.slice(0, ours === -1 ? undefined : ours).includes(active);
  return isNewer
    ? `a newer revision, ${active}, serves`
    : `the previous revision, ${active}, still serves`;
}

function nextStep(
  operation: Operation,
  { declared }: Target,
  deployment: Deployment,
  outcome: Outcome,
): string {
  if (outcome.state === "pending") {
    const again = "run `pulumi up` again; it waits for the same revision and creates no other";
    return outcome.isCancelled || outcome.silence !== undefined
      ? again
      : `${again}; ${limitOf(operation)} gives it more time`;
  }
  if (outcome.mismatch !== undefined)
    return "declare the commit that the ref names now, or set the ref back, and run `pulumi up` again; it creates one new revision";
  if (Object.keys(currentSource(declared, deployment)).length === 0)
    return "there is no image yet to create a new revision from: push one, set `sourceRevisionConfig.imageUri`, and run `pulumi up`";
  return `fix the cause and run \`pulumi up\` again; it creates one new revision of deployment ${deployment.id}`;
}

/** The limit that the wait reached: the shorter of the two. */
function limitOf({ deadline, clock }: Operation): string {
  const isOption = deadline !== undefined && clock.now() >= deadline;
  return isOption ? "the option `customTimeouts`" : "`wait.timeoutSeconds`";
}

/** What to declare for the last good revision, as one line; none where the program declares it already. */
export function wayBack({ declared, lastGood }: Target, { observed, rollout }: Reached): string[] {
  const revision = lastGoodRevision(observed, rollout, lastGood.revision);
  const failed = observed.revisions.find(({ id }) => id === rollout.revisionId);
  const line = describeReturn(declared, { ...lastGood, revision }, failed);
  return line === undefined ? [] : [line];
}

async function lastLogLines(
  operation: Operation,
  outcome: Outcome,
  quote: Quote,
  signal: AbortSignal,
): Promise<string[]> {
  const type = logOf(factsOf(outcome.status).stage ?? factsOf(outcome.stage).stage);
  const query = { type, limit: QUOTED_LINES };
  const newest = await newestLines(operation, outcome.revisionId, query, signal);
  if (newest.length === 0) return [];
  const lines = newest.toReversed().map((line) => `${MARGIN}${indented(quote(line), MARGIN)}`);
  return [`the ${type} log ends with\n${lines.join("\n")}`];
}

function seconds(milliseconds: number): string {
  const total = Math.round(milliseconds / 1000);
  return total < 120 ? `${total} s` : `${Math.floor(total / 60)} min ${total % 60} s`;
}

import type { Deployment } from "../../../sdk";
import { factsOf, isDeleted, isDeployed, logOf } from "../../../sdk/status";
import { controlPlaneAdvice } from "../../resource/advice";
import { indented } from "../../../shared/printable";
import { shorten } from "../../../shared/shorten";
import { formatError } from "../../resource/errors";
import { wayBack } from "./last-good";
import { newestLines } from "./last-line";
import type { Observed } from "../service/observe";
import { currentSource } from "../service/revision-source";
import type { RolloutEnd } from "./follow";
import type { SmokeCheckFailure } from "./smoke-check";
import type { Operation } from "../../resource/operation";
import { redactSecrets } from "../service/redaction";
import type { RolloutResult } from "../service/rollout-result";
import type { Target } from "../declared/state";

/** So many of a log's last lines are quoted. */
const QUOTED_LINES = 30;

/** In front of each line of a log. */
const MARGIN = "        | ";

/** Why a revision that the service accepted does not run, and what to do now; the headline comes first. */
export async function failureLines(
  operation: Operation,
  target: Target,
  { deployment, revisions }: Observed,
  end: RolloutEnd,
  signal: AbortSignal,
): Promise<string[]> {
  const result = { deployment, revisions, rollout: end };
  const steps = [nextStep(operation, target, deployment, end), ...wayBack(target, result)];
  const quote: Quote = (text) =>
    shorten(redactSecrets(text, operation.settings, target, deployment));
  return [
    headline(deployment, end, quote),
    servingRevision(result),
    ...(end.state === "failed" ? await lastLogLines(operation, end, quote, signal) : []),
    ...steps,
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
  name: string,
  { problem, nextStep: step }: SmokeCheckFailure,
): string[] {
  return [
    `deployment '${name}': the revision is deployed, but the smoke check of its agent server failed: ${problem}`,
    step,
    `for another revision of the same values run \`pulumi-agentserver redeploy ${name}\` or change \`redeployOn\`, then run \`pulumi up\``,
  ];
}

/** The agent of a deployed revision answers otherwise than its gate expects. */
export function gateLines(name: string, [scores = "", ...runs]: readonly string[]): string[] {
  return [
    `deployment '${name}': the revision is deployed and not ready, since its gate failed: ${scores}`,
    ...runs,
    GATE_ASKED_AGAIN,
  ];
}

/** The next step after a gate, where its revision stays. */
export const GATE_ASKED_AGAIN =
  "`pulumi up` asks the gate of this revision once more and creates none; fix the agent and declare what changed, or another value of `redeployOn`, to create one new revision";

/** A text of the service as a message may have it. */
type Quote = (text: string) => string;

function headline(deployment: Deployment, end: RolloutEnd, quote: Quote): string {
  const revision = `deployment '${deployment.name}': revision ${end.revisionId}`;
  const after = `after ${seconds(end.elapsedMs)}`;
  if (end.mismatch !== undefined) {
    const { commit, expected, problem } = end.mismatch;
    const ended =
      problem === undefined ? "was interrupted" : `could not be interrupted: ${problem}`;
    return `${revision} is of commit ${commit} instead of ${expected}, and ${ended}`;
  }
  if (end.state === "pending") {
    const ended = `${end.isCancelled ? "cancelled" : "timed out"} ${after}: ${revision}`;
    if (end.silence !== undefined) return `${ended}: ${indented(end.silence)}`;
    return `${ended} is ${end.status ? `still ${end.status}` : "not visible yet"}`;
  }
  const stage = end.stage ? ` while it was ${end.stage}` : "";
  const reason = end.words ? `: ${indented(quote(end.words))}` : "";
  if (factsOf(end.status).phase === "interrupted")
    return `${revision} was interrupted on the control plane${stage} ${after}${reason}`;
  return `${revision} ended with ${end.status} ${after}${reason}`;
}

/** Which revision served when another one had failed. */
export function servingRevision({ deployment, revisions, rollout }: RolloutResult): string {
  const { revisionId } = rollout;
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
  end: RolloutEnd,
): string {
  if (end.state === "pending") {
    const again = "run `pulumi up` again; it waits for the same revision and creates no other";
    return end.isCancelled || end.silence !== undefined
      ? again
      : `${again}; ${limitOf(operation)} gives it more time`;
  }
  if (end.mismatch !== undefined)
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

async function lastLogLines(
  operation: Operation,
  end: RolloutEnd,
  quote: Quote,
  signal: AbortSignal,
): Promise<string[]> {
  const type = logOf(factsOf(end.status).stage ?? factsOf(end.stage).stage);
  const query = { type, limit: QUOTED_LINES };
  const newest = await newestLines(operation, end.revisionId, query, signal);
  const reason = (end.words ?? "").split("\n").map((line) => line.trim());
  const isSaid = (line: string): boolean =>
    reason.includes(line) || [...reason, ...newest].some((one) => one.endsWith(`: ${line}`));
  const others = newest.filter((line) => line.trim() === "" || !isSaid(line.trim()));
  if (others.length === 0) return [];
  const lines = others.toReversed().map((line) => `${MARGIN}${indented(quote(line), MARGIN)}`);
  return [`the ${type} log ends with\n${lines.join("\n")}`];
}

function seconds(milliseconds: number): string {
  const total = Math.round(milliseconds / 1000);
  return total < 120 ? `${total} s` : `${Math.floor(total / 60)} min ${total % 60} s`;
}

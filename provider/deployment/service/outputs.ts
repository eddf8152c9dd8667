import { hasFailed, isDeployed } from "../../../sdk/status";
import { redact } from "../../../shared/redact";
import { secretNameInputs } from "../../arguments/option-inputs";
import type { Props } from "../../arguments/props";
import { valuesNamed } from "../../arguments/secrets";
import { InitializationFailure, inLines } from "../../resource/errors";
import type { Operation } from "../../resource/operation";
import { RolloutError, type RolloutResult } from "./rollout-result";
import { LISTED_REVISIONS } from "./observe";
import { redactSecrets } from "./redaction";
import { toRevisionOutput, toServiceOutputs } from "./service-outputs";
import type { Declared } from "../declared/declared";
import { keepsUrl, planOf } from "../declared/plan";
import {
  type LastGood,
  type LastGoodRevision,
  openRollout,
  type State,
  type Target,
} from "../declared/state";

/** Undeclared arguments are null: an output that the state lacks is unknown at every preview, and so is everything that uses it. */
export const UNDECLARED = {
  displayName: null,
  sourceConfig: null,
  sourceRevisionConfig: null,
  secretReferences: null,
  env: null,
  secrets: null,
};

/** Outputs of the service that another revision changes. */
const OF_REVISIONS = [
  "status",
  "updatedAt",
  "latestRevisionId",
  "activeRevisionId",
  "revisions",
  "failedRevision",
  "lastGoodRevision",
  "rollout",
];

/** Names of the outputs that the service alone sets. */
export const SERVICE_OUTPUTS = [
  "name",
  "tenantId",
  "baseUrl",
  "url",
  "createdAt",
  "imageVersion",
  ...OF_REVISIONS,
  "ready",
];

/** The outputs that an update may change: those of revisions, of the image, and the URL where its own setting changes. */
export function unsettledOutputs(state: State, declared: Declared): string[] {
  const plan = planOf(state.declared, declared);
  const isRevised = plan.createsRevision || openRollout(state, declared).state !== "done";
  const isSent = isRevised || plan.settings.length > 0;
  return [
    ...(isRevised ? OF_REVISIONS : []),
    ...(isRevised && state.outputs["ready"] !== true ? ["ready"] : []),
    ...(plan.revision.includes("sourceRevisionConfig.imageUri") ? ["imageVersion"] : []),
    ...(isSent && !isRevised ? ["updatedAt"] : []),
    // A service may show none before a revision serves.
    ...(keepsUrl(plan) && state.outputs["url"] !== null ? [] : ["url"]),
  ];
}

/**
 * The id and the outputs after an operation. Where the service has accepted it, a failure keeps them as an
 * `InitializationFailure`: the engine keeps id, outputs and reasons, the reasons in clear. It counts reasons as errors, so
 * there is one of several lines, the headline first.
 */
export async function outputsAfter(
  operation: Operation,
  target: Target,
  result: Promise<RolloutResult>,
): Promise<{ id: string; outs: Props }> {
  try {
    const reached = await result;
    return { id: reached.deployment.id, outs: outputsOf(operation, target, reached) };
  } catch (error) {
    if (!(error instanceof RolloutError)) throw error;
    const { deployment } = error.result;
    const outputs = outputsOf(operation, target, error.result);
    const reason = redactSecrets(inLines(error.lines), operation.settings, target, deployment);
    // What is adopted may have another secret of the same name.
    const found = valuesNamed(target.declared.secretNames, outputs);
    throw new InitializationFailure(deployment.id, outputs, [redact(reason, found)]);
  }
}

/** Everything the state keeps of a deployment: the inputs as they were declared, and what the service says. */
export function outputsOf(
  { settings }: Operation,
  { declared, lastGood }: Target,
  { deployment, revisions, rollout, putBack = declared }: RolloutResult,
): Props {
  const [newest] = revisions;
  return {
    ...UNDECLARED,
    ...putBack.props,
    ...toServiceOutputs(deployment, settings),
    revisions: revisions.slice(0, LISTED_REVISIONS).map(toRevisionOutput),
    // Also one that a push created.
    failedRevision: newest && hasFailed(newest.status) ? toRevisionOutput(newest) : null,
    lastGoodRevision: lastGoodRevision({ revisions, rollout }, lastGood.revision),
    // Secret, since they hold variables. After a roll-out that is done they are the inputs themselves.
    lastGoodInputs: rollout.state === "done" ? undefined : inputsToKeep(lastGood),
    rollout,
    ready: rollout.state === "done",
  };
}

/** The engine keeps no marks within what is secret as a whole. */
function inputsToKeep({ declared }: LastGood): Props | undefined {
  return declared && { ...declared.props, ...secretNameInputs(declared.secretNames) };
}

/**
 * The newest listed revision that is deployed. It replaces the one known before only when the roll-out is done: until
 * then the new revision has not proved good.
 */
export function lastGoodRevision(
  { revisions, rollout }: Pick<RolloutResult, "revisions" | "rollout">,
  known: LastGoodRevision | null,
): LastGoodRevision | null {
  const isUnfinished = rollout.state !== "done";
  if (isUnfinished && known !== null) return known;
  const newest = revisions.find(
    ({ id, status }) => isDeployed(status) && !(isUnfinished && id === rollout.revisionId),
  );
  if (newest === undefined) return known;
  const { id, repoRef, repoCommitSha, imageUri } = toRevisionOutput(newest);
  return { id, repoRef, repoCommitSha, imageUri };
}

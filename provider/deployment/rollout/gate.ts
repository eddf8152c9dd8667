import { urlOf } from "../../../shared/agent-server-url";
import { askedOnce, gateFailure, runsProblems } from "../../gate/gate";
import type { RemoteCheck } from "../../resource/define-lifecycle";
import { type Operation, operationOf } from "../../resource/operation";
import { known } from "../../arguments/decode";
import type { Problem } from "../../arguments/problems";
import { sameValue } from "../../arguments/props";
import { type Declared, declaredBy } from "../declared/declared";
import { redactSecrets } from "../service/redaction";
import { serverAt } from "./smoke-check";
import { byName } from "../service/observe";
import type { RolloutResult } from "../service/rollout-result";
import type { State, Target } from "../declared/state";

/** Why the gate of a deployed revision is not passed; undefined where it is, or none is declared. */
export async function deploymentGateFailure(
  operation: Operation,
  target: Target,
  { deployment, rollout }: RolloutResult,
): Promise<readonly string[] | undefined> {
  const { gate, apiKey, graphId = "" } = known(target.declared.smokeCheck) ?? {};
  const url = urlOf(deployment);
  if (gate === undefined || !url) return undefined;
  const { settings } = operation;
  const server = serverAt(operation, url, apiKey);
  const redacted = (text: string): string => redactSecrets(text, settings, target, deployment);
  const question = { owner: deployment.id, server, gate, assistantId: graphId, redacted };
  return askedOnce(operation, rollout.revisionId ?? "", () => gateFailure(question, operation));
}

/**
 * The problem of new runs where the deployment that is there has none, and its next revision cannot have them either: the
 * local platform runs an image on the built-in server, and the same source on the same one.
 */
export const gateRefusals: RemoteCheck<Problem> = async (olds, inputs, context) => {
  const isSame = (...names: string[]): boolean =>
    names.every((name) => sameValue(olds[name], inputs[name]));
  const { name, smokeCheck, source } = declaredBy(inputs);
  const { gate, apiKey } = known(smokeCheck) ?? {};
  const isOtherCode =
    source !== "external_container" && !isSame("sourceRevisionConfig", "redeployOn");
  if (gate === undefined || isSame("smokeCheck") || isOtherCode) return [];
  if (typeof name !== "string") return [];
  const operation = operationOf(context);
  // A preview says nothing of a control plane that does not respond, or names a URL of no use: its update does.
  const server = await byName(operation, name)
    .then((found) => found && urlOf(found))
    .then((url) => (url ? serverAt(operation, url, apiKey) : undefined))
    .catch(() => undefined);
  return server ? runsProblems(server, "smokeCheck.runs") : [];
};

/** Whether the revision of a state has been ready once: it has passed its gate, also where it is now waited for longer. */
export function hasPassedGate({ rollout, declared }: State): boolean {
  return rollout.state === "done" && declared.until !== "none";
}

/** A declared state whose smoke check has no runs: for a revision that has passed its gate. */
export function withoutGate(declared: Declared): Declared {
  const check = known(declared.smokeCheck);
  return check === undefined
    ? declared
    : { ...declared, smokeCheck: { ...check, gate: undefined } };
}

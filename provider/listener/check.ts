import { CreateListener } from "../../sdk/schema";
import { type Problem, problemsOf, unknownArguments } from "../inputs/problems";
import { isRecord } from "../../shared/records";
import { type Props, valueAt } from "../inputs/props";
import { unknownProperties } from "../inputs/unknown-properties";
import { INPUT_NAMES, NAMESPACES } from "./fields";

/** Every problem of the inputs at once; where a value is unknown there is nothing to say yet. */
export function listenerProblems(news: Props): Problem[] {
  const { compute_type, compute_id, compute_config } = CreateListener.shape;
  const { computeType, computeId, computeConfig } = news;
  return [
    ...unknownArguments(news, INPUT_NAMES),
    ...problemsOf(compute_type, "compute_type", computeType ?? undefined),
    ...problemsOf(compute_id, "compute_id", computeId ?? undefined),
    ...problemsOf(compute_config, "compute_config", computeConfig ?? undefined),
    ...unknownProperties(compute_config, "computeConfig", computeConfig),
    ...withoutNamespace(news),
  ];
}

/** The configuration is judged by the compute type, of which `k8s` is the only one with a rule. */
function withoutNamespace(news: Props): Problem[] {
  if (news["computeType"] !== "k8s" || !isRecord(news["computeConfig"])) return [];
  const namespaces = valueAt(news, NAMESPACES);
  const none = namespaces === undefined || (Array.isArray(namespaces) && namespaces.length === 0);
  return none
    ? [{ property: NAMESPACES, reason: "must name a namespace for the compute type k8s" }]
    : [];
}

import type { CreateListener, Listener } from "../../sdk";
import { camelKeys, snakeKeys } from "../inputs/casing";
import { bodyOf } from "../inputs/problems";
import { membersOf, type Props } from "../inputs/props";
import type { Settings } from "../config/settings";
import { INPUT_NAMES, namespacesOf } from "./fields";

/** The body of the POST. */
export async function toCreateRequest(inputs: Props): Promise<CreateListener> {
  const schema = await import("../../sdk/schema/index.js");
  const body = snakeKeys(membersOf(inputs, INPUT_NAMES));
  return bodyOf(schema.CreateListener, body, `create listener '${String(inputs["computeId"])}'`);
}

/** Everything the state keeps: the inputs as they were declared, and what the service says. */
export function toOutputs(
  inputs: Props,
  listener: Listener,
  { baseUrl, workspaceId }: Settings,
): Props {
  return {
    ...inputs,
    // An answer names no workspace: it is the one that was asked.
    tenantId: workspaceId,
    baseUrl,
    version: listener.version ?? null,
    createdAt: listener.created_at,
    updatedAt: listener.updated_at,
  };
}

/** The inputs with the service's values in the place of the declared ones: what a refresh shows as drift. */
export function toInputs(inputs: Props, listener: Listener): Props {
  const declared = namespacesOf(inputs);
  const seen = listener.compute_config.k8s_namespaces ?? [];
  return {
    ...inputs,
    computeType: listener.compute_type,
    computeId: listener.compute_id,
    ...(declared && { computeConfig: { k8sNamespaces: inOrderOf(declared, seen) } }),
  };
}

/** What is read with `get` was declared by nobody: all that the service says. */
export function everyInput({ compute_type, compute_id, compute_config }: Listener): Props {
  const { k8s_namespaces } = compute_config;
  return camelKeys({
    compute_type,
    compute_id,
    compute_config: k8s_namespaces ? { k8s_namespaces } : {},
  });
}

/** The service's order means nothing: those that are declared keep theirs, others follow. */
function inOrderOf(declared: readonly string[], seen: readonly string[]): string[] {
  return [
    ...declared.filter((namespace) => seen.includes(namespace)),
    ...seen.filter((namespace) => !declared.includes(namespace)).toSorted(),
  ];
}

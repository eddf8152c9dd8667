import type { Settings } from "../../../settings/settings";
import { isLoopback } from "../../../shared/net";
import { Unknown } from "../../arguments/decode";
import type { Values } from "./declared";
import { LONGEST_NAME } from "./name";
import { knownMembers } from "./resource-spec";
import { variableWarnings } from "./variables";

/** The settings that arguments are checked against. */
export type CheckedAgainst = Pick<Settings, "dialect" | "baseUrl" | "isSelfHosted">;

/**
 * The warnings about what is declared, without those that were there before: the service decides, and has taken it, or a
 * person has read them.
 */
export function newWarnings(
  before: Values | undefined,
  after: Values,
  settings: CheckedAgainst | undefined,
): string[] {
  const known = before === undefined ? [] : warningsOf(before, settings);
  return warningsOf(after, settings).filter((warning) => !known.includes(warning));
}

function warningsOf(declared: Values, settings: CheckedAgainst | undefined): string[] {
  return [
    ...variableWarnings(declared, settings),
    ...sizeWarnings(declared),
    ...nameWarnings(declared),
    ...hostingWarnings(declared, settings),
  ];
}

/** Warnings about members that the contract marks "do not use", and about a size that is reserved twice. */
function sizeWarnings({ "sourceConfig.resourceSpec": size }: Values): string[] {
  const spec = knownMembers(size);
  const discouraged = Object.keys(spec).filter((key) => /^(orchestrator|executor)[A-Z]/.test(key));
  const { cpu, queueCpu } = spec;
  const doubled = typeof cpu === "number" && queueCpu === undefined;
  return [
    ...discouraged.map((key) => `resourceSpec.${key} is marked "do not use" by the service`),
    ...(doubled
      ? [`resourceSpec.cpu ${cpu} is reserved twice: queueCpu defaults to the same value`]
      : []),
  ];
}

function nameWarnings({ name, source }: Values): string[] {
  const isGit = source === "git_host";
  const longest = isGit ? LONGEST_NAME.git_host : LONGEST_NAME.other;
  if (typeof name !== "string" || source === Unknown || name.length <= longest) return [];
  const limit = isGit
    ? "Kubernetes and DNS take at most"
    : "self-hosted installations are reported to fail with more than";
  return [`name has ${name.length} characters; ${limit} ${longest}`];
}

/** Contract, "Deployment": a git source is for the cloud, an image for self-hosted installations. */
function hostingWarnings(values: Values, settings: CheckedAgainst | undefined): string[] {
  if (settings === undefined || isLoopback(new URL(settings.baseUrl).hostname)) return [];
  const { baseUrl, isSelfHosted } = settings;
  if (isSelfHosted && values.source === "git_host")
    return [
      `source git_host is available on the cloud only, and ${baseUrl} is a self-hosted installation; use external_container if the control plane refuses it`,
    ];
  const isPlaced = values["sourceConfig.listenerId"] !== undefined;
  if (!isSelfHosted && values.source === "external_container" && !isPlaced)
    return [
      `source external_container is available for self-hosted deployments only, and no listenerId places it on a cluster of yours; set agentserver:selfHosted if ${baseUrl} is a self-hosted installation`,
    ];
  return [];
}

import type { Settings } from "../../settings/settings";
import { UNKNOWN } from "../inputs/props";
import { type Declared, isKnownName } from "./declared";
import { LONGEST_NAME } from "./name";
import { variableWarnings } from "./variables";

/** The settings that arguments are checked against. */
export type CheckedAgainst = Pick<Settings, "dialect" | "baseUrl" | "isSelfHosted">;

/**
 * The warnings about what is declared, without those that were there before: the service decides, and has taken it, or a
 * person has read them.
 */
export function newWarnings(
  before: Declared | undefined,
  after: Declared,
  settings: CheckedAgainst | undefined,
): string[] {
  const known = before === undefined ? [] : warningsOf(before, settings);
  return warningsOf(after, settings).filter((warning) => !known.includes(warning));
}

function warningsOf(declared: Declared, settings: CheckedAgainst | undefined): string[] {
  return [
    ...variableWarnings(declared),
    ...sizeWarnings(declared),
    ...nameWarnings(declared),
    ...hostingWarnings(declared, settings),
  ];
}

/** What the contract marks "do not use", and a size that is reserved twice. */
function sizeWarnings({ spec }: Declared): string[] {
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

/** A derived name is never too long. */
function nameWarnings({ name, isNameDerived, values: { source } }: Declared): string[] {
  const isGit = source === "git_host";
  const longest = isGit ? LONGEST_NAME.git_host : LONGEST_NAME.other;
  if (!isKnownName(name) || isNameDerived || source === UNKNOWN || name.length <= longest)
    return [];
  const limit = isGit
    ? "Kubernetes and DNS take at most"
    : "self-hosted installations are reported to fail with more than";
  return [`name has ${name.length} characters; ${limit} ${longest}`];
}

/** Contract, "Deployment": a git source is for the cloud. */
function hostingWarnings({ values }: Declared, settings: CheckedAgainst | undefined): string[] {
  return settings?.isSelfHosted && values.source === "git_host"
    ? [
        `source git_host is available on the cloud only, and ${settings.baseUrl} is a self-hosted installation; use external_container if the control plane refuses it`,
      ]
    : [];
}

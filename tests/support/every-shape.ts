import type { TestPlatform } from "./platform";
import { snakeKeys } from "../../provider/arguments/casing";
import { isRecord } from "../../shared/records";
import { everyGitArgument, everyImageArgument } from "./every-field";

type Members = Readonly<Record<string, unknown>>;

/** The variables of deployments, by a number: none, an empty one, several, with a name that others have too. */
const VARIABLES: readonly Readonly<Record<string, string>>[] = [
  {},
  { EMPTY: "" },
  { SHARED: "shared-CANARY", "with.dot": "dot-CANARY", LINES: "one-CANARY\ntwo\n" },
  { SHARED: "shared-CANARY", QUOTES: `"'\u00fc$(x) CANARY` },
];

/**
 * The body of the create of a deployment, of every shape: a number chooses the source, and which of the fields it has that
 * it need not have.
 */
export function anyShape(test: TestPlatform, number: number): Members {
  const own = Object.entries({
    ...VARIABLES[number % VARIABLES.length],
    OWN: `own-CANARY-${number}`,
  });
  const secrets = number % 5 === 0 ? [] : own.map(([name, value]) => ({ name, value }));
  const sources = [gitShape, imageShape, internalShape];
  const { name, ...shape } = sources[number % sources.length]?.(test, number) ?? {};
  return { ...shape, name: `${String(name)}-${number}`, secrets };
}

function gitShape(test: TestPlatform, number: number): Members {
  const { name, source, sourceConfig, sourceRevisionConfig } = everyGitArgument(test);
  const { integrationId, repoUrl, deploymentType, ...optional } = sourceConfig;
  const isTag = number % 2 === 0;
  const config = { integrationId, repoUrl, deploymentType, ...some(optional, number) };
  return wire({
    name,
    source,
    sourceConfig: isTag ? { ...config, buildOnPush: false } : config,
    sourceRevisionConfig: { ...sourceRevisionConfig, ...(isTag && { repoRef: "refs/tags/v1" }) },
  });
}

function imageShape(test: TestPlatform, number: number): Members {
  const { name, source, sourceConfig, sourceRevisionConfig } = everyImageArgument(test);
  const { listenerId, listenerConfig, resourceSpec, ...optional } = sourceConfig;
  const placed = number % 2 === 0 ? { listenerId, listenerConfig } : {};
  const { volumes, volumeMounts, sidecars, ...size } = resourceSpec;
  const pod = number % 4 === 0 ? { volumes, volumeMounts, sidecars } : {};
  const isWhole = number === 1;
  const spec = isWhole ? resourceSpec : { ...some(size, number), ...pod };
  return wire({
    name,
    source,
    sourceConfig: { ...some(optional, number), ...placed, resourceSpec: spec },
    sourceRevisionConfig,
  });
}

function internalShape(_test: TestPlatform, number: number): Members {
  const optional = { deploymentType: "prod", installCommand: "npm ci", buildCommand: "true" };
  return wire({
    name: "every-internal",
    source: "internal_container",
    sourceConfig: some(optional, number),
    sourceRevisionConfig: some({ imageUri: "internal.example.com/agent:2" }, number),
  });
}

/** A part of the members that differs from number to number. */
function some(members: Members, number: number): Members {
  const entries = Object.entries(members);
  return Object.fromEntries(entries.filter((_, at) => (number * 7 + at * (at + 3)) % 4 > 1));
}

function wire(members: Members): Members {
  return Object.fromEntries(
    Object.entries(snakeKeys(members)).map(([name, value]) => [
      name,
      isRecord(value) ? snakeKeys(value) : value,
    ]),
  );
}

import type { DialectName } from "../../sdk";
import { Source } from "../../sdk/schema/deployment";
import { roundCpu } from "../../sdk/schema/resource-spec";
import { REQUIRED_FIELDS, SOURCES_OF_FIELD, usesField } from "../../sdk/schema/source-rules";
import { camelPath } from "../inputs/casing";
import type { Problem } from "../inputs/problems";
import { unknownKeys } from "../inputs/unknown-keys";
import { isRecord, recordOf } from "../../shared/records";
import { type Props, sameValue, UNKNOWN, valueAt } from "../inputs/props";
import { changedImmutable, RESOURCE_SPEC } from "./fields";
import { nameFor } from "./name";
import { refusals } from "./refusals";
import { repoUrlProblems } from "./repo-url";
import { shapeProblems } from "./shape";
import { variableProblems, variableWarnings } from "./variables";

/** Every problem of the inputs at once, and the inputs as they are stored: named, and rounded as the service rounds. */
export function checkInputs(
  olds: Props,
  news: Props,
  urn: string,
  dialect: DialectName = "agentserver",
): { inputs: Props; problems: Problem[]; warnings: string[] } {
  const { nameDerived: _, ...given } = news;
  const misplaced = sourceProblems(news);
  const problems = [
    ...misplaced,
    ...repoUrlProblems(news),
    ...shapeProblems(given).filter(
      ({ property }) => !misplaced.some((at) => at.property === property),
    ),
    ...refProblems(news),
    ...variableProblems(news, dialect),
    ...waitProblems(news),
    ...rollbackProblems(news),
    ...smokeCheckProblems(news),
    ...refusedChanges(olds, news),
  ];
  const { name, derived } = nameFor(olds, news, urn);
  return {
    inputs: { ...rounded(given), name, ...(derived && { nameDerived: true }) },
    problems,
    warnings: [...variableWarnings(news), ...sizeWarnings(news)],
  };
}

/** What the contract marks "do not use", and a size that is reserved twice. */
function sizeWarnings(news: Props): string[] {
  const spec = recordOf(valueAt(news, RESOURCE_SPEC));
  const discouraged = Object.keys(spec).filter((key) => /^(orchestrator|executor)[A-Z]/.test(key));
  const { cpu, queueCpu } = spec;
  const doubled = typeof cpu === "number" && queueCpu === undefined;
  return [
    ...discouraged.map((key) => `resourceSpec.${key} is marked "do not use" by the service`),
    ...(doubled
      ? [`resourceSpec.cpu ${cpu} is reserved twice: queueCpu is the same where it is not given`]
      : []),
  ];
}

function rounded(inputs: Props): Props {
  const { sourceConfig } = inputs;
  if (!isRecord(sourceConfig) || !isRecord(sourceConfig["resourceSpec"])) return inputs;
  const resourceSpec = roundCpu(sourceConfig["resourceSpec"]);
  return { ...inputs, sourceConfig: { ...sourceConfig, resourceSpec } };
}

function sourceProblems(news: Props): Problem[] {
  const source = Source.safeParse(news["source"]).data;
  if (source === undefined) return [];
  const missing = REQUIRED_FIELDS[source]
    .map(camelField)
    .filter((path) => valueAt(news, path) === undefined || valueAt(news, path) === "")
    .map((property) => ({ property, reason: `is required for the source ${source}` }));
  const surplus = Object.entries(SOURCES_OF_FIELD)
    .filter(([, sources]) => !sources.includes(source))
    .map(([field]) => camelField(field))
    .concat(READ_ONLY)
    .filter((path) => usesField(valueAt(news, path)) && valueAt(news, path) !== UNKNOWN)
    .map((property) => ({ property, reason: `can't be set for the source ${source}` }));
  return [...missing, ...surplus];
}

const READ_ONLY = "sourceRevisionConfig.repoCommitSha";
const camelField = (field: string): string => camelPath(field.split("."));

function refProblems(news: Props): Problem[] {
  const ref = valueAt(news, "sourceRevisionConfig.repoRef");
  if (typeof ref !== "string" || ref === UNKNOWN) return [];
  const property = "sourceRevisionConfig.repoRef";
  if (ref.startsWith("refs/heads/"))
    return [{ property, reason: `names a branch by its path; write '${ref.slice(11)}'` }];
  if (ref.startsWith("refs/tags/") && valueAt(news, "sourceConfig.buildOnPush") === true)
    return [
      {
        property: "sourceConfig.buildOnPush",
        reason: `can't be true while repoRef is the tag '${ref}': a tag is not pushed to`,
      },
    ];
  return [];
}

function smokeCheckProblems(news: Props): Problem[] {
  const check = news["smokeCheck"] ?? undefined;
  if (check === undefined || check === UNKNOWN || typeof check === "boolean") return [];
  if (!isRecord(check)) return [{ property: "smokeCheck", reason: "must be true, false or a map" }];
  const { timeoutSeconds: seconds = 1, ...texts } = check;
  return [
    ...Object.entries(texts)
      .filter(([name, value]) => !["apiKey", "graphId"].includes(name) || typeof value !== "string")
      .map(([name]) => ({
        property: `smokeCheck.${name}`,
        reason: "is not one of apiKey (a text), graphId (a text), timeoutSeconds (a number)",
      })),
    ...(seconds !== UNKNOWN && !(typeof seconds === "number" && seconds > 0)
      ? [{ property: "smokeCheck.timeoutSeconds", reason: "must be a number above 0" }]
      : []),
  ];
}

/** A rollback goes back to something that stands still: a tag or an image, and a failure that is waited for. */
function rollbackProblems(news: Props): Problem[] {
  const onFailure = news["onFailure"] ?? undefined;
  const property = "onFailure";
  if (onFailure === undefined || onFailure === UNKNOWN || onFailure === "keep") return [];
  if (onFailure !== "rollback") return [{ property, reason: "must be keep or rollback" }];
  const ref = valueAt(news, "sourceRevisionConfig.repoRef");
  const isBranch = typeof ref === "string" && ref !== UNKNOWN && !ref.startsWith("refs/tags/");
  return [
    ...(isBranch
      ? [`needs a tag or an image to go back to: '${ref}' is a branch, which moves`]
      : []),
    ...(valueAt(news, "sourceConfig.buildOnPush") === true ? ["does not go with buildOnPush"] : []),
    ...(valueAt(news, "wait.until") === "none" ? ["does not go with wait.until none"] : []),
  ].map((reason) => ({ property, reason }));
}

const WAIT_NAMES = ["until", "timeoutSeconds"];
const UNTIL = new Set<unknown>([UNKNOWN, "active", "deployed", "none"]);

function waitProblems(news: Props): Problem[] {
  const until = valueAt(news, "wait.until");
  const seconds = valueAt(news, "wait.timeoutSeconds");
  const adopt = news["adoptExisting"] ?? undefined;
  const problems: Problem[] = [];
  const wait = news["wait"] ?? undefined;
  if (wait !== undefined && wait !== UNKNOWN && !isRecord(wait))
    problems.push({ property: "wait", reason: "must be a map of until and timeoutSeconds" });
  for (const reason of unknownKeys(Object.keys(recordOf(wait)), WAIT_NAMES, { prefix: "wait." }))
    problems.push({ property: "", reason });
  if (until !== undefined && !UNTIL.has(until))
    problems.push({ property: "wait.until", reason: "must be active, deployed or none" });
  if (seconds !== undefined && seconds !== UNKNOWN && !(typeof seconds === "number" && seconds > 0))
    problems.push({ property: "wait.timeoutSeconds", reason: "must be a number above 0" });
  if (adopt !== undefined && adopt !== UNKNOWN && typeof adopt !== "boolean")
    problems.push({ property: "adoptExisting", reason: "must be true or false" });
  return problems;
}

function refusedChanges(olds: Props, news: Props): Problem[] {
  const replaced =
    changedImmutable(olds, news).length > 0 ||
    !sameValue(olds["nameDerived"] === true ? undefined : olds["name"], news["name"]);
  if (Object.keys(olds).length === 0 || replaced) return [];
  return refusals(olds, news);
}

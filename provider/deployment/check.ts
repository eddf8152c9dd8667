import type { DialectName } from "../../sdk";
import { roundCpu } from "../../sdk/schema/resource-spec";
import { isRecord } from "../../shared/records";
import { type Problem, problemsOf } from "../inputs/problems";
import { type Props, UNKNOWN } from "../inputs/props";
import { type Declared, declaredBy } from "./declared";
import { nameFor } from "./name";
import { planOf } from "./plan";
import { refusals } from "./refusals";
import { repoUrlProblems } from "./repo-url";
import { DeploymentSchema } from "./schema";
import { sourceProblems } from "./source-problems";
import { stateOf } from "./state";
import { variableProblems, variableWarnings } from "./variables";

/** Every problem of the inputs at once, and the inputs as they are stored: named, and rounded as the service rounds. */
export function checkInputs(
  olds: Props,
  news: Props,
  urn: string,
  dialect: DialectName = "agentserver",
): { declared: Declared; problems: Problem[]; warnings: string[] } {
  const { nameDerived: _, ...given } = news;
  const before = Object.keys(olds).length === 0 ? undefined : stateOf(olds).declared;
  const { name, derived } = nameFor(before, declaredBy(given), urn);
  const inputs = { ...rounded(given), name, ...(derived && { nameDerived: true }) };
  const declared = declaredBy(inputs);
  const own = [...sourceProblems(declared), ...repoUrlProblems(declared)];
  const problems = [
    ...own,
    ...problemsOf(DeploymentSchema, given).filter(
      ({ property }) => !own.some((at) => at.property === property),
    ),
    ...refProblems(declared),
    ...variableProblems(news, dialect),
    ...rollbackProblems(declared),
    ...refusedChanges(before, declared),
  ];
  return {
    declared,
    problems,
    warnings: [...variableWarnings(declared), ...sizeWarnings(declared)],
  };
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

function rounded(inputs: Props): Props {
  const { sourceConfig } = inputs;
  if (!isRecord(sourceConfig) || !isRecord(sourceConfig["resourceSpec"])) return inputs;
  const resourceSpec = roundCpu(sourceConfig["resourceSpec"]);
  return { ...inputs, sourceConfig: { ...sourceConfig, resourceSpec } };
}

function refProblems({ values }: Declared): Problem[] {
  const property = "sourceRevisionConfig.repoRef";
  const ref = values[property];
  if (typeof ref !== "string" || ref === UNKNOWN) return [];
  if (ref.startsWith("refs/heads/"))
    return [{ property, reason: `is the path of a branch; write '${ref.slice(11)}'` }];
  if (ref.startsWith("refs/tags/") && values["sourceConfig.buildOnPush"] === true)
    return [
      {
        property: "sourceConfig.buildOnPush",
        reason: `can't be true while repoRef is the tag '${ref}': nobody pushes to a tag`,
      },
    ];
  return [];
}

/** A rollback needs something that does not move, a tag or an image, and a failure that is waited for. */
function rollbackProblems({ values, until, rollsBack }: Declared): Problem[] {
  if (!rollsBack) return [];
  const ref = values["sourceRevisionConfig.repoRef"];
  const isBranch = typeof ref === "string" && ref !== UNKNOWN && !ref.startsWith("refs/tags/");
  return [
    ...(isBranch
      ? [`needs a tag or an image to roll back to: '${ref}' is a branch, which moves`]
      : []),
    ...(values["sourceConfig.buildOnPush"] === true
      ? ["can't be rollback together with buildOnPush"]
      : []),
    ...(until === "none" ? ["can't be rollback together with wait.until none"] : []),
  ].map((reason) => ({ property: "onFailure", reason }));
}

/** What an update can't do; a replacement can. */
function refusedChanges(before: Declared | undefined, after: Declared): Problem[] {
  if (before === undefined) return [];
  const plan = planOf(before, after);
  return plan.replaces.length > 0 ? [] : refusals(plan);
}

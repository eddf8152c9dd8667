import type { DialectName } from "../../sdk";
import { roundCpu } from "../../sdk/schema/resource-spec";
import { isRecord } from "../../shared/records";
import { replacingPaths } from "../host/announcement";
import { type Problem, problemsOf } from "../arguments/problems";
import { type Props, UNKNOWN } from "../arguments/props";
import { type Declared, declaredBy } from "./declared/declared";
import { nameFor } from "./declared/name";
import { mayReplace, planOf } from "./declared/plan";
import { refusals } from "./refusals";
import { repoUrlProblems } from "./declared/repo-url";
import { DeploymentSchema } from "./declared/schema";
import { sourceProblems } from "./declared/source-problems";
import { isCommit } from "./service/revision-source";
import { stateOf } from "./state";
import { variableProblems } from "./declared/variables";
import { type CheckedAgainst, newWarnings } from "./declared/warnings";

/** Every problem of the inputs at once, and the inputs as they are stored: named, and rounded as the service rounds. */
export function checkInputs(
  olds: Props,
  news: Props,
  urn: string,
  settings?: CheckedAgainst,
): { declared: Declared; problems: Problem[]; warnings: string[] } {
  const { __nameDerived: _, ...given } = news;
  const before = Object.keys(olds).length === 0 ? undefined : stateOf(olds).declared;
  const { name, derived } = nameFor(before, declaredBy(given), urn);
  const inputs = { ...rounded(given), name, ...(derived && { __nameDerived: true }) };
  const declared = declaredBy(inputs);
  const { dialect = "agentserver" } = settings ?? {};
  const own = [...sourceProblems(declared), ...repoUrlProblems(declared)];
  const problems = [
    ...own,
    ...problemsOf(DeploymentSchema, given).filter(
      ({ property }) => !own.some((at) => at.property === property),
    ),
    ...refProblems(declared),
    ...variableProblems(news),
    ...rollbackProblems(declared),
    ...refusedChanges(before, declared, dialect),
  ];
  return {
    declared,
    problems,
    warnings: newWarnings(before, declared, settings),
  };
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
  if (isCommit(ref))
    return [
      {
        property,
        reason: `'${ref}' is a commit, and the service builds a branch or a tag; tag the commit and write 'refs/tags/<name>'`,
      },
    ];
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

/** A rollback needs a failure that is waited for, and a revision that no push overtakes. */
function rollbackProblems({ values, until, rollsBack }: Declared): Problem[] {
  if (!rollsBack) return [];
  return [
    ...(values["sourceConfig.buildOnPush"] === true
      ? ["can't be rollback together with buildOnPush: the next push would undo it"]
      : []),
    ...(until === "none" ? ["can't be rollback together with wait.until none"] : []),
  ].map((reason) => ({ property: "onFailure", reason }));
}

/** What an update can't do; a replacement can, also one that `replaceOnChanges` or a value that is not known asks for. */
function refusedChanges(
  before: Declared | undefined,
  after: Declared,
  dialect: DialectName,
): Problem[] {
  if (before === undefined) return [];
  const plan = planOf(before, after);
  const isByOption = replacingPaths(before.inputs, after.inputs).length > 0;
  return mayReplace(plan) || isByOption ? [] : refusals(plan, dialect);
}

import { roundCpu } from "../../sdk/schema/resource-spec";
import { isRecord } from "../../shared/records";
import { replacingPaths } from "../host/announcement";
import { type Problem, problemsOf } from "../inputs/problems";
import { type Props, UNKNOWN } from "../inputs/props";
import { type Declared, declaredBy } from "./declared";
import { nameFor } from "./name";
import { mayReplace, planOf } from "./plan";
import { refusals } from "./refusals";
import { repoUrlProblems } from "./repo-url";
import { DeploymentSchema } from "./schema";
import { sourceProblems } from "./source-problems";
import { isCommit } from "./revision-source";
import { stateOf } from "./state";
import { variableProblems } from "./variables";
import { type CheckedAgainst, newWarnings } from "./warnings";

/** Every problem of the inputs at once, and the inputs as they are stored: named, and rounded as the service rounds. */
export function checkInputs(
  olds: Props,
  news: Props,
  urn: string,
  settings?: CheckedAgainst,
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
    ...variableProblems(news, settings?.dialect ?? "agentserver"),
    ...rollbackProblems(declared),
    ...refusedChanges(before, declared),
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
    ...(isBranch ? [`needs a tag or an image to roll back to: ${describeRef(ref)}`] : []),
    ...(values["sourceConfig.buildOnPush"] === true
      ? ["can't be rollback together with buildOnPush"]
      : []),
    ...(until === "none" ? ["can't be rollback together with wait.until none"] : []),
  ].map((reason) => ({ property: "onFailure", reason }));
}

/** What a ref is that names no tag (contract, "SourceRevisionConfig"), and how a tag is written. */
function describeRef(ref: string): string {
  if (isCommit(ref))
    return `'${ref}' is a commit, and repoRef takes a branch or a tag; write a tag as 'refs/tags/<name>'`;
  const hint = ref.startsWith("refs/") ? "" : `; if it is a tag, write 'refs/tags/${ref}'`;
  return `'${ref}' is a branch, which moves${hint}`;
}

/** What an update can't do; a replacement can, also one that `replaceOnChanges` or a value that is not known asks for. */
function refusedChanges(before: Declared | undefined, after: Declared): Problem[] {
  if (before === undefined) return [];
  const plan = planOf(before, after);
  const isByOption = replacingPaths(before.inputs, after.inputs).length > 0;
  return mayReplace(plan) || isByOption ? [] : refusals(plan);
}

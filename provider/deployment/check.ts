import type { DialectName } from "../../sdk";
import { dialectOf } from "../../sdk/dialect";
import { roundCpu } from "../../sdk/schema/resource-spec";
import { isRecord } from "../../shared/records";
import { replacingPaths } from "../resource/announcement";
import { encode, known } from "../arguments/decode";
import { type Problem, withOthers } from "../arguments/problems";
import { isEmpty, type Props } from "../arguments/props";
import { COMMIT, deploymentArguments } from "./declared/argument-table";
import { type Declared, declaredBy, type Values } from "./declared/declared";
import { nameFor } from "./declared/name";
import { mayReplace, planOf } from "./declared/plan";
import { refusals } from "./declared/refusals";
import { credentialProblems } from "./declared/url-credentials";
import { isCommit } from "./service/revision-source";
import { stateOf } from "./declared/state";
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
  const before = isEmpty(olds) ? undefined : stateOf(olds).declared;
  const declared = named(before, declaredBy(rounded(given)), urn);
  const { dialect = "agentserver" } = settings ?? {};
  const problems = [
    ...withOthers(credentialProblems(declared), deploymentArguments.problems(given)),
    ...refProblems(declared),
    ...dialectProblems(declared, settings),
    ...variableProblems(news),
    ...rollbackProblems(declared),
    ...commitProblems(declared),
    ...gateProblems(declared),
  ];
  return {
    declared,
    problems: withOthers(problems, refusedChanges(before, declared, dialect)),
    warnings: newWarnings(before, declared, settings),
  };
}

function named(before: Declared | undefined, declared: Declared, urn: string): Declared {
  const { name, isNameDerived } = nameFor(before, declared, urn);
  const hidden = isNameDerived ? { __nameDerived: true } : {};
  const props = { ...declared.props, name: encode(name), ...hidden };
  return { ...declared, name, isNameDerived, props };
}

function rounded(inputs: Props): Props {
  const { sourceConfig } = inputs;
  if (!isRecord(sourceConfig) || !isRecord(sourceConfig["resourceSpec"])) return inputs;
  const resourceSpec = roundCpu(sourceConfig["resourceSpec"]);
  return { ...inputs, sourceConfig: { ...sourceConfig, resourceSpec } };
}

function refProblems(values: Values): Problem[] {
  const property = "sourceRevisionConfig.repoRef";
  const ref = values[property];
  if (typeof ref !== "string") return [];
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

/** What only newer versions of the public service know. */
function dialectProblems(values: Values, settings: CheckedAgainst | undefined): Problem[] {
  if (settings === undefined || dialectOf(settings.dialect).isExtended) return [];
  const reason = `needs the dialect langsmith, and the setting is ${settings.dialect}`;
  return deploymentArguments.rows.flatMap(({ path: property, extended }): Problem[] => {
    const value = known(values[property]);
    if (value === undefined || extended === undefined) return [];
    if (extended === "any") return [{ property, reason }];
    return typeof value === "string" && extended.includes(value)
      ? [{ property, reason: `'${value}' ${reason}` }]
      : [];
  });
}

/** A rollback needs a failure that is waited for, and a revision that no push overtakes. */
function rollbackProblems(declared: Declared): Problem[] {
  if (!declared.rollsBack) return [];
  return [
    ...(declared["sourceConfig.buildOnPush"] === true
      ? ["can't be rollback together with buildOnPush: the next push would undo it"]
      : []),
    ...(declared.until === "none" ? ["can't be rollback together with wait.until none"] : []),
  ].map((reason) => ({ property: "onFailure", reason }));
}

/** The commit is compared while the revision is waited for, and a push creates a revision of another one. */
function commitProblems(declared: Declared): Problem[] {
  if (declared[COMMIT] === undefined) return [];
  return [
    ...(declared["sourceConfig.buildOnPush"] === true
      ? ["can't be set together with buildOnPush: the next push would build another commit"]
      : []),
    ...(declared.until === "none" ? ["can't be set together with wait.until none"] : []),
  ].map((reason) => ({ property: COMMIT, reason }));
}

/** A gate needs a wait, which it follows, and an assistant for each run. */
function gateProblems({ until, smokeCheck }: Declared): Problem[] {
  const { gate, graphId } = known(smokeCheck) ?? {};
  if (gate === undefined) return [];
  return [
    ...(until === "none"
      ? [{ property: "smokeCheck.runs", reason: "can't be set together with wait.until none" }]
      : []),
    ...gate.runs.flatMap(({ assistantId }, at) =>
      assistantId || graphId
        ? []
        : [
            {
              property: `smokeCheck.runs[${at}].assistantId`,
              reason: "is required, since smokeCheck.graphId is not set",
            },
          ],
    ),
  ];
}

/** Problems of an update; a replacement has none, also one that `replaceOnChanges` or a value that is not known asks for. */
function refusedChanges(
  before: Declared | undefined,
  after: Declared,
  dialect: DialectName,
): Problem[] {
  if (before === undefined) return [];
  const plan = planOf(before, after);
  const isByOption = replacingPaths(before.props, after.props).length > 0;
  return mayReplace(plan) || isByOption ? [] : refusals(plan, dialect);
}

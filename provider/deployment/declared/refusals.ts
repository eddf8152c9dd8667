import type { DialectName } from "../../../sdk";
import { dialectOf } from "../../../sdk/dialect";
import type { Problem } from "../../arguments/problems";
import { deploymentArguments } from "./argument-table";
import type { Plan } from "./plan";

/** Problems of an update that would have to remove what the service cannot: null leaves things as they are. */
export function refusals(plan: Plan, dialect: DialectName): Problem[] {
  const problems = deploymentArguments.removalProblems(plan);
  return dialectOf(dialect).clearsVariables ? problems : [...problems, ...lastVariable(plan)];
}

/** The public service takes an empty list for "leave it as it is". */
function lastVariable({ variables: { removed }, after }: Plan): Problem[] {
  if (removed.length === 0 || Object.keys(after.environment.variables).length > 0) return [];
  const reason = `the last variable can't be removed (${removed.join(", ")}), since the service has no way to clear the environment; keep one variable, or replace the deployment with \`pulumi up --replace\`, which deletes its threads and database`;
  return [{ property: "", reason }];
}

/** Throws where an update can't do what is declared. */
export function refuseUpdate(plan: Plan, dialect: DialectName): void {
  const problems = refusals(plan, dialect);
  if (problems.length > 0)
    throw new Error(
      problems.map(({ property, reason }) => `${property} ${reason}`.trim()).join("; "),
    );
}

import type { Problem } from "../inputs/problems";
import { type Props, valueAt } from "../inputs/props";
import { variablesOf } from "./environment";
import { NOT_CLEARABLE } from "./fields";
import { planOf } from "./plan";

const INSTALL_COMMANDS =
  "`npm ci` with a package-lock.json, `yarn install`, `pnpm i --frozen-lockfile` or `bun i` with the lock file of these, else `npm i`";

/** What to declare in place of a field that the service has no way to clear. */
const INSTEAD: Readonly<Record<(typeof NOT_CLEARABLE)[number], string>> = {
  "sourceConfig.customUrl": "set another URL",
  "sourceConfig.installCommand": `set the command that is detected without it: ${INSTALL_COMMANDS}`,
  "sourceConfig.buildCommand": "set a command that does nothing: `true`",
};

/** What an update would have to take away and the service has no way to: null and an empty list leave things as they are. */
export function refusals(olds: Props, news: Props): Problem[] {
  const cleared = NOT_CLEARABLE.filter(
    (path) => valueAt(olds, path) !== undefined && valueAt(news, path) === undefined,
  ).map((property) => ({
    property,
    reason: `can't be removed, since the service has no way to clear it; ${INSTEAD[property]}`,
  }));
  return [...cleared, ...lastVariable(olds, news)];
}

function lastVariable(olds: Props, news: Props): Problem[] {
  const { removed } = planOf(olds, news).variables;
  if (removed.length === 0 || Object.keys(variablesOf(news)).length > 0) return [];
  const reason = `the last variable can't be removed (${removed.join(", ")}), since the service has no way to clear the environment; keep one variable, or replace the deployment`;
  return [{ property: "", reason }];
}

/** Throws where an update can't do what is declared. */
export function refuseUpdate(olds: Props, news: Props): void {
  const problems = refusals(olds, news);
  if (problems.length > 0)
    throw new Error(
      problems.map(({ property, reason }) => `${property} ${reason}`.trim()).join("; "),
    );
}

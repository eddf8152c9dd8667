import type { Settings } from "../../../settings/settings";
import type { Problem } from "../../arguments/problems";
import { isRecord, recordOf } from "../../../shared/records";
import { PLATFORM_VARIABLES, PREDEFINED_VARIABLES } from "../../../shared/reserved-names";
import { known } from "../../arguments/decode";
import { referencesIn } from "./references";
import { type Props, UNKNOWN } from "../../arguments/props";
import type { Values } from "./declared";

/** Problems of variables, each on a dotted path: on `secrets` itself the CLI would print every value. */
export function variableProblems(news: Props): Problem[] {
  const env = recordOf(news["env"]);
  const valued = { ...env, ...recordOf(news["secrets"]) };
  const names = (known(referencesIn(news["secretReferences"])) ?? []).map(({ name }) => name);
  const twice = names.filter(
    (name, at) => Object.hasOwn(valued, name) || names.indexOf(name) !== at,
  );
  const references = twice.map((name) => ({
    property: "secretReferences",
    reason: `has ${name}, which is set twice: keep it there, in env or in secrets`,
  }));
  const values = (["env", "secrets"] as const).flatMap((kind): Problem[] => {
    const variables = news[kind] ?? undefined;
    if (variables === undefined || variables === UNKNOWN) return [];
    if (!isRecord(variables))
      return [{ property: "", reason: `${kind} must be an object of strings` }];
    return Object.entries(variables).flatMap(([name, value]) =>
      reasons(name, value, kind === "secrets" && Object.hasOwn(env, name)).map((reason) => ({
        property: `${kind}.${name || "''"}`,
        reason,
      })),
    );
  });
  return [...values, ...references];
}

function reasons(name: string, value: unknown, inBoth: boolean): string[] {
  return [
    ...(/^[^=\0]+$/.test(name) ? [] : ["is not a valid environment variable name"]),
    ...(name === "__proto__" ? ["can't be declared, since Pulumi drops this name"] : []),
    ...(typeof value === "string" ? [] : [value === null ? NO_VALUE : NO_STRING]),
    ...(PLATFORM_VARIABLES.has(name) ? ["is set by the platform and can't be declared"] : []),
    ...(inBoth ? ["is set in env and in secrets; keep one"] : []),
  ];
}

/** Not converted: of `1.10` Pulumi hands over 1.1. */
const NO_STRING = "must be a string: write a number, true or false in quotes";

const NO_VALUE =
  "has no value, which would remove it from the deployment: set what it is read from, or remove the variable from the program";

/** Contract, "Secret": pre-defined variables may be supplied, and may not mean what their author thinks. */
export function variableWarnings(
  declared: Values,
  settings: Pick<Settings, "dialect" | "isSelfHosted"> | undefined,
): string[] {
  const isCloud = settings?.dialect === "langsmith" && !settings.isSelfHosted;
  const why = isCloud
    ? "is one that the service's own client does not send to the cloud; the service may refuse it or set its own value"
    : "replaces the one that agent servers set themselves";
  return Object.keys(declared.environment.variables)
    .filter((name) => PREDEFINED_VARIABLES.has(name))
    .map((name) => `variable ${name} ${why}`);
}

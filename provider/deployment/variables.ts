import type { DialectName } from "../../sdk";
import type { Problem } from "../inputs/problems";
import { isRecord, recordOf } from "../../shared/records";
import { type Props, UNKNOWN } from "../inputs/props";
import type { Declared } from "./declared";

/** The platform itself sets these for every agent server: they can't be given. */
const PLATFORM_OWN = new Set(["PATH", "PORT", "MOUNT_PREFIX"]);

/**
 * Names that agent servers know already. The public service refuses them (its command line client's list); the contract
 * lets "pre-defined environment variables of the agent server" be supplied.
 */
const PREDEFINED = new Set(
  `LANGCHAIN_TRACING_V2 LANGSMITH_TRACING_V2 LANGCHAIN_ENDPOINT LANGCHAIN_PROJECT LANGSMITH_PROJECT
  LANGSMITH_LANGGRAPH_GIT_REPO LANGGRAPH_GIT_REPO_PATH LANGCHAIN_API_KEY LANGGRAPH_HOST_API_KEY
  LANGSMITH_CONTROL_PLANE_API_KEY POSTGRES_URI POSTGRES_PASSWORD DATABASE_URI LANGSMITH_LANGGRAPH_GIT_REF
  LANGSMITH_LANGGRAPH_GIT_REF_SHA LANGGRAPH_AUTH_TYPE LANGSMITH_AUTH_ENDPOINT LANGSMITH_TENANT_ID
  LANGSMITH_AUTH_VERIFY_TENANT_ID LANGSMITH_HOST_PROJECT_ID LANGSMITH_HOST_PROJECT_NAME
  LANGSMITH_HOST_REVISION_ID LOG_JSON LOG_DICT_TRACEBACKS REDIS_URI LANGCHAIN_CALLBACKS_BACKGROUND
  DD_TRACE_PSYCOPG_ENABLED DD_TRACE_REDIS_ENABLED LANGSMITH_DEPLOYMENT_NAME LANGGRAPH_CLOUD_LICENSE_KEY
  LANGSMITH_API_KEY LANGSMITH_ENDPOINT POSTGRES_URI_CUSTOM REDIS_URI_CUSTOM LSD_ENV LSD_DD_API_KEY
  LSD_DD_ENDPOINT LSD_DEPLOYMENT_TYPE`.split(/\s+/),
);

/** Problems of variables, each on a dotted path: on `secrets` itself the CLI would print every value. */
export function variableProblems(news: Props, dialect: DialectName): Problem[] {
  const env = recordOf(news["env"]);
  return (["env", "secrets"] as const).flatMap((kind): Problem[] => {
    const variables = news[kind] ?? undefined;
    if (variables === undefined || variables === UNKNOWN) return [];
    if (!isRecord(variables))
      return [{ property: "", reason: `${kind} must be a map from names to texts` }];
    return Object.entries(variables).flatMap(([name, value]) =>
      reasons(name, value, dialect, kind === "secrets" && Object.hasOwn(env, name)).map(
        (reason) => ({ property: `${kind}.${name}`, reason }),
      ),
    );
  });
}

function reasons(name: string, value: unknown, dialect: DialectName, inBoth: boolean): string[] {
  const reserved = PLATFORM_OWN.has(name) || (dialect === "langsmith" && PREDEFINED.has(name));
  return [
    ...(/^[^=\0]+$/.test(name) ? [] : ["is no name of an environment variable"]),
    ...(typeof value === "string" ? [] : [value === null ? NO_VALUE : "must be a string"]),
    ...(reserved ? ["is set by the platform and can't be given"] : []),
    ...(inBoth ? ["is given in env and in secrets; keep one"] : []),
  ];
}

const NO_VALUE =
  "is undefined, which would remove it from the deployment: set what it is read from, or leave the variable out of the program";

/** Variables that work and may not mean what their author thinks. */
export function variableWarnings({ environment: { variables } }: Declared): string[] {
  return Object.keys(variables)
    .filter((name) => PREDEFINED.has(name))
    .map((name) => `variable ${name} replaces the one that agent servers set themselves`);
}

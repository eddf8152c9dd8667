import { isRecord, recordOf } from "../shared/records";

/** The dialect of a control plane: the contract's names, or those of the public service behind it. */
export const DIALECTS = ["agentserver", "langsmith"] as const;
export type DialectName = (typeof DIALECTS)[number];

/** Values of the field `deployment_type`: first the contract's, then those of newer versions of the public service. */
export const DEPLOYMENT_TYPES = ["dev_free", "dev", "prod", "dev_zero", "dev_free_zero"] as const;
export type DeploymentType = (typeof DEPLOYMENT_TYPES)[number];

/** The names that differ: contract name → name in the dialect. */
interface Names {
  readonly paths: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, string>>;
  /** Values of the field `source`. */
  readonly sources: Readonly<Record<string, string>>;
  /** Whether a revision has the members of its configuration at the top too, as the contract can be read. */
  readonly flatRevisions: boolean;
  readonly deploymentTypes: readonly DeploymentType[];
  /** Whether there is what newer versions of the public service have and the contract has not. */
  readonly isExtended: boolean;
  /** Whether `secrets: []` in a PATCH removes every variable (contract), or leaves them (public service). */
  readonly clearsVariables: boolean;
}

const NAMES: Readonly<Record<DialectName, Names>> = {
  agentserver: {
    paths: {},
    fields: {},
    sources: {},
    deploymentTypes: DEPLOYMENT_TYPES.slice(0, 3),
    flatRevisions: true,
    isExtended: false,
    clearsVariables: true,
  },
  langsmith: {
    paths: { "/v1/integrations/git_host/": "/v1/integrations/github/" },
    fields: {
      graph_config_path: "langgraph_config_path",
      cache_cpu: "redis_cpu",
      cache_cpu_limit: "redis_cpu_limit",
      cache_memory_mb: "redis_memory_mb",
    },
    sources: {
      git_host: "github",
      external_container: "external_docker",
      internal_container: "internal_docker",
    },
    deploymentTypes: DEPLOYMENT_TYPES,
    flatRevisions: false,
    isExtended: true,
    clearsVariables: false,
  },
};

/** Members that contain contract names; everything else in a body is the user's or Kubernetes'. */
const WITHIN = new Set(["resources", "source_config", "source_revision_config", "resource_spec"]);

/** A one-way translation between the contract's names and a dialect's. */
interface Translation {
  readonly path: (path: string) => string;
  /** The JSON of a request or a response. */
  readonly body: (value: unknown) => unknown;
  /** A single name or value, as in the `loc` of a problem or in an OpenAPI document. */
  readonly name: (name: string) => string;
}

/** Both directions of a dialect, and its facts. */
export interface Dialect extends Omit<Names, "paths" | "fields" | "sources"> {
  readonly name: DialectName;
  readonly fromContract: Translation;
  readonly toContract: Translation;
}

export function dialectOf(name: DialectName): Dialect {
  const { paths, fields, sources, ...facts } = NAMES[name];
  // Names are swapped, so that a dialect with a name of its own does not know the contract's.
  const swap = translation(swapped(paths), swapped(fields), swapped(sources));
  return { name, fromContract: swap, toContract: swap, ...facts };
}

type Table = Readonly<Record<string, string>>;

const swapped = (table: Table): Table => ({
  ...table,
  ...Object.fromEntries(Object.entries(table).map(([name, other]) => [other, name])),
});

function translation(paths: Table, fields: Table, sources: Table): Translation {
  const nameIn = (table: Table, text: string): string | undefined =>
    Object.hasOwn(table, text) ? table[text] : undefined;
  const translateName = (text: string): string =>
    nameIn(fields, text) ?? nameIn(sources, text) ?? text;
  const valueOf = (name: string, value: unknown): unknown => {
    if (name === "source" && typeof value === "string") return nameIn(sources, value) ?? value;
    if (name === "detail") return translateProblems(value, translateName);
    return WITHIN.has(name) ? body(value) : value;
  };
  const body = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(body);
    if (!isRecord(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        nameIn(fields, name) ?? name,
        valueOf(name, member),
      ]),
    );
  };
  const path = (text: string): string => {
    const prefix = Object.keys(paths).find((candidate) => text.includes(candidate));
    return prefix === undefined ? text : text.replace(prefix, paths[prefix] ?? prefix);
  };
  return { path, body, name: translateName };
}

/**
 * Translates the problems of a 422 (contract, "Errors"): the fields in `loc`, and the values that an enum accepts. Any
 * other message may contain the user's own words.
 */
function translateProblems(detail: unknown, translateName: (name: string) => string): unknown {
  if (!Array.isArray(detail)) return detail;
  return detail.map((problem: unknown) => {
    const { loc, msg, ...rest } = recordOf(problem);
    if (!Array.isArray(loc)) return problem;
    const isEnum = rest["type"] === "enum" && typeof msg === "string";
    return {
      loc: translatePath(loc, translateName),
      msg: isEnum ? msg.replace(/\w+/g, translateName) : msg,
      ...rest,
    };
  });
}

/** Translates the fields of a path; the part before them is the place, such as `body`. */
function translatePath(
  loc: readonly unknown[],
  translateName: (name: string) => string,
): unknown[] {
  const isField = (at: number) => loc.slice(1, at).every((part) => WITHIN.has(String(part)));
  return loc.map((part, at) =>
    typeof part === "string" && at > 0 && isField(at) ? translateName(part) : part,
  );
}

import { PLATFORM_VARIABLES } from "../../../shared/reserved-names";
import type { Environment } from "./keeper/keeper";
import { StageFailure, type Revision } from "../driver";

/** What a child needs of the platform's own environment to find programs, its user's files, and the way out. */
const INHERITED = [
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "LANG",
  "LC_ALL",
  "LC_CTYPE",
  "TZ",
  "TMPDIR",
  "SSH_AUTH_SOCK",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "http_proxy",
  "https_proxy",
  "no_proxy",
  "NODE_EXTRA_CA_CERTS",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
];

/** Where package managers find registries, settings and caches; what else they know of is in the user's files. */
const PACKAGE_MANAGERS = [
  "NPM_CONFIG_CACHE",
  "NPM_CONFIG_REGISTRY",
  "NPM_CONFIG_USERCONFIG",
  "PIP_CACHE_DIR",
  "PIP_CERT",
  "PIP_CONFIG_FILE",
  "PIP_EXTRA_INDEX_URL",
  "PIP_FIND_LINKS",
  "PIP_INDEX_URL",
  "UV_CACHE_DIR",
  "UV_CONFIG_FILE",
  "UV_DEFAULT_INDEX",
  "UV_INDEX_URL",
  "XDG_CACHE_HOME",
  "XDG_CONFIG_HOME",
  "XDG_DATA_HOME",
];

/** The environment of git: no secret of the deployment, nothing of the platform's own settings. */
export function baseEnvironment(platform: Environment): Environment {
  return pick(platform, INHERITED);
}

/** The environment of builds: that of git, and what package managers go by. */
export function buildEnvironment(platform: Environment): Environment {
  return pick(platform, [...INHERITED, ...PACKAGE_MANAGERS]);
}

/** The environment of a revision's server: its variables over the graph configuration's, and those over the base. */
export function serverEnvironment(
  platform: Environment,
  revision: Revision,
  configured: Environment = {},
): Environment {
  const given = Object.fromEntries(revision.secrets.map(({ name, value }) => [name, value]));
  const variables = Object.entries({ ...configured, ...given }).filter(
    ([name]) => !PLATFORM_VARIABLES.has(name),
  );
  for (const [name, value] of variables) {
    if (!/^[A-Za-z_]\w*$/.test(name)) throw cantBeSet(name, `a name has ${NAME_FORM}`);
    if (value?.includes("\0")) throw cantBeSet(name, "its value holds a NUL character");
  }
  return { ...baseEnvironment(platform), ...Object.fromEntries(variables) };
}

function pick(from: Environment, names: readonly string[]): Environment {
  return Object.fromEntries(names.map((name) => [name, from[name]]));
}

/** Names of the variables that a revision brings. */
export function variableNames(revision: Revision): string[] {
  return revision.secrets.map(({ name }) => name).filter((name) => !PLATFORM_VARIABLES.has(name));
}

/** The keeper's shell drops other names from the environment that it hands on. */
const NAME_FORM = "letters, digits and _ only here, as servers are started through a shell";

function cantBeSet(name: string, reason: string): StageFailure {
  return new StageFailure(`the environment variable '${name}' can't be set: ${reason}`);
}

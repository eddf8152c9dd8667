import { PLATFORM_VARIABLES } from "../../../shared/reserved-names";
import type { Environment } from "./keeper/keeper";
import { StageFailure, type Revision } from "../driver";

const names = (text: string) => text.split(/\s+/);

/** Variables that child processes inherit: programs, the user's files, proxies and certificates. */
const INHERITED = names(`PATH HOME USER LOGNAME SHELL LANG LC_ALL LC_CTYPE TZ TMPDIR SSH_AUTH_SOCK
  HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy
  NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR`);

/** Registries, settings and caches of package managers; other settings are in the user's files. */
const PACKAGE_MANAGERS = names(`NPM_CONFIG_CACHE NPM_CONFIG_REGISTRY NPM_CONFIG_USERCONFIG
  PIP_CACHE_DIR PIP_CERT PIP_CONFIG_FILE PIP_EXTRA_INDEX_URL PIP_FIND_LINKS PIP_INDEX_URL
  UV_CACHE_DIR UV_CONFIG_FILE UV_DEFAULT_INDEX UV_EXTRA_INDEX_URL UV_FIND_LINKS UV_INDEX UV_INDEX_URL
  XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME`);

/** The environment of git: none of the deployment's secrets, none of the platform's settings. */
export function baseEnvironment(platform: Environment): Environment {
  return pick(platform, INHERITED);
}

/** The environment of builds: that of git, and the settings of package managers. */
export function buildEnvironment(platform: Environment): Environment {
  return pick(platform, [...INHERITED, ...PACKAGE_MANAGERS]);
}

/** The environment of a revision's server. Its variables override the graph configuration's, and those the base. */
export function serverEnvironment(
  platform: Environment,
  revision: Revision,
  configured: Environment = {},
): Environment {
  const given = revision.secrets.map(({ name, value }) => [name, value] as const);
  const variables = [...Object.entries(configured), ...given].filter(([name]) => isAllowed(name));
  for (const [name, value] of variables) {
    const reason = refusalOf(name, value);
    if (reason) throw new StageFailure(`cannot set environment variable '${name}': ${reason}`);
  }
  // The real servers name the revision in `GET /info`, and print records with their levels.
  const ofPlatform = { LANGSMITH_HOST_REVISION_ID: revision.id, LOG_JSON: "true" };
  return { ...baseEnvironment(platform), ...ofPlatform, ...Object.fromEntries(variables) };
}

/** Linux starts no process with a longer `NAME=value` and its final NUL. */
const MAX_KIB = 128;

function refusalOf(name: string, value = ""): string | undefined {
  if (!/^[A-Za-z_]\w*$/.test(name))
    return "a name may contain only letters, digits and _, because servers are started through a shell"; // which drops others
  if (value.includes("\0")) return "its value contains a NUL character";
  const isLong = Buffer.byteLength(`${name}=${value}\0`) > MAX_KIB * 1024;
  return isLong
    ? `its value exceeds ${MAX_KIB} KiB, with which no server can be started`
    : undefined;
}

function pick(from: Environment, wanted: readonly string[]): Environment {
  return Object.fromEntries(Object.entries(from).filter(([name]) => wanted.includes(name)));
}

/** The names of a revision's own variables. */
export function variableNames(revision: Revision): string[] {
  return revision.secrets.map(({ name }) => name).filter(isAllowed);
}

function isAllowed(name: string): boolean {
  return !PLATFORM_VARIABLES.has(name);
}

import type { Environment } from "../../keeper";
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

/** The platform's to say, never a secret's: the names that every control plane refuses (design: dialect `agentserver`). */
const RESERVED = ["PATH", "PORT", "MOUNT_PREFIX"];

/** The environment of git and of builds: no secret of the deployment, nothing of the platform's own settings. */
export function baseEnvironment(platform: Environment): Environment {
  return Object.fromEntries(INHERITED.map((name) => [name, platform[name]]));
}

/** The environment of a revision's server: its variables over that base. */
export function serverEnvironment(platform: Environment, revision: Revision): Environment {
  const base = baseEnvironment(platform);
  const variables = revision.secrets.filter(({ name }) => !RESERVED.includes(name));
  for (const { name, value } of variables) {
    if (!/^[A-Za-z_]\w*$/.test(name)) throw cantBeSet(name, `a name has ${NAME_FORM}`);
    if (value.includes("\0")) throw cantBeSet(name, "its value holds a NUL character");
  }
  return { ...base, ...Object.fromEntries(variables.map(({ name, value }) => [name, value])) };
}

/** Names of the variables that a revision brings. */
export function variableNames(revision: Revision): string[] {
  return revision.secrets.map(({ name }) => name).filter((name) => !RESERVED.includes(name));
}

/** The keeper's shell drops other names from the environment that it hands on. */
const NAME_FORM = "letters, digits and _ only here, as servers are started through a shell";

function cantBeSet(name: string, reason: string): StageFailure {
  return new StageFailure(`the environment variable '${name}' can't be set: ${reason}`);
}

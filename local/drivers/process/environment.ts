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
  const unfit = variables.find(({ name }) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name));
  if (unfit) {
    throw new StageFailure(
      `the environment variable '${unfit.name}' can't be set: the local platform starts servers through a shell, which knows names of letters, digits and _ only; rename it`,
    );
  }
  return { ...base, ...Object.fromEntries(variables.map(({ name, value }) => [name, value])) };
}

/** Names of the variables that a revision brings. */
export function variableNames(revision: Revision): string[] {
  return revision.secrets.map(({ name }) => name).filter((name) => !RESERVED.includes(name));
}

import { textOf } from "../../../../shared/records";

/** The newest versions are those that are tested; the repository's packages may ask for older ones. */
const CLI = "langgraph-cli[inmem]>=0.3,<=0.4.40";
const API = { oldest: "0.4.7", newest: "0.16.7" } as const;

/** The real Python server: the version of `api_version`, else the newest that fits the repository's packages. */
export function serverPackages(apiVersion: unknown): string[] {
  const { oldest, newest } = API;
  const version = textOf(apiVersion);
  return [CLI, `langgraph-api${version ? rangeOf(version) : `>=${oldest},<=${newest}`}`];
}

/** The reason why an install failed that the server is part of. */
export function describeMisfit(apiVersion: unknown): string {
  const version = textOf(apiVersion);
  if (version)
    return `api_version ${version} asks for langgraph-api${rangeOf(version)}, which does not exist or does not fit the repository's packages; set another one, or none for ${API.newest}`;
  return `no langgraph-api from ${API.oldest} to ${API.newest}, the agent server of this platform, fits the repository's packages; change them, or set api_version`;
}

/** `0.12` stands for its newest patch; `~=0.11.2` and `>~=0.11.2` for compatible versions, and for later ones too. */
function rangeOf(apiVersion: string): string {
  if (apiVersion.startsWith(">~=")) return `>=${apiVersion.slice(3).trim()}`;
  if (apiVersion.startsWith("~=")) return apiVersion;
  return /^\d+(\.\d+)?$/.test(apiVersion) ? `==${apiVersion}.*` : `==${apiVersion}`;
}

/** The newest versions are those that are tested; the repository's packages may ask for older ones. */
const CLI = "langgraph-cli[inmem]>=0.3,<=0.4.40";
const API = { oldest: "0.4", newest: "0.16.7" } as const;

/** The real Python server: the version of `api_version`, else the newest that fits the repository's packages. */
export function serverPackages(apiVersion: unknown): string[] {
  const { oldest, newest } = API;
  return [
    CLI,
    `langgraph-api${isText(apiVersion) ? rangeOf(apiVersion) : `>=${oldest},<=${newest}`}`,
  ];
}

/** The reason why an install failed that the server is part of. */
export function describeMisfit(apiVersion: unknown): string {
  if (isText(apiVersion))
    return `api_version ${apiVersion} asks for langgraph-api${rangeOf(apiVersion)}, which does not exist or does not fit the repository's packages; set another one, or none for ${API.newest}`;
  return `no langgraph-api from ${API.oldest} to ${API.newest}, the agent server of this platform, fits the repository's packages; change them, or set api_version`;
}

/** `0.12` stands for its newest patch; `~=0.11.2` and `>~=0.11.2` for compatible versions, and for later ones too. */
function rangeOf(apiVersion: string): string {
  if (apiVersion.startsWith(">~=")) return `>=${apiVersion.slice(3).trim()}`;
  if (apiVersion.startsWith("~=")) return apiVersion;
  return /^\d+(\.\d+)?$/.test(apiVersion) ? `==${apiVersion}.*` : `==${apiVersion}`;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

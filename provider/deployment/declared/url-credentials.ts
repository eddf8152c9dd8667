import type { Problem } from "../../arguments/problems";
import type { Values } from "./declared";

/** The part of a URL in front of its host, with its scheme. */
const USER_INFO = /^(?:([a-z][a-z\d+.-]*):\/\/)?([^/?#]*)@/i;

/** URLs that hold none, and what to do in place of those of one. */
const URLS = [
  [
    "sourceConfig.repoUrl",
    "remove them, and let the integration of integrationId supply them (a local platform: git's credential helper or ssh's agent)",
  ],
  ["sourceConfig.customUrl", "remove them"],
] as const;

/** A URL with a password or a token is refused without repeating it: the inputs are in the state in clear. */
export function credentialProblems(values: Values): Problem[] {
  return URLS.flatMap(([property, instead]) => {
    const url = values[property];
    if (typeof url !== "string" || !holdsCredentials(url)) return [];
    const reason = `holds credentials, which the state and the service show in clear: ${instead}`;
    return [{ property, reason }];
  });
}

/** Over http a user name alone may be a token; ssh's is not. */
function holdsCredentials(url: string): boolean {
  const [matched, scheme = "", userInfo = ""] = USER_INFO.exec(url.trimStart()) ?? [];
  if (matched === undefined) return false;
  if (scheme !== "") return /^https?$/i.test(scheme) || userInfo.includes(":");
  // In ssh's short form, `git@host:path`, the colon comes after the host.
  return /^[^@]*:/.test(userInfo);
}

import type { Kind } from "./program";

/** The lines of an output that say what is wrong or what was found. */
export function errorsIn(text: string): string[] {
  const lines = text.split("\n").map((line) => line.trim());
  return [...new Set(lines.filter((line) => /^(error|warning):/.test(line)))];
}

/** Ids of deployments that an error lets the program adopt. */
export function takenIn(text: string): string[] {
  return idsIn(text, /deployment (\S+) has this name already, /g);
}

const IN_THE_WAY: readonly [Kind, RegExp][] = [
  ["Deployment", /adopt deployment '\S+' \((\S+)\): .* differ/g],
  ["Listener", /listener (\S+) exists for this compute/g],
  ["OAuthProvider", /OAuth provider (\S+) exists with this providerId/g],
];

/** Things that a person has to delete, as errors say. */
export function inTheWayIn(text: string): { kind: Kind; id: string }[] {
  return IN_THE_WAY.flatMap(([kind, error]) => idsIn(text, error).map((id) => ({ kind, id })));
}

/** An output shows an error more than once. */
function idsIn(text: string, error: RegExp): string[] {
  return [...new Set([...text.matchAll(error)].flatMap(([, id = ""]) => id))];
}

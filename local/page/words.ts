import { stripVTControlCharacters } from "node:util";
import { factsOf, hasFailed, type DeploymentStatus } from "../../sdk/status";
import { printable } from "../../shared/printable";
import type { ServerStatus } from "../drivers/driver";

/** The colour of a status; its words say the same. */
export type Tone = "good" | "busy" | "bad" | "quiet";

/** A status for people. */
export interface Label {
  readonly text: string;
  readonly tone: Tone;
}

/** `BUILD_FAILED` becomes `Build failed`. */
export function revisionLabel(status: string): Label {
  const { phase } = factsOf(status);
  const text = status.replaceAll("_", " ").toLowerCase();
  const tone = {
    "in progress": "busy",
    deployed: "good",
    failed: "bad",
    interrupted: "bad",
    superseded: "quiet",
    unknown: "quiet",
  } as const;
  return { text: text.charAt(0).toUpperCase() + text.slice(1), tone: tone[phase] };
}

const DEPLOYMENTS: Readonly<Record<DeploymentStatus, Label>> = {
  AWAITING_DATABASE: { text: "Preparing", tone: "busy" },
  READY: { text: "Ready", tone: "good" },
  UNUSED: { text: "Unused", tone: "quiet" },
  AWAITING_DELETE: { text: "Deleting", tone: "busy" },
  AWAITING_FINAL_DELETE: { text: "Deleting", tone: "busy" },
  DELETED: { text: "Deleted", tone: "quiet" },
  UNKNOWN: { text: "Unknown", tone: "quiet" },
};

/** The control plane calls a deployment ready before anything serves; then its newest revision says how it is. */
export function deploymentLabel(
  status: DeploymentStatus,
  activeRevisionId: string | null,
  latestStatus: string,
): Label {
  if (activeRevisionId !== null || status !== "READY") return DEPLOYMENTS[status];
  return hasFailed(latestStatus)
    ? { text: "Does not serve", tone: "bad" }
    : { text: "First roll-out", tone: "busy" };
}

const SERVERS: Readonly<Record<ServerStatus["state"], Label>> = {
  running: { text: "Running", tone: "good" },
  starting: { text: "Starting", tone: "busy" },
  stopped: { text: "Stopped", tone: "quiet" },
  crashed: { text: "Crashed", tone: "bad" },
};

export function serverLabel(state: ServerStatus["state"]): Label {
  return SERVERS[state];
}

/** A whole number for people: `10,000`. */
export function count(number: number): string {
  return number.toLocaleString("en-US");
}

/** `1 revision`, `2 revisions`. */
export function plural(number: number, noun: string): string {
  return `${count(number)} ${noun}${number === 1 ? "" : "s"}`;
}

/** `340 ms`, `2.4 s`, `3 min 5 s`, `2 h 10 min`. */
export function duration(milliseconds: number): string {
  const ms = Math.max(milliseconds, 0);
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 ? `${minutes} min ${seconds % 60} s` : `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return minutes % 60 ? `${hours} h ${minutes % 60} min` : `${hours} h`;
}

/** `just now`, `20 s ago`, `5 min ago`, `3 h ago`, `12 days ago`; coarse, so that a live page seldom changes. */
export function age(milliseconds: number): string {
  const seconds = Math.max(milliseconds, 0) / 1000;
  if (seconds < 10) return "just now";
  if (seconds < 60) return `${Math.floor(seconds / 10) * 10} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 48 * 3600) return `${Math.floor(seconds / 3600)} h ago`;
  return `${Math.floor(seconds / 86_400)} days ago`;
}

/** `84 MB`. */
export function megabytes(bytes: number): string {
  return `${count(Math.round(bytes / 1_000_000))} MB`;
}

/**
 * The end of an id, enough to recognise it: the last group of a UUID. The first groups are a time in newer versions
 * (RFC 9562, 5.6 and 5.7), which neighbours share.
 */
export function shortId(id: string): string {
  return id.slice(-12);
}

/** A commit as git shortens it. */
export function shortCommit(sha: string): string {
  return sha.slice(0, 7);
}

/** An image with its digest as Docker shortens it: `acme/agent@sha256:0123456789ab`. */
export function shortImage(image: string): string {
  return image.replace(/(@[a-z\d]+:[\da-f]{12})[\da-f]+$/i, "$1");
}

/** Text of others on one page: colours of terminals are left out, other control characters are shown. */
export function plain(text: string): string {
  return printable(stripVTControlCharacters(text));
}

/** A word of a command for a POSIX shell. */
export function shellWord(text: string): string {
  return /^[\w./:@=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

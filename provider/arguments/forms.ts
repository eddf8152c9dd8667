import { posix } from "node:path";
import { mapMembers } from "../../shared/records";
import type { Props } from "./props";

/** The canonical form of a text: texts with the same one name the same thing. */
export type Form = (text: string) => string;

/** An id, or the name of something that a service finds in any case. */
export const caseless: Form = (text) => text.toLowerCase();

/** Inputs with the ids of these names in lower case: not every agent server knows them in capitals. */
export function withLowerCase(inputs: Props, names: readonly string[]): Props {
  return mapMembers(inputs, (value, name) =>
    typeof value === "string" && names.includes(name) ? caseless(value) : value,
  );
}

/** A ref: a branch has a short form, a tag has none. */
export const ref: Form = (text) => text.replace(/^refs\/heads\//, "");

/** A path inside a repository. */
export const repositoryPath: Form = (text) => posix.normalize(text);

/** A URL: its scheme and host in any case, with or without the default port and one slash at its end. */
export const url: Form = (text) => {
  if (!URL.canParse(text)) return text;
  return new URL(text).href
    .replace(HOST, (authority, head: string) => head + authority.slice(head.length).toLowerCase())
    .replace(DEFAULT_PORT, "$1$2")
    .replace(/\/$/, "");
};

/** The part in front of the host, which keeps its case, and the host with its port: only those of http are normalized by `URL`. */
const HOST = /^([^/]*\/\/(?:[^/?#]*@)?)[^/?#]*/;
const DEFAULT_PORT = /^(?:(ssh:\/\/[^/]*):22|(git:\/\/[^/]*):9418)(?=\/|$)/;

/** The URL of a git repository: with or without `.git`, and in ssh's short form. Its path keeps its case. */
export const repository: Form = (text) => {
  const long = text.replace(/^([^\s@:/]+@[^\s@:/]+):\/?(?=\S)/, "ssh://$1/");
  return url(long).replace(/(?<=[^/])\.git$/, "");
};

/** A container image: with or without the registry, the namespace and the tag that container runtimes fill in. */
export const image: Form = (text) => {
  const [name = "", ...digest] = text.split("@");
  const [first = "", ...rest] = name.split("/");
  const isHost = rest.length > 0 && /[.:]|^localhost$/.test(first);
  const host = isHost ? first.toLowerCase().replace(/^index\.docker\.io$/, DOCKER) : DOCKER;
  const given = isHost ? rest : [first, ...rest];
  const parts = host === DOCKER && given.length === 1 ? ["library", ...given] : given;
  const isExact = digest.length > 0 || parts.at(-1)?.includes(":");
  return [[host, ...parts].join("/") + (isExact ? "" : ":latest"), ...digest].join("@");
};

const DOCKER = "docker.io";

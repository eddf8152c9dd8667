import type { SourceConfigRequest } from "../../../sdk/schema/deployment";
import type { SourceRevisionConfig } from "../../../sdk/schema/revision";
import {
  type IMMUTABLE_FIELDS,
  PREREQUISITES,
  REQUIRED_FIELDS,
  SOURCES_OF_FIELD,
} from "../../../sdk/schema/source-rules";
import { type Camel, camelPath, type CamelPath } from "../../arguments/casing";

/** What is known of an argument besides its type, which the wire's schema holds. */
interface Facts {
  /**
   * What a change of it comes to: another deployment, a new revision, a change of settings without one, or nothing that
   * is sent.
   */
  readonly effect: "replace" | "revision" | "settings" | "none";
  /** What to declare in place of removing it, since the service cannot clear it: null means "leave as it is" there. */
  readonly insteadOfRemoving?: string;
  /** The service may leave it out of its responses: its absence is not drift. */
  readonly isOptionalInResponse?: true;
}

const REPLACES = { effect: "replace" } as const;
const CREATES_REVISION = { effect: "revision" } as const;
const NOT_SENT = { effect: "none" } as const;

const INSTALL_COMMANDS =
  "`npm ci` with a package-lock.json, `yarn install`, `pnpm i --frozen-lockfile` or `bun i` with the lock file of these, else `npm i`";

/** The arguments that are not objects of fields, by the path that users write; the order is the one of messages. */
const FACTS = {
  name: REPLACES,
  source: REPLACES,
  "sourceConfig.integrationId": REPLACES,
  "sourceConfig.repoUrl": REPLACES,
  "sourceConfig.deploymentType": REPLACES,
  "sourceConfig.listenerId": REPLACES,
  "sourceConfig.listenerConfig.k8sNamespace": REPLACES,
  "sourceConfig.listenerConfig": { effect: "none", isOptionalInResponse: true },
  "sourceRevisionConfig.repoRef": CREATES_REVISION,
  "sourceRevisionConfig.graphConfigPath": CREATES_REVISION,
  "sourceRevisionConfig.imageUri": CREATES_REVISION,
  "sourceConfig.installCommand": {
    effect: "revision",
    insteadOfRemoving: `set the command that is detected without it: ${INSTALL_COMMANDS}`,
    isOptionalInResponse: true,
  },
  "sourceConfig.buildCommand": {
    effect: "revision",
    insteadOfRemoving: "set a command that does nothing: `true`",
    isOptionalInResponse: true,
  },
  "sourceConfig.resourceSpec": CREATES_REVISION,
  "sourceConfig.buildOnPush": { effect: "settings" },
  "sourceConfig.customUrl": { effect: "settings", insteadOfRemoving: "set another URL" },
  env: CREATES_REVISION,
  secrets: CREATES_REVISION,
  redeployOn: CREATES_REVISION,
  wait: NOT_SENT,
  onFailure: NOT_SENT,
  smokeCheck: NOT_SENT,
  adoptExisting: NOT_SENT,
} as const satisfies Readonly<
  Record<FieldPath | CamelPath<keyof typeof SOURCES_OF_FIELD>, Facts> &
    Record<CamelPath<(typeof IMMUTABLE_FIELDS)[number]>, typeof REPLACES> &
    Record<string, Facts>
>;

/** Every field of the wire's two configurations that a program can set. */
type FieldPath =
  | `sourceConfig.${keyof Camel<SourceConfigRequest>}`
  | `sourceRevisionConfig.${Exclude<keyof Camel<SourceRevisionConfig>, "repoCommitSha">}`;

/** The path of an argument, as users write it. */
export type ArgumentPath = keyof typeof FACTS;

/** All that is known of one argument. */
export interface Argument extends Facts {
  readonly path: ArgumentPath;
  /** The sources that it is for; undefined for all. */
  readonly sources: readonly string[] | undefined;
  /** The sources that cannot do without it. */
  readonly requiredBy: readonly string[];
  /** The argument without which it means nothing. */
  readonly needs: ArgumentPath | undefined;
}

/** Every argument of a `Deployment`, in the order in which messages name them. */
export const ARGUMENTS: readonly Argument[] = Object.entries<Facts>(FACTS).flatMap(
  ([path, facts]) => (isPath(path) ? [{ path, ...facts, ...rulesOf(path) }] : []),
);

function isPath(path: string): path is ArgumentPath {
  return path in FACTS;
}

/** What the contract says of a field, which the local platform enforces by the same tables. */
function rulesOf(path: ArgumentPath): Pick<Argument, "sources" | "requiredBy" | "needs"> {
  const isField = (field: string): boolean => camelPath(field.split(".")) === path;
  return {
    sources: Object.entries(SOURCES_OF_FIELD).find(([field]) => isField(field))?.[1],
    requiredBy: Object.entries(REQUIRED_FIELDS)
      .filter(([, fields]) => fields.some(isField))
      .map(([source]) => source),
    needs: Object.entries(PREREQUISITES)
      .filter(([field]) => isField(field))
      .map(([, needed]) => camelPath(needed.split(".")))
      .find(isPath),
  };
}

/** The commands of a build: members of `sourceConfig` that the service detects where they are not set, and never clears. */
export const COMMANDS = ["installCommand", "buildCommand"] as const;

/** The names of all arguments, in the order in which they are shown. */
export const INPUT_NAMES: readonly string[] = [
  ...new Set(ARGUMENTS.map(({ path }) => path.split(".")[0] ?? path)),
];

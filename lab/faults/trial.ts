import {
  RESOURCE_TYPES,
  type ResourceType,
  dynamicToken,
  nativeToken,
} from "../../provider/resource-types";
import type { Conditions } from "./conditions";
import type { ResourceTypeName } from "./history";
import type { Random } from "./random";
import type { Workspace, Environment } from "./environment";

/** The front end that the engine calls. */
export type FrontEndName = "dynamic" | "native";

/** The place of a resource: its stack and it are renamed, and it moves to the other front end. */
export interface Place {
  stack: string;
  frontEnd: FrontEndName;
  logicalName: string;
}

/** The parts of a resource's schedule. */
export interface Trial {
  readonly environment: Environment;
  readonly workspace: Workspace;
  readonly serving: { readonly push: (repoUrl: string, ref: string, sha: string) => void };
  readonly random: Random;
  readonly place: Place;
  /** A name that no other resource of the schedule takes. */
  readonly ownName: string;
  readonly conditions: Conditions;
  /** Whether what has this id belongs to another resource of the schedule, or to nobody. */
  readonly isOthers: (id: string) => boolean;
  /** Adds a line to the history. */
  readonly note: (line: string) => void;
}

/** The parts of the processes of a command. */
export interface Surroundings extends Pick<Trial, "environment" | "workspace" | "random"> {
  /** Their clock minus the service's. */
  readonly skewMs: number;
  /** Called with what they say to whoever runs the command. */
  readonly say: (text: string) => void;
  /** Called with what they show only while they work. */
  readonly show: (text: string) => void;
  /** Called with what shows a secret in clear. */
  readonly onLeak: (what: string) => void;
  /** The output of `pulumi stack export`; nothing where it fails. */
  readonly exportState: () => string | undefined;
}

/** The URN of a resource of the program. */
export function urnOf({ stack, frontEnd, logicalName }: Place, kind: ResourceTypeName): string {
  const type = rowOf(kind)?.type ?? kind;
  const token = frontEnd === "native" ? nativeToken(type) : dynamicToken(type);
  return `urn:pulumi:${stack}::shop::${token}::${logicalName}`;
}

/** The facts of a kind, whose name is that of its lifecycle. */
export function rowOf(kind: string): ResourceType | undefined {
  return Object.values(RESOURCE_TYPES).find(({ lifecycle }) => lifecycle === kind);
}

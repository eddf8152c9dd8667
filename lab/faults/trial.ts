import {
  RESOURCE_TYPES,
  type ResourceType,
  dynamicToken,
  nativeToken,
} from "../../provider/resource-types";
import type { ConditionFault } from "./conditions";
import type { Environment, Workspace } from "./environment";
import type { Conditions, ResourceTypeName } from "./history";
import type { Ledger } from "./ledger";
import type { Random } from "./random";
import type { Replicas } from "./replicas";
import type { Serving } from "./serving";

/** What all of a history shares. */
export interface Scenario {
  readonly environment: Environment;
  readonly workspace: Workspace;
  /** Another workspace of the organization, in which the programs look things up too. */
  readonly elsewhere: Workspace;
  readonly serving: Serving;
  readonly ledger: Ledger;
  readonly replicas: Replicas;
  readonly random: Random;
  readonly conditions: Conditions;
  readonly conditionFault: ConditionFault;
  /** The provider's clock minus the service's. */
  readonly skewMs: number;
  /** Whether the programs call functions. */
  readonly looksUp: boolean;
  /** Adds a line to the history. */
  readonly note: (line: string) => void;
}

/** The front end that the engine calls. */
export type FrontEndName = "dynamic" | "native";

/** The place of a resource: its stack and it are renamed, and it moves to the other front end. */
export interface Place {
  stack: string;
  frontEnd: FrontEndName;
  logicalName: string;
}

/** A scenario as one resource sees it. */
export interface Trial extends Scenario {
  readonly place: Place;
  /** A name that no other resource of the schedule takes. */
  readonly ownName: string;
  /** Whether what has this id belongs to another resource of the schedule, or to nobody. */
  readonly isOthers: (id: string) => boolean;
}

/** A scenario as the processes of a command see it. */
export interface Surroundings extends Scenario {
  /** Called with what they say to whoever runs the command. */
  readonly say: (text: string) => void;
  /** Called with what they show only while they work. */
  readonly show: (text: string) => void;
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

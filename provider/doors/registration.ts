import type { CustomResourceOptions, Inputs } from "@pulumi/pulumi";
import type { Secrets } from "../secret-properties";

/** A kind of resource. */
export interface ResourceKind {
  /** The last part of its type token. */
  readonly type: string;
  /** The export of `provider/lifecycle` that serves it. */
  readonly lifecycle: keyof typeof import("../lifecycle");
  /** How a program adopts one that exists. @default it cannot */
  readonly adoption?: string;
  /** What is always secret of it. @default nothing */
  readonly secrets?: Secrets;
  /** Whether its name is free only after the old one is deleted: forced replacements ask no diff. @default false */
  readonly isDeletedFirst?: boolean;
}

/** The module of a front end: its resources take no provider of the other one. */
export type FrontEnd = "pulumi-agentserver" | "pulumi-agentserver/native";

/** How resources are registered with the engine: for one of the two front ends. */
export interface Registration {
  /** The module that programs import it from. */
  readonly module: FrontEnd;
  readonly tokenOf: (kind: ResourceKind) => string;
  /** The hidden inputs that the front end needs in addition to the arguments. */
  readonly hiddenInputs: (
    kind: ResourceKind,
    name: string,
    options: CustomResourceOptions,
  ) => Inputs;
  /** The options that a program gives, with those of the front end. */
  readonly options: (
    kind: ResourceKind,
    name: string,
    given: CustomResourceOptions,
  ) => CustomResourceOptions;
}

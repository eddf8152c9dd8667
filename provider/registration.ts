import type { CustomResourceOptions, Inputs } from "@pulumi/pulumi";

/** A kind of resource. */
export interface ResourceKind {
  /** The last part of its type token. */
  readonly type: string;
  /** The export of `provider/lifecycle` that serves it. */
  readonly lifecycle: keyof typeof import("./lifecycle");
  /** How a program adopts one that exists. @default it cannot */
  readonly adoption?: string;
}

/** How resources are registered with the engine: for one of the two front ends. */
export interface Registration {
  readonly tokenOf: (kind: ResourceKind) => string;
  /** The hidden inputs that the front end needs in addition to the arguments. */
  readonly hiddenInputs: (
    kind: ResourceKind,
    name: string,
    options: CustomResourceOptions | undefined,
  ) => Inputs;
  readonly options: (
    kind: ResourceKind,
    name: string,
    options: CustomResourceOptions | undefined,
  ) => CustomResourceOptions | undefined;
}

import type { CustomResourceOptions, Inputs } from "@pulumi/pulumi";
import type { ResourceType } from "../resource-types";

/** The module of a front end: its resources take no provider of the other one. */
export type FrontEnd = "pulumi-agentserver" | "pulumi-agentserver/native";

/** The form in which a front end registers an explicit provider. */
interface ProviderForm {
  /** The Pulumi package of the provider. */
  readonly package: string;
  /** What stands before the name of each setting. */
  readonly prefix: string;
  /** Its inputs beside the settings. */
  readonly inputs: Inputs;
}

/** The registration of resources with the engine, for one of the two front ends. */
export interface Registration {
  /** The module that programs import it from. */
  readonly module: FrontEnd;
  /** The form of an explicit provider. */
  readonly provider: ProviderForm;
  readonly tokenOf: (kind: ResourceType) => string;
  /** The hidden inputs that the front end needs in addition to the arguments. */
  readonly hiddenInputs: (
    kind: ResourceType,
    name: string,
    options: CustomResourceOptions,
  ) => Inputs;
  /** The options that a program gives, with those of the front end. */
  readonly options: (
    kind: ResourceType,
    name: string,
    given: CustomResourceOptions,
  ) => CustomResourceOptions;
}

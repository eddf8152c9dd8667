import type {
  ComponentResourceOptions,
  CustomResourceOptions,
  Input,
  Output,
} from "@pulumi/pulumi";
import { ComponentResource } from "@pulumi/pulumi";
import {
  Deployment,
  type DeploymentArgs,
  type ExternalContainerSourceConfigArgs,
  type ExternalContainerSourceRevisionConfigArgs,
  type ResourceSpecArgs,
  type WaitArgs,
} from "pulumi-agentserver";
import type { Expected, Settings } from "../support/corpus";

/** Arguments that a component passes on, some of them left out, as `exactOptionalPropertyTypes` has it. */
interface AgentArgs {
  readonly imageUri: Input<string>;
  readonly cpu?: Input<number>;
  readonly variables?: Readonly<Record<string, Input<string>>>;
  readonly wait?: WaitArgs;
}

class Agent extends ComponentResource {
  public readonly url: Output<string | null>;
  public readonly id: Output<string>;

  public constructor(name: string, args: AgentArgs, options: ComponentResourceOptions = {}) {
    super("shop:index:Agent", name, {}, options);
    const { imageUri, cpu, variables, wait } = args;
    const resourceSpec: ResourceSpecArgs = { memoryMb: 512, ...(cpu !== undefined && { cpu }) };
    const sourceConfig = { resourceSpec } satisfies ExternalContainerSourceConfigArgs;
    const sourceRevisionConfig: ExternalContainerSourceRevisionConfigArgs = { imageUri };
    const all: DeploymentArgs = {
      source: "external_container",
      sourceConfig,
      sourceRevisionConfig,
      ...(variables && { env: variables }),
      ...(wait && { wait }),
    };
    const own: CustomResourceOptions = { parent: this };
    const { url, id } = new Deployment(name, all, own);
    this.url = url;
    this.id = id;
    this.registerOutputs({ url });
  }
}

export function program(_: Settings, version: number): Record<string, Output<string | null>[]> {
  const least = new Agent("least", { imageUri: "registry.example.com/acme/agent:1" });
  const most = new Agent("most", {
    imageUri: "registry.example.com/acme/agent:1",
    cpu: version,
    variables: { LOG_LEVEL: "info" },
    wait: { until: "deployed", timeoutSeconds: 60 },
  });
  return { urls: [least.url, most.url], ids: [least.id, most.id] };
}

export const expected: Expected = {
  tier: "nightly",
  steps: { "Agent$Deployment most": "update" },
  kept: ["urls", "ids"],
};

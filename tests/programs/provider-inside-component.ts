import { ComponentResource, type Input } from "@pulumi/pulumi";
import { Deployment, Provider } from "pulumi-agentserver";
import type { Expected, Settings } from "../support/corpus";

interface RegionArgs {
  readonly baseUrl: Input<string>;
  readonly apiKey: Input<string>;
  readonly workspaceId: Input<string>;
}

/** A region with a provider of its own, which its deployments are given one by one. */
class Region extends ComponentResource {
  constructor(name: string, args: RegionArgs, version: number) {
    super("shop:index:Region", name);
    const provider = new Provider(name, args, { parent: this });
    for (const role of ["chat", "mail"])
      new Deployment(
        `${name}-${role}`,
        {
          source: "external_container",
          sourceRevisionConfig: { imageUri: `registry.example.com/acme/${role}:${version}` },
        },
        { parent: this, provider },
      );
    this.registerOutputs();
  }
}

export function program({ baseUrl, apiKey, workspaceId, second }: Settings, version: number) {
  new Region("eu", { baseUrl, apiKey, workspaceId }, 1);
  new Region("us", { baseUrl, apiKey: second.apiKey, workspaceId: second.workspaceId }, version);
}

export const expected: Expected = {
  tier: "nightly",
  steps: { "Region$Deployment us-chat": "update", "Region$Deployment us-mail": "update" },
};

import { ComponentResource } from "@pulumi/pulumi";
import { Deployment } from "pulumi-agentserver";
import type { Expected, Settings } from "../support/corpus";

class Team extends ComponentResource {
  constructor(name: string, tag: string) {
    super("shop:index:Team", name);
    const image = (imageUri: string) => ({
      source: "external_container" as const,
      sourceRevisionConfig: { imageUri },
    });
    const store = new Deployment("store", image(`registry.example.com/acme/store:${tag}`), {
      parent: this,
    });
    new Deployment("front", image("registry.example.com/acme/front:1"), {
      parent: this,
      dependsOn: store,
    });
    new Deployment("back", image("registry.example.com/acme/back:1"), {
      parent: this,
      dependsOn: [store],
    });
    this.registerOutputs();
  }
}

export function program(_: Settings, version: number) {
  new Team("team", String(version));
}

export const expected: Expected = {
  tier: "nightly",
  steps: { "Team$Deployment store": "update" },
};

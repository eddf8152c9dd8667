import { ComponentResource, type ComponentResourceOptions } from "@pulumi/pulumi";
import { Deployment } from "pulumi-agentserver";
import type { Expected, Settings } from "../support/corpus";

class Team extends ComponentResource {
  readonly ids;

  constructor(type: string, name: string, options?: ComponentResourceOptions) {
    super(type, name, {}, options);
    this.ids = ["chat", "mail"].map(
      (role) =>
        new Deployment(
          `${name}-${role}`,
          {
            source: "external_container",
            sourceRevisionConfig: { imageUri: `registry.example.com/acme/${role}:1` },
          },
          { parent: this },
        ).id,
    );
    this.registerOutputs();
  }
}

/** A component gets another type and name; its children, whose names begin with its own, go along. */
export function program(_: Settings, version: number) {
  const { ids } =
    version === 1
      ? new Team("shop:index:Team", "help")
      : new Team("shop:index:Desk", "desk", {
          aliases: [{ type: "shop:index:Team", name: "help" }],
        });
  return { ids };
}

export const expected: Expected = {
  tier: "nightly",
  steps: {},
  kept: ["ids"],
};

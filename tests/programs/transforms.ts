import { ComponentResource, type ResourceTransform } from "@pulumi/pulumi";
import { Deployment } from "pulumi-agentserver";
import type { Expected, Settings } from "../support/corpus";

/** Gives every deployment below it a variable more. */
const labelled =
  (label: string): ResourceTransform =>
  async ({ type, props, opts }) =>
    type.endsWith("agentserver:Deployment")
      ? { props: { ...props, env: { ...props["env"], TEAM: label } }, opts }
      : undefined;

export function program(_: Settings, version: number) {
  const team = (name: string, label: string) => {
    const transforms = [labelled(label)];
    const parent = new ComponentResource("shop:index:Team", name, {}, { transforms });
    for (const role of ["chat", "mail"])
      new Deployment(
        `${name}-${role}`,
        {
          source: "external_container",
          sourceRevisionConfig: { imageUri: `registry.example.com/acme/${role}:1` },
          env: { LOG_LEVEL: "info" },
        },
        { parent },
      );
  };
  team("eu", "europe");
  team("us", version === 1 ? "america" : "north-america");
}

export const expected: Expected = {
  tier: "long",
  steps: { "Team$Deployment us-chat": "update", "Team$Deployment us-mail": "update" },
};

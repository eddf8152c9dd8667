import { ComponentResource, type Inputs } from "@pulumi/pulumi";
import { Deployment } from "pulumi-agentserver";
import type { Expected, Settings } from "../support/corpus";

class Team extends ComponentResource {
  show(outputs: Inputs) {
    this.registerOutputs(outputs);
  }
}

/** Whole resources as a component's outputs, as the stack's, and in the arguments' place. */
export function program(_: Settings, version: number) {
  const team = new Team("shop:index:Team", "team");
  const image = (name: string) => ({
    source: "external_container" as const,
    sourceConfig: { resourceSpec: { cpu: 1 } },
    sourceRevisionConfig: { imageUri: `registry.example.com/acme/${name}:1` },
    secrets: { KEY: "value-of-the-key" },
  });
  const chat = new Deployment("chat", { ...image("chat"), redeployOn: version }, { parent: team });
  const mail = new Deployment(
    "mail",
    { ...image("mail"), redeployOn: chat.sourceConfig },
    { parent: team },
  );
  team.show({ chat, mail });
  return { chat, mailId: mail.id };
}

export const expected: Expected = {
  tier: "nightly",
  steps: { "Team$Deployment chat": "update" },
  kept: ["mailId"],
};

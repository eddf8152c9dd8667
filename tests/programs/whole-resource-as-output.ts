import { ComponentResource, type Inputs } from "@pulumi/pulumi";
import { Deployment } from "pulumi-agentserver";
import type { Expected, Settings } from "../support/corpus";

class Team extends ComponentResource {
  show(outputs: Inputs) {
    this.registerOutputs(outputs);
  }
}

/** Whole resources as a component's outputs, as the stack's, and in the arguments' place; and outputs of what nobody gave. */
export function program(_: Settings, version: number) {
  const team = new Team("shop:index:Team", "team");
  const image = (name: string) => ({
    source: "external_container" as const,
    sourceConfig: { resourceSpec: { cpu: 1 } },
    sourceRevisionConfig: { imageUri: `registry.example.com/acme/${name}:1` },
    secrets: { KEY: "value-of-the-key" },
  });
  const chat = new Deployment("chat", { ...image("chat"), redeployOn: version }, { parent: team });
  const VARIABLES = chat.env.apply((variables) => JSON.stringify(variables ?? null));
  const given = { ...image("mail"), redeployOn: chat.sourceConfig, env: { VARIABLES } };
  const mail = new Deployment("mail", given, { parent: team });
  team.show({ chat, mail });
  return { chat, env: chat.env, customUrl: chat.sourceConfig.customUrl, mailId: mail.id };
}

export const expected: Expected = { steps: { "Team$Deployment chat": "update" }, kept: ["mailId"] };

import { ComponentResource, rootStackResource } from "@pulumi/pulumi";
import { Deployment } from "pulumi-agentserver";
import type { Expected, Settings } from "../support/corpus";

const args = {
  source: "external_container",
  sourceRevisionConfig: { imageUri: "registry.example.com/acme/agent:1" },
} as const;

export function program(_: Settings, version: number) {
  if (version === 1) {
    const chat = new Deployment("chat", args);
    return { ids: [chat.id, new Deployment("mail", { ...args, env: { CHAT: chat.url } }).id] };
  }
  const parent = new ComponentResource("shop:index:Team", "team");
  const options = { parent, aliases: [{ parent: rootStackResource }] };
  const chat = new Deployment("chat", args, options);
  return {
    ids: [chat.id, new Deployment("mail", { ...args, env: { CHAT: chat.url } }, options).id],
  };
}

export const expected: Expected = { steps: { "Team team": "create" }, kept: ["ids"] };

import { StackReference } from "@pulumi/pulumi";
import { Deployment } from "pulumi-agentserver";
import type { Expected, Settings } from "../support/corpus";

const image = (name: string, version: number) => ({
  source: "external_container" as const,
  sourceRevisionConfig: { imageUri: `registry.example.com/acme/${name}:${version}` },
});

/** The stack that the other one refers to. */
export function base() {
  const shared = new Deployment("shared", image("shared", 1));
  return { url: shared.url, id: shared.id };
}

export function program(_: Settings, version: number) {
  const shared = new StackReference("organization/shop/base");
  const args = { ...image("chat", version), env: { SHARED: shared.requireOutput("url") } };
  const chat = new Deployment("chat", args);
  const mail = new Deployment("mail", {
    ...image("mail", 1),
    env: { SHARED: shared.getOutput("url") },
  });
  return { ids: [chat.id, mail.id] };
}

export const expected: Expected = {
  tier: "long",
  steps: { "Deployment chat": "update" },
  kept: ["ids"],
};

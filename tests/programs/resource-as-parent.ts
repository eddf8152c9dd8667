import { Deployment } from "pulumi-agentserver";
import type { Expected, Settings } from "../support/corpus";

const image = (name: string, tag: number) => ({
  source: "external_container" as const,
  sourceRevisionConfig: { imageUri: `registry.example.com/acme/${name}:${tag}` },
});

export function program(_: Settings, version: number) {
  const parent = new Deployment("support", image("support", version));
  const mail = new Deployment("mail", image("mail", 1), { parent });
  const chat = new Deployment("chat", { ...image("chat", 1), env: { MAIL: mail.url } }, { parent });
  return { urls: [parent.url, mail.url, chat.url] };
}

export const expected: Expected = {
  tier: "nightly",
  steps: { "Deployment support": "update" },
  kept: ["urls"],
};

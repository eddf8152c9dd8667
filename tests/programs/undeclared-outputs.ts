import { Deployment } from "pulumi-agentserver";
import type { Expected, Settings } from "../support/corpus";

/** Outputs of arguments that are not given, used by another resource. */
export function program(_: Settings, version: number) {
  const image = (name: string) => ({
    source: "external_container" as const,
    sourceRevisionConfig: { imageUri: `registry.example.com/acme/${name}:${version}` },
  });
  const chat = new Deployment("chat", image("chat"));
  const mail = new Deployment("mail", {
    ...image("mail"),
    sourceRevisionConfig: { imageUri: "registry.example.com/acme/mail:1" },
    redeployOn: chat.sourceConfig,
    env: { VARIABLES: chat.env.apply((variables) => JSON.stringify(variables ?? null)) },
  });
  const { customUrl } = chat.sourceConfig;
  return { env: chat.env, secrets: chat.secrets, customUrl, mailId: mail.id };
}

export const expected: Expected = { steps: { "Deployment chat": "update" }, kept: ["mailId"] };

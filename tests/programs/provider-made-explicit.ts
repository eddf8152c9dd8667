import { ComponentResource } from "@pulumi/pulumi";
import { Deployment, Provider } from "pulumi-agentserver";
import type { Expected, Settings } from "../support/corpus";

/** A resource of the stack's own settings gets an explicit provider of the same workspace. */
export function program({ baseUrl, apiKey, workspaceId }: Settings, version: number) {
  const eu = version === 1 ? undefined : new Provider("eu", { baseUrl, apiKey, workspaceId });
  const parent = new ComponentResource(
    "shop:index:Team",
    "team",
    {},
    { ...(eu && { providers: [eu] }) },
  );
  const image = (name: string) => ({
    source: "external_container" as const,
    sourceRevisionConfig: { imageUri: `registry.example.com/acme/${name}:1` },
  });
  const chat = new Deployment("chat", image("chat"), { parent });
  const mail = new Deployment("mail", image("mail"), { ...(eu && { provider: eu }) });
  return { ids: [chat.id, mail.id] };
}

export const expected: Expected = {
  tier: "nightly",
  steps: { "pulumi-nodejs eu": "create", "pulumi-nodejs default": "delete" },
  kept: ["ids"],
};

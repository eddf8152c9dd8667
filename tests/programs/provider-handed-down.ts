import { ComponentResource, type ComponentResourceOptions } from "@pulumi/pulumi";
import { Deployment, Provider } from "pulumi-agentserver";
import type { Expected, Settings } from "../support/corpus";

/** A component that knows nothing of where it is deployed. */
class Team extends ComponentResource {
  readonly chat: Deployment;

  constructor(name: string, level: string, options: ComponentResourceOptions) {
    super("shop:index:Team", name, {}, options);
    const args = (role: string) => ({
      source: "external_container" as const,
      sourceRevisionConfig: { imageUri: `registry.example.com/acme/${role}:1` },
      env: { LOG_LEVEL: level },
    });
    this.chat = new Deployment(`${name}-chat`, args("chat"), { parent: this });
    new Deployment(
      `${name}-mail`,
      { ...args("mail"), env: { CHAT: this.chat.url } },
      { parent: this },
    );
    this.registerOutputs();
  }
}

export function program({ second }: Settings, version: number) {
  const { baseUrl, apiKey, workspaceId } = second;
  const eu = new Provider("eu", {
    baseUrl,
    apiKey,
    workspaceId,
    requestTimeoutSeconds: version * 20,
  });
  const { chat } = new Team("eu", version === 1 ? "info" : "debug", { providers: [eu] });
  return { tenant: chat.tenantId };
}

export const expected: Expected = {
  tier: "nightly",
  steps: { "pulumi-nodejs eu": "update", "Team$Deployment eu-chat": "update" },
  kept: ["tenant"],
};

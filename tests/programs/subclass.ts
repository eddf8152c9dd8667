import type { CustomResourceOptions } from "@pulumi/pulumi";
import { Deployment, type DeploymentArgs } from "pulumi-agentserver";
import type { Expected, Settings } from "../support/corpus";

/** A house's own kind of deployment, by inheritance. */
class HouseAgent extends Deployment {
  constructor(name: string, env: DeploymentArgs["env"], options?: CustomResourceOptions) {
    const sourceRevisionConfig = { imageUri: `registry.example.com/acme/${name}:1` };
    super(
      name,
      { source: "external_container", sourceRevisionConfig, ...(env && { env }) },
      options,
    );
  }

  get info() {
    return this.url.apply((url) => `${url}/info`);
  }
}

export function program(_: Settings, version: number) {
  const chat = new HouseAgent("chat", { LOG_LEVEL: version === 1 ? "info" : "debug" });
  const mail = new HouseAgent("mail", { CHAT: chat.info }, { dependsOn: chat });
  return { infos: [chat.info, mail.info] };
}

export const expected: Expected = {
  tier: "nightly",
  steps: { "Deployment chat": "update" },
  kept: ["infos"],
};

import { ComponentResource, type ComponentResourceOptions, type Output } from "@pulumi/pulumi";
import { Deployment } from "pulumi-agentserver";
import type { Expected, Settings } from "../support/corpus";

class Agent extends ComponentResource {
  readonly url: Output<string | null>;

  constructor(name: string, level: string, options: ComponentResourceOptions) {
    super("shop:index:Agent", name, {}, options);
    const { url } = new Deployment(
      name,
      {
        source: "external_container",
        sourceRevisionConfig: { imageUri: "registry.example.com/acme/agent:1" },
        env: { LOG_LEVEL: level },
      },
      { parent: this },
    );
    this.url = url;
    this.registerOutputs({ url });
  }
}

class Region extends ComponentResource {
  readonly urls: Output<string | null>[];

  constructor(name: string, levels: Readonly<Record<string, string>>) {
    super("shop:index:Region", name);
    this.urls = Object.entries(levels).map(
      ([role, level]) => new Agent(`${name}-${role}`, level, { parent: this }).url,
    );
    this.registerOutputs({ urls: this.urls });
  }
}

export function program(_: Settings, version: number) {
  const eu = new Region("eu", { chat: "info", mail: version === 1 ? "info" : "warn" });
  const us = new Region("us", { chat: "info" });
  return { urls: [...eu.urls, ...us.urls] };
}

export const expected: Expected = {
  tier: "nightly",
  steps: { "Region$Agent$Deployment eu-mail": "update" },
  kept: ["urls"],
};

import { ComponentResource } from "@pulumi/pulumi";
import { Deployment } from "pulumi-agentserver";
import type { Expected, Settings } from "../support/corpus";

const image = (name: string, tag: number) => ({
  source: "external_container" as const,
  sourceRevisionConfig: { imageUri: `registry.example.com/acme/${name}:${tag}` },
});

class Backend extends ComponentResource {
  constructor(name: string, version: number) {
    super("shop:index:Backend", name);
    new Deployment("orders", image("orders", 1), { parent: this });
    new Deployment("stock", image("stock", version), { parent: this });
    this.registerOutputs({});
  }
}

class Frontend extends ComponentResource {
  constructor(name: string, backend: Backend) {
    super("shop:index:Frontend", name, {}, { dependsOn: [backend] });
    new Deployment("chat", image("chat", 1), { parent: this });
    new Deployment("mail", image("mail", 1), { parent: this });
    this.registerOutputs({});
  }
}

export function program(_: Settings, version: number) {
  const backend = new Backend("backend", version);
  new Frontend("frontend", backend);
  const audit = new Deployment("audit", image("audit", 1), { dependsOn: backend });
  return { audit: audit.id };
}

export const expected: Expected = {
  tier: "nightly",
  steps: { "Backend$Deployment stock": "update" },
  kept: ["audit"],
};

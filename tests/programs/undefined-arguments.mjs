import { ComponentResource } from "@pulumi/pulumi";
import * as agentserver from "pulumi-agentserver";

/** Passes on whatever it is given, most of it undefined. */
class Agent extends ComponentResource {
  constructor(name, args = {}, options) {
    super("shop:index:Agent", name, {}, options);
    this.deployment = new agentserver.Deployment(
      name,
      {
        name: args.name,
        source: "external_container",
        sourceConfig: { customUrl: args.customUrl, resourceSpec: args.resourceSpec ?? undefined },
        sourceRevisionConfig: {
          imageUri: args.imageUri ?? "registry.example.com/acme/agent:1",
          repoRef: undefined,
        },
        env: args.env,
        secrets: undefined,
        wait: { until: args.until, timeoutSeconds: undefined },
        smokeCheck: args.smokeCheck,
      },
      { parent: this, provider: undefined, protect: args.protect, ignoreChanges: undefined },
    );
    this.registerOutputs();
  }
}

export function program(_settings, version) {
  const plain = new Agent("plain");
  const tuned = new Agent("tuned", {
    env: { LOG_LEVEL: version === 1 ? "info" : "debug" },
  });
  return { urls: [plain.deployment.url, tuned.deployment.url] };
}

export const expected = {
  tier: "long",
  steps: { "Agent$Deployment tuned": "update" },
  kept: ["outputs"],
};

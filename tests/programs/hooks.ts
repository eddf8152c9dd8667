import { Deployment } from "pulumi-agentserver";
import { ResourceHook } from "@pulumi/pulumi";
import type { Expected, Settings } from "../support/corpus";

/** Hooks in front of and after each step; the one after an update sees both values. */
export function program(_: Settings, version: number) {
  const before = new ResourceHook("before", ({ name }) => {
    if (name !== "support") throw new Error(`a hook of ${name}`);
  });
  const created = new ResourceHook("created", ({ newOutputs }) => {
    if (newOutputs?.["ready"] !== true) throw new Error("the revision does not serve yet");
  });
  const updated = new ResourceHook("updated", ({ oldOutputs, newOutputs }) => {
    if (oldOutputs?.["latestRevisionId"] === newOutputs?.["latestRevisionId"])
      throw new Error("there is no new revision");
  });
  const { url } = new Deployment(
    "support",
    {
      source: "external_container",
      sourceRevisionConfig: { imageUri: `registry.example.com/acme/agent:${version}` },
    },
    {
      hooks: {
        beforeCreate: [before],
        afterCreate: [created],
        beforeUpdate: [before],
        afterUpdate: [updated],
      },
    },
  );
  return { url };
}

export const expected: Expected = {
  steps: { "Deployment support": "update" },
  kept: ["url"],
  tier: "long",
};

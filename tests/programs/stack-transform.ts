import { ComponentResource, runtime } from "@pulumi/pulumi";
import { Deployment } from "pulumi-agentserver";
import type { Expected, Settings } from "../support/corpus";

/** A policy of the whole stack: everything waits a minute at most, and is protected from the second version on. */
export function program(_: Settings, version: number) {
  runtime.registerResourceTransform(({ type, props, opts }) =>
    type === "pulumi-nodejs:dynamic/agentserver:Deployment"
      ? { props: { ...props, wait: { timeoutSeconds: version * 60 } }, opts }
      : undefined,
  );
  const parent = new ComponentResource("shop:index:Team", "team");
  const image = (name: string) => ({
    source: "external_container" as const,
    sourceRevisionConfig: { imageUri: `registry.example.com/acme/${name}:1` },
  });
  const chat = new Deployment("chat", image("chat"), { parent });
  const mail = new Deployment("mail", image("mail"));
  return { revisions: [chat.latestRevisionId, mail.latestRevisionId] };
}

export const expected: Expected = {
  tier: "nightly",
  steps: { "Team$Deployment chat": "update", "Deployment mail": "update" },
  kept: ["revisions"],
};

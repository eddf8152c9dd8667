import { ComponentResource, output } from "@pulumi/pulumi";
import { Deployment, getIntegrationOutput, Listener } from "pulumi-agentserver";
import type { Expected, Settings } from "../support/corpus";

/** `dependsOn` of every kind: a list, an output of resources, a promise of one, a component, a parent's sibling. */
export function program(_: Settings, version: number) {
  const image = (name: string) => ({
    source: "external_container" as const,
    sourceRevisionConfig: { imageUri: `registry.example.com/acme/${name}:1` },
  });
  const cluster = new Listener("cluster", {
    computeType: "k8s",
    computeId: "c-1",
    computeConfig: { k8sNamespaces: [`agents-${version}`] },
  });
  const first = new ComponentResource("shop:index:Team", "first", {}, { dependsOn: cluster });
  const chat = new Deployment("chat", image("chat"), { parent: first });
  const second = new ComponentResource("shop:index:Team", "second", {}, { dependsOn: [first] });
  const known = getIntegrationOutput().apply(() => chat);
  new Deployment("mail", image("mail"), { parent: second, dependsOn: output([cluster, chat]) });
  new Deployment("call", image("call"), {
    parent: second,
    dependsOn: [known, Promise.resolve(first)],
  });
}

export const expected: Expected = {
  tier: "nightly",
  steps: { "Listener cluster": "update" },
};

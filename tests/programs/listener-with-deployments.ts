import { ComponentResource } from "@pulumi/pulumi";
import { Deployment, Listener } from "pulumi-agentserver";
import type { Expected, Settings } from "../support/corpus";

/** A cluster's listener and the deployments that it places, in one component. */
class Cluster extends ComponentResource {
  readonly ids;

  constructor(name: string, namespaces: string[]) {
    super("shop:index:Cluster", name);
    const listener = new Listener(
      name,
      { computeType: "k8s", computeId: name, computeConfig: { k8sNamespaces: namespaces } },
      { parent: this },
    );
    const agents = ["chat", "mail"].map(
      (role) =>
        new Deployment(
          role,
          {
            source: "external_container",
            sourceConfig: {
              listenerId: listener.id,
              listenerConfig: { k8sNamespace: "agents" },
              resourceSpec: { cpu: 1, memoryMb: 1024 },
            },
            sourceRevisionConfig: { imageUri: `registry.example.com/acme/${role}:1` },
          },
          { parent: this },
        ),
    );
    this.ids = [listener.id, ...agents.map(({ id }) => id)];
    this.registerOutputs();
  }
}

export function program(_: Settings, version: number) {
  const namespaces = version === 1 ? ["agents"] : ["tests", "agents"];
  return { ids: new Cluster("cluster-1", namespaces).ids };
}

export const expected: Expected = {
  tier: "long",
  steps: { "Cluster$Listener cluster-1": "update" },
  kept: ["ids"],
};

import * as pulumi from "@pulumi/pulumi";
import * as agentserver from "pulumi-agentserver";

const config = new pulumi.Config();
const registry = config.require("registry");
const modelApiKey = config.requireSecret("modelApiKey");

/** The agents and their namespaces, sizes and pods. */
const agents = {
  support: {
    namespace: "support",
    version: config.require("supportVersion"),
    spec: {
      minScale: 2,
      maxScale: 6,
      cpu: 1,
      memoryMb: 2048,
      // By default the queue reserves `cpu` and `memoryMb` again.
      queueCpu: 0.5,
      queueMemoryMb: 1024,
      dbStorageGi: 20,
      labels: { team: "support" },
      volumes: [
        { name: "catalog", configMap: { name: "product-catalog" } },
        { name: "audit", emptyDir: { sizeLimit: "1Gi" } },
      ],
      volumeMounts: [
        { name: "catalog", mountPath: "/etc/catalog", readOnly: true },
        { name: "audit", mountPath: "/var/audit" },
      ],
      sidecars: [auditShipper("audit")],
    },
  },
  triage: {
    namespace: "triage",
    version: config.require("triageVersion"),
    spec: {
      minScale: 1,
      maxScale: 1,
      cpu: 0.5,
      memoryMb: 512,
      queueCpu: 0.25,
      queueMemoryMb: 256,
    },
  },
} satisfies Record<string, Agent>;

interface Agent {
  readonly namespace: string;
  readonly version: string;
  readonly spec: agentserver.ResourceSpecArgs;
}

const cluster = new agentserver.Listener("cluster", {
  computeType: "k8s",
  computeId: config.require("computeId"),
  computeConfig: { k8sNamespaces: Object.values(agents).map(({ namespace }) => namespace) },
});

const deployed = Object.entries(agents).map(([name, { namespace, version, spec }]) => {
  const { url } = new agentserver.Deployment(name, {
    source: "external_container",
    sourceConfig: {
      listenerId: cluster.id,
      listenerConfig: { k8sNamespace: namespace },
      resourceSpec: {
        ...spec,
        serviceAccountName: "agents",
        imagePullSecrets: [{ name: "registry-credentials" }],
      },
    },
    sourceRevisionConfig: { imageUri: `${registry}/${name}:${version}` },
    secrets: { MODEL_API_KEY: modelApiKey },
    onFailure: "rollback",
  });
  return [name, url] as const;
});

export const listenerId = cluster.id;
export const urls = Object.fromEntries(deployed);

/** A sidecar that ships what the agent writes to a volume. Its key stays in a Kubernetes secret. */
function auditShipper(volume: string): agentserver.ContainerArgs {
  return {
    name: "audit-shipper",
    image: `${registry}/audit-shipper:2.1.0`,
    args: ["--folder", "/var/audit"],
    env: [
      {
        name: "SHIPPER_KEY",
        valueFrom: { secretKeyRef: { name: "audit-shipper", key: "key" } },
      },
    ],
    resources: {
      requests: { cpu: "50m", memory: "64Mi" },
      limits: { cpu: "200m", memory: "128Mi" },
    },
    volumeMounts: [{ name: volume, mountPath: "/var/audit", readOnly: true }],
    restartPolicy: "Always",
  };
}

import type { DeploymentArgs, ResourceSpecArgs } from "pulumi-agentserver";
import type { TestPlatform } from "./platform";
import { gitArgs } from "./program";

const SCALES = { minScale: 1, maxScale: 3, queueMinScale: 0, queueMaxScale: 2 };
/** Cores are ones that the service rounds. */
const API = { cpu: 0.25, cpuLimit: 0.75, memoryMb: 512, memoryLimitMb: 2048 };
const QUEUE = { queueCpu: 0.15, queueCpuLimit: 1.25, queueMemoryMb: 256, queueMemoryLimitMb: 1024 };
const CACHE = { cacheCpu: 0.35, cacheCpuLimit: 0.85, cacheMemoryMb: 128 };
const DB = { dbCpu: 0.45, dbCpuLimit: 0.95, dbMemoryMb: 1024, dbMemoryLimitMb: 4096 };
const DISK = { dbStorageGi: 10, dbMaxConnections: 100 };
const EXECUTOR = { executorCpu: 0.65, executorCpuLimit: 1.15, executorMemoryLimitMb: 900 };
const ORCHESTRATOR_CORES = { orchestratorCpu: 0.55, orchestratorCpuLimit: 1.05 };
const ORCHESTRATOR_MEMORY = { orchestratorMemoryMb: 300, orchestratorMemoryLimitMb: 700 };
const ORCHESTRATORS = { orchestratorMinScale: 1, orchestratorMaxScale: 2 };
const SIZES = { ...SCALES, ...API, ...QUEUE, ...CACHE, ...DB, ...DISK, ...EXECUTOR };

/** Every member of a resource spec. */
const EVERY_SIZE = {
  ...SIZES,
  ...ORCHESTRATOR_CORES,
  ...ORCHESTRATOR_MEMORY,
  ...ORCHESTRATORS,
  executorMemoryMb: 400,
  labels: { team_name: "support", "app.kubernetes.io/part-of": "shop" },
  annotations: { contact_email: "support@example.com" },
  serviceAccountName: "agent",
  imagePullSecrets: [{ name: "registry" }],
  volumes: [
    { name: "scratch", emptyDir: { sizeLimit: "1Gi" } },
    { name: "settings", configMap: { name: "agent_settings" } },
  ],
  volumeMounts: [{ name: "scratch", mountPath: "/scratch", readOnly: false }],
  initContainers: [
    {
      name: "migrate",
      image: "registry.example.com/migrate:1",
      command: ["migrate"],
      args: ["--all"],
      env: [{ name: "EMPTY" }, { name: "POD", valueFrom: { fieldRef: { fieldPath: "x" } } }],
    },
  ],
  sidecars: [
    {
      name: "metrics",
      image: "registry.example.com/metrics:1",
      imagePullPolicy: "IfNotPresent",
      workingDir: "/",
      env: [{ name: "PORT", value: "9090" }],
      envFrom: [{ configMapRef: { name: "metrics" } }],
      resources: { limits: { cpu: "100m" }, requests: { cpu: "50m" } },
      volumeMounts: [{ name: "settings", mountPath: "/etc/metrics", subPath: "a" }],
      securityContext: { runAsNonRoot: true },
      restartPolicy: "Always",
    },
  ],
} satisfies ResourceSpecArgs;

const OURS = {
  adoptExisting: false,
  protectThreads: false,
  redeployOn: { digest: "sha256:1", parts: [1, 2] },
} satisfies Partial<DeploymentArgs>;

/** A deployment from an image with every argument that it can have. */
export function everyImageArgument({ listenerId }: TestPlatform) {
  return {
    ...OURS,
    name: "every-image",
    source: "external_container",
    sourceConfig: {
      customUrl: "https://agent.example.com",
      resourceSpec: EVERY_SIZE,
      listenerId,
      listenerConfig: { k8sNamespace: "agents" },
    },
    sourceRevisionConfig: { imageUri: "registry.example.com/acme/agent:1.2" },
    env: { LOG_LEVEL: "info", EMPTY: "" },
    secrets: { MODEL_API_KEY: "key" },
    wait: { until: "active", timeoutSeconds: 600 },
    smokeCheck: false,
    onFailure: "rollback",
  } satisfies DeploymentArgs;
}

/** A deployment from a git repository with every argument that it can have. */
export function everyGitArgument(test: TestPlatform) {
  const { sourceConfig, ...args } = gitArgs(test);
  return {
    ...OURS,
    ...args,
    name: "every-git",
    sourceConfig: {
      ...sourceConfig,
      buildOnPush: true,
      installCommand: "npm ci",
      buildCommand: "npm run build",
    },
    env: { LOG_LEVEL: "info" },
    secrets: { MODEL_API_KEY: "key" },
    // With nothing to wait for there is nothing to check: the platform of the tests runs no agent servers.
    wait: { until: "none", timeoutSeconds: 600 },
    smokeCheck: { timeoutSeconds: 10, graphId: "agent", apiKey: "of the agent" },
    onFailure: "keep",
  } satisfies DeploymentArgs;
}

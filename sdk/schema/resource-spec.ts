import { z } from "zod";
import { isRecord } from "../../shared/records";
import { brokenResourceRules } from "./resource-rules";

/** A DNS label: what Kubernetes takes as the name of a volume or a container (RFC 1123). */
const DnsLabel = z
  .string()
  .regex(
    /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/,
    "must be a DNS label: a-z, 0-9 and dashes, at most 63",
  );

/** The name of a label or an annotation in Kubernetes, an optional DNS prefix in front of it. */
const QUALIFIED_NAME =
  /^([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?\/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;

/** Labels or annotations, whose keys Kubernetes checks. */
const keyed = (value: z.ZodString) =>
  z.record(z.string(), value).superRefine((entries, context) => {
    for (const key of Object.keys(entries))
      if (!QUALIFIED_NAME.test(key))
        context.addIssue({
          code: "custom",
          path: [key],
          message:
            "is not a key that Kubernetes takes: at most 63 letters, digits, '-', '_' and '.', after an optional prefix such as example.com/",
        });
  });

const LabelValue = z
  .string()
  .regex(
    /^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/,
    "must be a label's value in Kubernetes: at most 63 letters, digits, '-', '_' and '.', with a letter or a digit at both ends",
  );

const Quantity = z
  .string()
  .regex(
    /^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?$/,
    "must be a quantity of Kubernetes such as 500m, 2 or 64Mi",
  );

const FreeForm = z.record(z.string(), z.unknown());

/** Contract, "Nested types": a reference to an object in the same namespace. */
export const LocalObjectReference = z.object({ name: z.string().min(1) });

/** Contract, "Nested types": what a pod's containers can mount. */
export const Volume = z.object({
  name: DnsLabel,
  configMap: FreeForm.nullish(),
  secret: FreeForm.nullish(),
  emptyDir: FreeForm.nullish(),
  persistentVolumeClaim: FreeForm.nullish(),
  nfs: FreeForm.nullish(),
  projected: FreeForm.nullish(),
  downwardAPI: FreeForm.nullish(),
  csi: FreeForm.nullish(),
});

/** Contract, "Nested types": where a volume appears in a container's file system. */
export const VolumeMount = z.object({
  name: z.string().min(1),
  mountPath: z
    .string()
    .regex(/^\/[^:]*$/, "must be an absolute path in the container, without a colon"),
  subPath: z.string().nullish(),
  mountPropagation: z.string().nullish(),
  subPathExpr: z.string().nullish(),
  readOnly: z.boolean().nullish(),
});

/** Contract, "Nested types": one variable of a container. */
export const EnvVar = z
  .object({
    name: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "must be a C identifier"),
    value: z.string().nullish(),
    valueFrom: FreeForm.nullish(),
  })
  .refine((variable) => !variable.value || !variable.valueFrom, {
    path: ["valueFrom"],
    message: "is not allowed when value is not empty",
  });

/** Contract, "Nested types": Kubernetes' quantities by resource name. */
export const ResourceRequirements = z.object({
  limits: z.record(z.string(), Quantity).nullish(),
  requests: z.record(z.string(), Quantity).nullish(),
});

/** Contract, "Nested types": an init container or a sidecar. */
export const Container = z.object({
  name: DnsLabel,
  image: z.string().min(1),
  imagePullPolicy: z.enum(["Always", "Never", "IfNotPresent"]).nullish(),
  command: z.array(z.string()).nullish(),
  args: z.array(z.string()).nullish(),
  workingDir: z.string().nullish(),
  env: z.array(EnvVar).nullish(),
  envFrom: z.array(FreeForm).nullish(),
  resources: ResourceRequirements.nullish(),
  volumeMounts: z.array(VolumeMount).nullish(),
  securityContext: FreeForm.nullish(),
  restartPolicy: z.enum(["Always", "OnFailure"]).nullish(),
});

// Bounds are checked before rounding (contract, "Limits"): 0.06 is refused though it would round to 0.1.
const cores = (most: number) => z.number().min(0.1).max(most).nullish();
/** The contract has no bounds for these; below zero no service can have any. */
const amount = z.int().min(0).nullish();
const anyCores = z.number().min(0).nullish();
/** The contract marks these fields "do not use"; they work, and the provider warns. */
const discouraged = { number: anyCores, integer: amount };

/**
 * Size and shape of an `external_container` deployment (contract, "ResourceSpec"). CPU is in cores per replica,
 * `*_mb` in MB, `*_gi` in GiB. The service replaces a stored spec as a whole.
 */
export const ResourceSpec = z
  .object({
    min_scale: amount,
    max_scale: amount,
    cpu: cores(8),
    cpu_limit: cores(16),
    memory_mb: amount,
    memory_limit_mb: amount,
    queue_min_scale: amount,
    queue_max_scale: amount,
    queue_cpu: cores(8),
    queue_cpu_limit: cores(16),
    queue_memory_mb: amount,
    queue_memory_limit_mb: amount,
    cache_cpu: cores(8),
    cache_cpu_limit: cores(16),
    cache_memory_mb: amount,
    labels: keyed(LabelValue).nullish(),
    annotations: keyed(z.string()).nullish(),
    service_account_name: z.string().nullish(),
    image_pull_secrets: z.array(LocalObjectReference).nullish(),
    volumes: z.array(Volume).nullish(),
    volume_mounts: z.array(VolumeMount).nullish(),
    init_containers: z.array(Container).nullish(),
    sidecars: z.array(Container).nullish(),
    db_cpu: anyCores,
    db_cpu_limit: anyCores,
    db_memory_mb: amount,
    db_memory_limit_mb: amount,
    db_storage_gi: amount,
    db_max_connections: amount,
    orchestrator_cpu: discouraged.number,
    orchestrator_cpu_limit: discouraged.number,
    orchestrator_memory_mb: discouraged.integer,
    orchestrator_memory_limit_mb: discouraged.integer,
    orchestrator_min_scale: discouraged.integer,
    orchestrator_max_scale: discouraged.integer,
    executor_cpu: discouraged.number,
    executor_cpu_limit: discouraged.number,
    executor_memory_mb: discouraged.integer,
    executor_memory_limit_mb: discouraged.integer,
  })
  .superRefine(
    (spec, context) => {
      for (const { path, message } of brokenResourceRules(spec))
        context.addIssue({ code: "custom", path, message });
    },
    // Also where a member is wrong by itself: all problems are said at once.
    { when: ({ value }) => isRecord(value) },
  );
export type ResourceSpec = z.infer<typeof ResourceSpec>;

/** In the contract's spelling and in that of Pulumi programs. */
const CPU_FIELD = /^(cpu|.*(_c|C)pu)(_limit|Limit)?$/;

/** Rounds the CPU fields of a spec to one decimal, half up, as the service does (contract, "ResourceSpec"). */
export function roundCpu<Spec extends Record<string, unknown>>(spec: Spec): Spec {
  const rounded: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(spec))
    rounded[name] =
      CPU_FIELD.test(name) && typeof value === "number" ? Math.round(value * 10) / 10 : value;
  return { ...spec, ...rounded };
}

import type { Input } from "@pulumi/pulumi";
import type {
  ContainerArgs,
  LocalObjectReferenceArgs,
  VolumeArgs,
  VolumeMountArgs,
} from "./pod-arguments";

/**
 * Size and shape of an `external_container` deployment (contract, "ResourceSpec"). Amounts of CPU are rounded to one
 * decimal. A member that is not set has the default that its comment names.
 */
export interface ResourceSpecArgs {
  /**
   * Number of replicas at least.
   * @default chosen by the service
   */
  minScale?: Input<number | undefined>;
  /**
   * Number of replicas at most.
   * @default chosen by the service
   */
  maxScale?: Input<number | undefined>;
  /**
   * CPU request in cores per replica, 0.1 to 8.
   * @default chosen by the service
   */
  cpu?: Input<number | undefined>;
  /**
   * CPU limit in cores per replica, 0.1 to 16.
   * @default 2 × `cpu`
   */
  cpuLimit?: Input<number | undefined>;
  /**
   * Memory request in MB per replica.
   * @default chosen by the service
   */
  memoryMb?: Input<number | undefined>;
  /**
   * Memory limit in MB per replica.
   * @default 2 × `memoryMb`
   */
  memoryLimitMb?: Input<number | undefined>;

  /**
   * Number of queue replicas at least.
   * @default `minScale`
   */
  queueMinScale?: Input<number | undefined>;
  /**
   * Number of queue replicas at most.
   * @default `maxScale`
   */
  queueMaxScale?: Input<number | undefined>;
  /**
   * CPU request of the queue in cores per replica, 0.1 to 8. With the default, `cpu` is reserved twice.
   * @default `cpu`
   */
  queueCpu?: Input<number | undefined>;
  /**
   * CPU limit of the queue in cores per replica, 0.1 to 16.
   * @default 2 × `queueCpu`
   */
  queueCpuLimit?: Input<number | undefined>;
  /**
   * Memory request of the queue in MB per replica.
   * @default `memoryMb`
   */
  queueMemoryMb?: Input<number | undefined>;
  /**
   * Memory limit of the queue in MB per replica.
   * @default 2 × `queueMemoryMb`
   */
  queueMemoryLimitMb?: Input<number | undefined>;

  /**
   * CPU request of the cache in cores, 0.1 to 8.
   * @default chosen by the service
   */
  cacheCpu?: Input<number | undefined>;
  /**
   * CPU limit of the cache in cores, 0.1 to 16.
   * @default 2 × `cacheCpu`
   */
  cacheCpuLimit?: Input<number | undefined>;
  /**
   * Memory of the cache in MB. The public service is reported to refuse less than 512.
   * @default chosen by the service
   */
  cacheMemoryMb?: Input<number | undefined>;

  /**
   * Extra labels on the Kubernetes resources, by name.
   * @default none
   */
  labels?: Input<Record<string, Input<string>>> | undefined;
  /**
   * Extra annotations on the Kubernetes resources, by name.
   * @default none
   */
  annotations?: Input<Record<string, Input<string>>> | undefined;
  /**
   * Name of the Kubernetes service account. It must exist in the namespace.
   * @default chosen by the service
   */
  serviceAccountName?: Input<string | undefined>;
  /**
   * Kubernetes secrets with the registry's credentials, in the same namespace.
   * @default none
   */
  imagePullSecrets?: Input<Input<LocalObjectReferenceArgs>[]> | undefined;
  /**
   * Volumes that the pod's containers can mount. Their names are unique.
   * @default none
   */
  volumes?: Input<Input<VolumeArgs>[]> | undefined;
  /**
   * The mounts of the `volumes` in the agent server's container.
   * @default none
   */
  volumeMounts?: Input<Input<VolumeMountArgs>[]> | undefined;
  /**
   * Containers that run to completion before the agent server starts.
   * @default none
   */
  initContainers?: Input<Input<ContainerArgs>[]> | undefined;
  /**
   * Containers that run beside the agent server.
   * @default none
   */
  sidecars?: Input<Input<ContainerArgs>[]> | undefined;

  /**
   * CPU request of the database in cores.
   * @default chosen by the service
   */
  dbCpu?: Input<number | undefined>;
  /**
   * CPU limit of the database in cores.
   * @default 2 × `dbCpu`
   */
  dbCpuLimit?: Input<number | undefined>;
  /**
   * Memory request of the database in MB.
   * @default chosen by the service
   */
  dbMemoryMb?: Input<number | undefined>;
  /**
   * Memory limit of the database in MB.
   * @default 2 × `dbMemoryMb`
   */
  dbMemoryLimitMb?: Input<number | undefined>;
  /**
   * Storage of the database in GiB.
   * @default chosen by the service
   */
  dbStorageGi?: Input<number | undefined>;
  /**
   * Number of connections to the database at most.
   * @default chosen by the service
   */
  dbMaxConnections?: Input<number | undefined>;

  /**
   * CPU request of the orchestrator in cores. Marked "do not use" by the service.
   * @default chosen by the service
   */
  orchestratorCpu?: Input<number | undefined>;
  /**
   * CPU limit of the orchestrator in cores. Marked "do not use" by the service.
   * @default chosen by the service
   */
  orchestratorCpuLimit?: Input<number | undefined>;
  /**
   * Memory request of the orchestrator in MB. Marked "do not use" by the service.
   * @default chosen by the service
   */
  orchestratorMemoryMb?: Input<number | undefined>;
  /**
   * Memory limit of the orchestrator in MB. Marked "do not use" by the service.
   * @default chosen by the service
   */
  orchestratorMemoryLimitMb?: Input<number | undefined>;
  /**
   * Number of orchestrator replicas at least. Marked "do not use" by the service.
   * @default chosen by the service
   */
  orchestratorMinScale?: Input<number | undefined>;
  /**
   * Number of orchestrator replicas at most. Marked "do not use" by the service.
   * @default chosen by the service
   */
  orchestratorMaxScale?: Input<number | undefined>;
  /**
   * CPU request of the executor in cores. Marked "do not use" by the service.
   * @default chosen by the service
   */
  executorCpu?: Input<number | undefined>;
  /**
   * CPU limit of the executor in cores. Marked "do not use" by the service.
   * @default chosen by the service
   */
  executorCpuLimit?: Input<number | undefined>;
  /**
   * Memory request of the executor in MB. Marked "do not use" by the service.
   * @default chosen by the service
   */
  executorMemoryMb?: Input<number | undefined>;
  /**
   * Memory limit of the executor in MB. Marked "do not use" by the service.
   * @default chosen by the service
   */
  executorMemoryLimitMb?: Input<number | undefined>;
}

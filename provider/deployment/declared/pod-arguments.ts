import type { Input } from "@pulumi/pulumi";

/** A reference to a Kubernetes object in the same namespace. */
export interface LocalObjectReferenceArgs {
  /** The object's name. */
  name: Input<string>;
}

/** A volume of the pod: a name, and one source in the words of Kubernetes. */
export interface VolumeArgs {
  /** A DNS label, unique in the pod. */
  name: Input<string>;
  /**
   * A config map's content.
   * @default none
   */
  configMap?: Input<Record<string, unknown>> | undefined;
  /**
   * A Kubernetes secret's content.
   * @default none
   */
  secret?: Input<Record<string, unknown>> | undefined;
  /**
   * An empty folder that lives as long as the pod.
   * @default none
   */
  emptyDir?: Input<Record<string, unknown>> | undefined;
  /**
   * A claim of a persistent volume.
   * @default none
   */
  persistentVolumeClaim?: Input<Record<string, unknown>> | undefined;
  /**
   * A folder of an NFS server.
   * @default none
   */
  nfs?: Input<Record<string, unknown>> | undefined;
  /**
   * Several sources in one folder.
   * @default none
   */
  projected?: Input<Record<string, unknown>> | undefined;
  /**
   * Fields of the pod as files.
   * @default none
   */
  downwardAPI?: Input<Record<string, unknown>> | undefined;
  /**
   * A volume of a CSI driver.
   * @default none
   */
  csi?: Input<Record<string, unknown>> | undefined;
}

/** A mount of a volume in a container. */
export interface VolumeMountArgs {
  /** The name of one of the `volumes`. */
  name: Input<string>;
  /** The path in the container. */
  mountPath: Input<string>;
  /**
   * A path in the volume.
   * @default the volume's root
   */
  subPath?: Input<string | undefined>;
  /**
   * The propagation of mounts between the host and the container.
   * @default chosen by Kubernetes
   */
  mountPropagation?: Input<string | undefined>;
  /**
   * As `subPath`, with `$(VARIABLE)` in it.
   * @default none
   */
  subPathExpr?: Input<string | undefined>;
  /**
   * Whether the container can't write to it.
   * @default false
   */
  readOnly?: Input<boolean | undefined>;
}

/** An environment variable of a container: `value`, or `valueFrom`. */
export interface EnvVarArgs {
  /** A C identifier. */
  name: Input<string>;
  /**
   * The value.
   * @default ""
   */
  value?: Input<string | undefined>;
  /**
   * A source of the value in the words of Kubernetes.
   * @default none
   */
  valueFrom?: Input<Record<string, unknown>> | undefined;
}

/** The resources of a container: quantities in the words of Kubernetes, by resource: `{ cpu: "100m", memory: "64Mi" }`. */
export interface ResourceRequirementsArgs {
  /**
   * At most.
   * @default none
   */
  limits?: Input<Record<string, Input<string>>> | undefined;
  /**
   * Reserved.
   * @default none
   */
  requests?: Input<Record<string, Input<string>>> | undefined;
}

/** An init container or a sidecar. */
export interface ContainerArgs {
  /** A DNS label. */
  name: Input<string>;
  /** The container image. */
  image: Input<string>;
  /**
   * When the image is pulled.
   * @default chosen by Kubernetes
   */
  imagePullPolicy?: Input<"Always" | "Never" | "IfNotPresent" | undefined>;
  /**
   * The command, in place of the image's entrypoint.
   * @default the image's
   */
  command?: Input<Input<string>[]> | undefined;
  /**
   * Arguments of the command.
   * @default the image's
   */
  args?: Input<Input<string>[]> | undefined;
  /**
   * The folder that the command runs in.
   * @default the image's
   */
  workingDir?: Input<string | undefined>;
  /**
   * Environment variables.
   * @default none
   */
  env?: Input<Input<EnvVarArgs>[]> | undefined;
  /**
   * Sources of environment variables in the words of Kubernetes.
   * @default none
   */
  envFrom?: Input<Input<Record<string, unknown>>[]> | undefined;
  /**
   * The container's resources.
   * @default chosen by Kubernetes
   */
  resources?: Input<ResourceRequirementsArgs> | undefined;
  /**
   * The container's mounts of the `volumes` of the resource spec.
   * @default none
   */
  volumeMounts?: Input<Input<VolumeMountArgs>[]> | undefined;
  /**
   * Kubernetes' security context.
   * @default none
   */
  securityContext?: Input<Record<string, unknown>> | undefined;
  /**
   * When a sidecar is restarted.
   * @default chosen by Kubernetes
   */
  restartPolicy?: Input<"Always" | "OnFailure" | undefined>;
}

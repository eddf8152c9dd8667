/** The names of enums by their values; TypeScript's unions of strings have none. */
const ENUMS: Readonly<Record<string, { readonly name: string; readonly description: string }>> = {
  "git_host|external_container|internal_container": {
    name: "DeploymentSource",
    description: "Where the code of a deployment comes from.",
  },
  "dev_free|dev|prod|dev_zero|dev_free_zero": {
    name: "DeploymentType",
    description: "The service's type of a deployment.",
  },
  "active|deployed|none": {
    name: "WaitUntil",
    description: "What `pulumi up` waits for after it created a revision.",
  },
  "keep|rollback": {
    name: "OnFailure",
    description: "What happens after an update whose revision failed.",
  },
  "pending|done|failed": { name: "RolloutState", description: "The progress of a revision." },
  "Always|Never|IfNotPresent": {
    name: "ImagePullPolicy",
    description: "When a container's image is pulled.",
  },
  "Always|OnFailure": { name: "RestartPolicy", description: "When a sidecar is restarted." },
  "idle|busy|interrupted|error": { name: "ThreadStatus", description: "The status of a thread." },
  "thread_id|status|created_at|updated_at": {
    name: "ThreadSortBy",
    description: "What threads are sorted by.",
  },
  "delete|keep": { name: "OnRunCompleted", description: "What happens to the thread of a run." },
  "sync|async|exit": { name: "Durability", description: "When the states of a run are saved." },
  "reject|rollback|interrupt|enqueue": {
    name: "MultitaskStrategy",
    description: "What happens to a run on a thread that is busy.",
  },
  "asc|desc": { name: "SortOrder", description: "The order of a list." },
  "agentserver|langsmith": {
    name: "Dialect",
    description: "The names of the control plane's fields, values and paths.",
  },
};

/** The enum of a union of strings, in whatever order the compiler lists it. */
export function enumOf(values: readonly string[]) {
  const found = Object.entries(ENUMS).find(([key]) => {
    const known = key.split("|");
    return known.length === values.length && known.every((value) => values.includes(value));
  });
  if (found === undefined) throw new Error(`name the enum of ${values.join(", ")}`);
  const [key, named] = found;
  return { ...named, values: key.split("|") };
}

/** Names of object types that TypeScript writes in place, or derives from the wire, by where they stand. */
const IN_PLACE: Readonly<Record<string, string>> = {
  "Superstep.updates": "Update",
  "GetDeploymentResult.sourceConfig": "SourceConfig",
  "GetDeploymentResult.sourceRevisionConfig": "SourceRevisionConfigResult",
  "DeploymentItem.sourceConfig": "SourceConfig",
  "DeploymentItem.sourceRevisionConfig": "SourceRevisionConfigResult",
  "SourceConfig.resourceSpec": "ResourceSpec",
  "SourceConfig.listenerConfig": "ListenerConfig",
  "GetListenerResult.computeConfig": "ComputeConfig",
  "ListenerItem.computeConfig": "ComputeConfig",
};

/** Names that the schema changes. The type of an output is not that of an argument: it has read-only members. */
const OWN: Readonly<Record<string, string>> = {
  SourceRevisionConfigOutput: "SourceRevisionConfigResult",
  GetThreadStateCheckpoint: "Checkpoint",
};

/** The name of a type without TypeScript's endings, which every language has of its own. */
export function typeName(declared: string, place: string): string {
  const name = OWN[declared] ?? IN_PLACE[place] ?? declared;
  if (name.startsWith("__")) throw new Error(`name the type of ${place}`);
  return name.replace(/(Args|Output)$/, "").replace(/^Get(\w+)Result$/, "$1Item");
}

/** Amounts of CPU, waits of resources and shares may be fractions; all other numbers are whole. */
export function isFraction(name: string): boolean {
  return /(^c|C)pu(Limit)?$/.test(name) || ["timeoutSeconds", "atLeast"].includes(name);
}

/** The enums, with names and descriptions, which TypeScript's unions of strings have not. */
const ENUMS = [
  "DeploymentSource = git_host|external_container|internal_container: Where the code of a deployment comes from.",
  "DeploymentType = dev_free|dev|prod|dev_zero|dev_free_zero: The service's type of a deployment.",
  "WaitUntil = active|deployed|none: What `pulumi up` waits for after it created a revision.",
  "OnFailure = keep|rollback: What happens after an update whose revision failed.",
  "RolloutState = pending|done|failed: The progress of a revision.",
  "ImagePullPolicy = Always|Never|IfNotPresent: When a container's image is pulled.",
  "RestartPolicy = Always|OnFailure: When a sidecar is restarted.",
  "ThreadStatus = idle|busy|interrupted|error: The status of a thread.",
  "ThreadSortBy = thread_id|status|created_at|updated_at: What threads are sorted by.",
  "OnRunCompleted = delete|keep: What happens to the thread of a run.",
  "Durability = sync|async|exit: When the states of a run are saved.",
  "MultitaskStrategy = reject|rollback|interrupt|enqueue: What happens to a run on a thread that is busy.",
  "SortOrder = asc|desc: The order of a list.",
  "Dialect = agentserver|langsmith: The names of the control plane's fields, values and paths.",
];

/** The enum of a union of strings, in whatever order the compiler lists it. */
export function enumOf(values: readonly string[]) {
  for (const row of ENUMS) {
    const [, name = "", known = "", description = ""] = /^(\w+) = (\S+): (.*)$/.exec(row) ?? [];
    const all = known.split("|");
    if (all.toSorted().join() === values.toSorted().join())
      return { name, description, values: all };
  }
  throw new Error(`name the enum of ${values.join(", ")}`);
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

/** The service's default of a member that is not set: a multiple of another one. */
interface Default {
  readonly of: string;
  readonly times: number;
}

/** The members of a resource spec that the service fills from others (contract, "ResourceSpec"). */
export const RESOURCE_DEFAULTS: Readonly<Record<string, Default>> = {
  cpu_limit: { of: "cpu", times: 2 },
  memory_limit_mb: { of: "memory_mb", times: 2 },
  queue_min_scale: { of: "min_scale", times: 1 },
  queue_max_scale: { of: "max_scale", times: 1 },
  queue_cpu: { of: "cpu", times: 1 },
  queue_cpu_limit: { of: "queue_cpu", times: 2 },
  queue_memory_mb: { of: "memory_mb", times: 1 },
  queue_memory_limit_mb: { of: "queue_memory_mb", times: 2 },
  cache_cpu_limit: { of: "cache_cpu", times: 2 },
  db_cpu_limit: { of: "db_cpu", times: 2 },
  db_memory_limit_mb: { of: "db_memory_mb", times: 2 },
};

/** A default as the service computes it; CPU has one decimal. Undefined where the member has none. */
export function defaultOf(name: string, spec: Readonly<Record<string, unknown>>) {
  const rule = RESOURCE_DEFAULTS[name];
  const base = rule === undefined ? undefined : spec[rule.of];
  if (rule === undefined || typeof base !== "number") return undefined;
  return Math.round(base * rule.times * 10) / 10;
}

/** A resource spec with its defaults. A default of a default follows it in the table. */
export function withDefaults(
  spec: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.keys(RESOURCE_DEFAULTS).reduce(
    (filled, name) => ({ ...filled, [name]: filled[name] ?? defaultOf(name, filled) ?? null }),
    spec,
  );
}

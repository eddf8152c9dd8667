import { withDefaults } from "../../../sdk/schema/resource-defaults";
import { snakeKeys } from "../../arguments/casing";
import { Unknown } from "../../arguments/decode";
import type { Spec } from "./resource-spec";

/** The parts of a deployment whose size is declared, by the beginning of their members; the database has no replicas. */
const PARTS = { server: "", queue: "queue_", database: "db_" } as const;

/** The size that a spec comes to with the service's defaults: `server 1–3 × (1 CPU, 2048 MB), queue …`; undefined where none is known. */
export function describeSize(spec: Spec): string | undefined {
  const parts = Object.entries(sizesOf(spec)).map(([part, size]) => `${part} ${size}`);
  return parts.length > 0 ? `size: ${parts.join(", ")}` : undefined;
}

/** The change of the parts whose size changes: `size: server 1 × (1 CPU) → 2 × (1 CPU)`. */
export function describeSizeChange(before: Spec, after: Spec): string | undefined {
  const [olds, news] = [sizesOf(before), sizesOf(after)];
  const parts = Object.keys(news)
    .filter((part) => news[part] !== olds[part])
    .map((part) => [part, ...(part in olds ? [olds[part], "→"] : []), news[part]].join(" "));
  return parts.length > 0 ? `size: ${parts.join(", ")}` : undefined;
}

/** The size of each part that anything is known of; of a spec with unknown values none. */
function sizesOf(spec: Spec): Readonly<Record<string, string>> {
  if (Object.values(spec).includes(Unknown)) return {};
  const known = withDefaults(snakeKeys(spec));
  return Object.fromEntries(
    Object.entries(PARTS).flatMap(([part, prefix]) => {
      const amount = (name: string, unit: string): string[] => {
        const value = known[prefix + name];
        return typeof value === "number" ? [`${value} ${unit}`] : [];
      };
      const amounts = [...amount("cpu", "CPU"), ...amount("memory_mb", "MB")].join(", ");
      const replicas = replicasOf(known[`${prefix}min_scale`], known[`${prefix}max_scale`]);
      const size =
        replicas !== undefined && amounts !== ""
          ? `${replicas} × (${amounts})`
          : (replicas ?? amounts);
      return size === "" ? [] : [[part, size]];
    }),
  );
}

function replicasOf(least: unknown, most: unknown): string | undefined {
  if (typeof least === "number" && typeof most === "number")
    return least === most ? `${least}` : `${least}–${most}`;
  if (typeof least === "number") return `at least ${least}`;
  return typeof most === "number" ? `at most ${most}` : undefined;
}

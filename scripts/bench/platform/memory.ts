import type { Figure, Table } from "../figure";
import { memoryOf, type Memory } from "../proc";
import type { Subjects } from "./subjects";

/** RSS and PSS of a server, seen once or several times. */
export function memoryFigures(seen: readonly Memory[]): [rss: Figure, pss: Figure] {
  return [
    { name: "RSS", unit: "MB", values: seen.map(({ rss }) => rss) },
    { name: "PSS", unit: "MB", values: seen.map(({ pss }) => pss) },
  ];
}

/** What the servers hold after the load. */
export async function memoryTable({ small, large, floor }: Subjects): Promise<Table> {
  const rows = [small, large, floor].map(async ({ name, server }) => ({
    name,
    figures: memoryFigures([await memoryOf(server.pid)]),
  }));
  return { title: "memory after all requests", rows: await Promise.all(rows) };
}

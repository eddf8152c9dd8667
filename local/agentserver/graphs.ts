import { NotFound } from "./errors";

/** Refuses a graph that is given and not among the server's. A server that knows no graphs accepts all. */
export function requireGraph(graphId: string | undefined, graphs: readonly string[]): void {
  if (graphId === undefined || isKnownGraph(graphId, graphs)) return;
  throw new NotFound(`Graph '${graphId}' not found; this server has: ${graphs.join(", ")}`);
}

export function isKnownGraph(graphId: string, graphs: readonly string[]): boolean {
  return graphs.length === 0 || graphs.includes(graphId);
}

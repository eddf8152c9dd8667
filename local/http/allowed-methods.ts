import type { RouterRoute } from "hono/types";

/** The methods that a path is served with, for a request with another one. */
export function allowedMethods(routes: readonly RouterRoute[], path: string): string[] {
  const fitting = routes.filter(
    (route) => route.method !== "ALL" && pattern(route.path).test(path),
  );
  return [...new Set(fitting.map(({ method }) => method))].toSorted();
}

function pattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/:[^/]+/g, "[^/]+").replaceAll("*", ".*")}$`);
}

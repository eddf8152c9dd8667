import type { RouterRoute } from "hono/types";

/** The value of `Allow` for a 405: the methods that have a route for this path. */
export function allowedMethods(routes: readonly RouterRoute[], path: string): string[] {
  const matching = routes.filter(
    (route) => route.method !== "ALL" && pattern(route.path).test(path),
  );
  return [...new Set(matching.map(({ method }) => method))].toSorted();
}

function pattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/:[^/]+/g, "[^/]+").replaceAll("*", ".*")}$`);
}

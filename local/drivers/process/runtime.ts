import { relative } from "node:path";
import type { GraphConfig } from "./checkout";
import { findPackage, SERVER_PACKAGE } from "./javascript/package";

/** What serves a revision, and why, in words for the build log. */
export type Runtime =
  | { readonly kind: "built-in"; readonly because: string }
  | { readonly kind: "python"; readonly because: string }
  | { readonly kind: "javascript"; readonly because: string; readonly packageFolder: string };

/** What the logs say of each. */
export const SERVED_BY = {
  "built-in": "served by the built-in agent server, which keeps threads and runs no graph",
  javascript: "run by the real JavaScript server",
  python: "run by the real Python server",
} as const satisfies Record<Runtime["kind"], string>;

const JAVASCRIPT = /\.[cm]?[jt]sx?$/;

/**
 * Chooses the server by what a repository brings: the real Python server runs Python graphs whose configuration lists
 * dependencies (which it insists on itself), the real JavaScript server runs graphs whose package depends on it.
 */
export async function chooseRuntime(config: GraphConfig): Promise<Runtime> {
  const files = Object.values(config.graphs).map((graph) => graph.slice(0, graph.lastIndexOf(":")));
  const javaScript = files.filter((file) => JAVASCRIPT.test(file));
  if (javaScript.length === 0) return chooseForPython(config);
  if (javaScript.length < files.length)
    return builtIn("its graphs are in two languages, which no server runs together");
  const found = await findPackage(config);
  if (!found) return builtIn(`no package.json of its graphs depends on ${SERVER_PACKAGE}`);
  const path = relative(config.root, `${found}/package.json`);
  return {
    kind: "javascript",
    because: `${path} depends on ${SERVER_PACKAGE}`,
    packageFolder: found,
  };
}

function chooseForPython({ dependencies }: GraphConfig): Runtime {
  if (dependencies.length === 0)
    return builtIn('the configuration of its Python graphs lists no "dependencies", such as ["."]');
  return { kind: "python", because: "its graphs are in Python" };
}

function builtIn(because: string): Runtime {
  return { kind: "built-in", because };
}

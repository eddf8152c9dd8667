import { relative } from "node:path";
import type { GraphConfig } from "./checkout";
import { findPackage, SERVER_PACKAGE } from "./javascript/package";

/** The server of a revision, and the reason for the choice. */
export type Runtime =
  | { readonly kind: "built-in"; readonly reason: string }
  | { readonly kind: "python"; readonly reason: string }
  | { readonly kind: "javascript"; readonly reason: string; readonly packageFolder: string };

/** The servers' names in logs. */
export const SERVER_NAMES = {
  "built-in": "the built-in agent server, which stores threads and assistants and runs no graphs",
  javascript: "the real JavaScript server",
  python: "the real Python server",
} as const satisfies Record<Runtime["kind"], string>;

const JAVASCRIPT = /\.[cm]?[jt]sx?$/;

/**
 * Chooses the server. The real Python server runs Python graphs whose configuration has `dependencies`, which it
 * requires; the real JavaScript server runs graphs whose package depends on it.
 */
export async function chooseRuntime(config: GraphConfig): Promise<Runtime> {
  const files = Object.values(config.graphs).map((graph) => graph.slice(0, graph.lastIndexOf(":")));
  const javaScript = files.filter((file) => JAVASCRIPT.test(file));
  if (javaScript.length === 0) return chooseForPython(config);
  if (javaScript.length < files.length)
    return builtIn("the graphs are in JavaScript and Python, and no server runs both");
  const found = await findPackage(config);
  if (!found) return builtIn(`no package.json of the graphs depends on ${SERVER_PACKAGE}`);
  const path = relative(config.root, `${found}/package.json`);
  return {
    kind: "javascript",
    reason: `${path} depends on ${SERVER_PACKAGE}`,
    packageFolder: found,
  };
}

function chooseForPython({ dependencies }: GraphConfig): Runtime {
  if (dependencies.length === 0)
    return builtIn(
      'the graph configuration has no "dependencies" for its Python graphs, such as ["."]',
    );
  return { kind: "python", reason: "the graphs are in Python" };
}

function builtIn(reason: string): Runtime {
  return { kind: "built-in", reason };
}

import { oneLine } from "../../../shared/printable";
import { StageFailure } from "../driver";
import type { GraphConfig } from "./checkout";

export type Runtime = "built-in" | "javascript" | "python";

export const SERVER_NAMES = {
  "built-in": "the built-in agent server, which stores threads and assistants and runs no graphs",
  javascript: "the real JavaScript server",
  python: "the real Python server",
} as const satisfies Record<Runtime, string>;

/** Whether a path is one of JavaScript or TypeScript. */
export function isJavaScript(path: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(path);
}

/** The real server that runs the graphs. Throws `StageFailure` for graphs in both languages, as no server runs both. */
export function chooseRuntime({ graphs }: GraphConfig): Exclude<Runtime, "built-in"> {
  const all = Object.entries(graphs);
  const javaScript = all.filter(([, graph]) => isJavaScript(fileOf(graph)));
  if (javaScript.length === 0) return "python";
  if (javaScript.length === all.length) return "javascript";
  const names = javaScript.map(([name]) => `'${name}'`).join(", ");
  throw new StageFailure(
    `the graphs ${oneLine(names)} are in JavaScript and the others in Python, and no server runs both; give each language a graph configuration and a deployment of its own`,
  );
}

/** The file or the module of `<path>:<export>`. */
export function fileOf(path: string): string {
  return path.split(":", 1)[0] ?? "";
}

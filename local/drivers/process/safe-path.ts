import { realpath } from "node:fs/promises";
import { isAbsolute, join, sep } from "node:path";
import { StageFailure } from "../driver";

/**
 * The real path of what lies at a path of a checkout: neither the path nor a link may lead out, which is a `StageFailure`
 * of those words. What is not there at all is `realpath`'s own error.
 */
export async function pathInside(checkout: string, path: string, outside: string): Promise<string> {
  const root = await realpath(checkout).catch((error: unknown) => {
    throw new StageFailure(`the checkout is gone (${codeOf(error)}): create a new revision`);
  });
  if (isAbsolute(path) || !isBelow(join(root, path), root)) throw new StageFailure(outside);
  const real = await realpath(join(root, path));
  if (!isBelow(real, root)) throw new StageFailure(outside);
  return real;
}

/** A system's code for what went wrong (`ENOENT`), else the error's words. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}

function isBelow(path: string, root: string): boolean {
  return path === root || path.startsWith(root + sep);
}

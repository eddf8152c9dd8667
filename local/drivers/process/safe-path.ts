import { realpath } from "node:fs/promises";
import { isAbsolute, join, sep } from "node:path";
import { codeOf, messageOf } from "../../../shared/errors";
import { StageFailure } from "../driver";

/**
 * Resolves a path in a checkout to a real path. Throws `StageFailure` with the message `outside` if the path or a
 * symbolic link leads out of the checkout, and the error of `realpath` if nothing is there.
 */
export async function resolveInside(
  checkout: string,
  path: string,
  outside: string,
): Promise<string> {
  const root = await realpath(checkout).catch((error: unknown) => {
    throw new StageFailure(
      `the checkout is missing (${codeOrMessage(error)}); create a new revision`,
    );
  });
  if (isAbsolute(path) || !isBelow(join(root, path), root)) throw new StageFailure(outside);
  const real = await realpath(join(root, path));
  if (!isBelow(real, root)) throw new StageFailure(outside);
  return real;
}

/** The code of a system error (`ENOENT`), else the message: a system error's message repeats paths of this machine. */
export function codeOrMessage(error: unknown): string {
  return codeOf(error) || messageOf(error);
}

function isBelow(path: string, root: string): boolean {
  return path === root || path.startsWith(root + sep);
}

import { readFile, realpath, stat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { codeOf, messageOf } from "../../../shared/errors";
import { StageFailure } from "../driver";

const MIB = 1024 * 1024;
/** Lock files of large workspaces have ten or twenty. */
export const MAX_LOCK_MIB = 64;

interface FileOptions {
  /** Its name in errors. @default its path */
  readonly named?: string;
  /** @default 1, enough for every file that people write */
  readonly maxMib?: number;
}

/**
 * Resolves a path in a checkout to a real path; undefined if nothing is there. Throws `StageFailure` if the path or a
 * symbolic link leads out of the checkout: a link may lead to a device that never ends.
 */
export async function findInside(checkout: string, path: string, named = path) {
  const root = await realpath(checkout).catch((error: unknown) => {
    const code = codeOf(error) || messageOf(error);
    throw new StageFailure(`the checkout is missing (${code}); create a new revision`);
  });
  if (isAbsolute(path) || !isWithin(join(root, path), root))
    throw new StageFailure(`${named} is outside the repository; set a path inside it`);
  const real = await realpath(join(root, path)).catch(() => undefined);
  if (real !== undefined && !isWithin(real, root))
    throw new StageFailure(
      `${named} is a link that leads out of the repository; commit the file itself`,
    );
  return real;
}

/** The same of a file, whose size is anybody's choice. Throws `StageFailure` also for what is not one, and a large one. */
export async function findFile(checkout: string, path: string, options: FileOptions = {}) {
  const { named = path, maxMib = 1 } = options;
  const file = await findInside(checkout, path, named);
  if (file === undefined) return undefined;
  const found = await stat(file);
  if (!found.isFile()) throw new StageFailure(`${named} is not a file`);
  if (found.size > maxMib * MIB)
    throw new StageFailure(
      `cannot read ${named}: it has ${Math.ceil(found.size / MIB)} MiB, at most ${maxMib} MiB are read; make it smaller`,
    );
  return file;
}

/** Reads such a file. */
export async function readTextFile(checkout: string, path: string, options?: FileOptions) {
  const file = await findFile(checkout, path, options);
  return file === undefined ? undefined : readFile(file, "utf8");
}

/** Whether a path is a folder or below it. */
export function isWithin(path: string, folder: string): boolean {
  return folder === "" || `${path}/`.startsWith(`${folder}/`);
}

import { readFile, stat } from "node:fs/promises";
import { StageFailure } from "../driver";
import { resolveInside } from "./safe-path";

const MIB = 1024 * 1024;
/** Enough for every file that people write. */
const MAX_MIB = 1;
/** Lock files of large workspaces have ten or twenty. */
export const MAX_LOCK_MIB = 64;

/** Reads a file of a repository, whose size is anybody's choice. Throws `StageFailure` if it is too large. */
export async function readTextFile(path: string, name: string, maxMib = MAX_MIB): Promise<string> {
  await checkSize(path, name, maxMib);
  return readFile(path, "utf8");
}

/** Throws `StageFailure` for a file that is too large to read. */
export async function checkSize(path: string, name: string, maxMib = MAX_MIB): Promise<void> {
  const { size } = await stat(path);
  if (size > maxMib * MIB)
    throw new StageFailure(
      `cannot read ${name}: it has ${Math.ceil(size / MIB)} MiB, at most ${maxMib} MiB are read; make it smaller`,
    );
}

/**
 * The same of a path in a repository; undefined for a file that cannot be read, such as one that does not exist. Throws
 * `StageFailure` for a link that leads out: it may lead to a device that never ends.
 */
export async function readTextFileIfThere(
  root: string,
  path: string,
  maxMib = MAX_MIB,
): Promise<string | undefined> {
  return withFileIfThere(root, path, (file) => readTextFile(file, path, maxMib));
}

/** Throws `StageFailure` for a file that others are about to read, and that `readTextFileIfThere` would refuse. */
export async function checkTextFile(root: string, path: string, maxMib = MAX_MIB): Promise<void> {
  await withFileIfThere(root, path, (file) => checkSize(file, path, maxMib));
}

async function withFileIfThere<Result>(
  root: string,
  path: string,
  use: (file: string) => Promise<Result>,
): Promise<Result | undefined> {
  const outside = `${path} is a link that leads out of the repository; commit the file itself`;
  try {
    return await use(await resolveInside(root, path, outside));
  } catch (error) {
    if (error instanceof StageFailure) throw error;
    return undefined;
  }
}

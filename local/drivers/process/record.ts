import { readFile, rename, writeFile } from "node:fs/promises";
import { z } from "zod";
import { codeOf } from "../../../shared/errors";

/** What a build leaves for the starts of its server: which one it is, and what that needs beside the checkout. */
const BuildRecord = z.discriminatedUnion("runtime", [
  z.object({ runtime: z.literal("built-in") }),
  z.object({
    runtime: z.literal("javascript"),
    /** The key of its entry in the cache. */
    cache: z.string().nullable(),
  }),
  z.object({
    runtime: z.literal("python"),
    cache: z.string(),
    /** The path of its virtual environment. */
    venv: z.string(),
  }),
]);
export type BuildRecord = z.infer<typeof BuildRecord>;

/** Writes a record, whole or not at all. */
export async function writeRecord(path: string, record: BuildRecord): Promise<void> {
  await writeFile(`${path}.new`, JSON.stringify(record));
  await rename(`${path}.new`, path);
}

/** Reads a record; without one, as of an image, the built-in server is what runs. */
export async function readRecord(path: string): Promise<BuildRecord> {
  try {
    return BuildRecord.parse(JSON.parse(await readFile(path, "utf8")));
  } catch (error) {
    if (codeOf(error) === "ENOENT") return { runtime: "built-in" };
    throw error;
  }
}

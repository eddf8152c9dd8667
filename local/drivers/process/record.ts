import { readFile, rename, writeFile } from "node:fs/promises";
import { z } from "zod";
import { codeOf } from "../../../shared/errors";

/** The keys of the cache entries that a server needs. */
const caches = z.array(z.string());
/** The record that a build leaves for the starts of its server: its kind, and what it needs besides the checkout. */
const BuildRecord = z.discriminatedUnion("runtime", [
  z.object({ runtime: z.literal("built-in") }),
  z.object({
    runtime: z.literal("javascript"),
    caches,
    /** The path of the server's module, and whether the repository brings it. */
    server: z.string(),
    isOwn: z.boolean(),
  }),
  z.object({
    runtime: z.literal("python"),
    caches,
    venv: z.string(),
  }),
]);
export type BuildRecord = z.infer<typeof BuildRecord>;
export type BuildRecordOf<Runtime> = Extract<BuildRecord, { readonly runtime: Runtime }>;

export async function writeRecord(path: string, record: BuildRecord): Promise<void> {
  await writeFile(`${path}.new`, JSON.stringify(record));
  await rename(`${path}.new`, path);
}

/** Reads a record. A revision without one, such as an image, runs the built-in server. */
export async function readRecord(path: string): Promise<BuildRecord> {
  try {
    return BuildRecord.parse(JSON.parse(await readFile(path, "utf8")));
  } catch (error) {
    if (codeOf(error) === "ENOENT") return { runtime: "built-in" };
    throw error;
  }
}

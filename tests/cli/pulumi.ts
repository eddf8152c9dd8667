import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** A `pulumi` that only notes its arguments and what it reads, where it is to change something. */
const PULUMI = `#!/bin/sh
case "$1" in config|stack) ;; *) exit ;; esac
{ echo "args: $*"; input=$(cat; echo .); echo "stdin: \${input%.}"; } >> "$NOTES"
`;

/** Puts such a `pulumi` into a folder. Returns the environment that finds it, and what it has noted. */
export async function notingPulumi(folder: string) {
  await writeFile(join(folder, "pulumi"), PULUMI, { mode: 0o755 });
  const notes = join(folder, "notes");
  const PATH = `${folder}:${process.env["PATH"]}`;
  return {
    environment: { ...process.env, PATH, NOTES: notes },
    notes: () => readFile(notes, "utf8"),
  };
}

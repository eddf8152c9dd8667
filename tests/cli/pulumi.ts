import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** A `pulumi` that only notes its arguments and what it reads, where it is to change something, and exports a state. */
const PULUMI = `#!/bin/sh
case "$1 $2" in "stack export") echo "$STATE"; exit ;; config*|stack*) ;; *) exit ;; esac
{ echo "args: $*"; input=$(cat; echo .); echo "stdin: \${input%.}"; } >> "$NOTES"
`;

/** Puts such a `pulumi` into a folder. Returns the environment that finds it, and what it has noted. */
export async function notingPulumi(folder: string, resources: readonly object[] = []) {
  await writeFile(join(folder, "pulumi"), PULUMI, { mode: 0o755 });
  const notes = join(folder, "notes");
  const STATE = JSON.stringify({ deployment: { resources } });
  const PATH = `${folder}:${process.env["PATH"]}`;
  return {
    environment: { ...process.env, PATH, NOTES: notes, STATE },
    notes: () => readFile(notes, "utf8"),
  };
}

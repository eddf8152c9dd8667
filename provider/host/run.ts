import { createHash } from "node:crypto";
import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// Every `Provider` that a program makes has a process of its own. All that those of one run of the engine share is its
// address, so each notes what the others must know in a file of that name and its own process id.
const ADDRESS = createHash("sha256")
  .update(process.argv.at(-1) ?? "")
  .digest("hex")
  .slice(0, 16);
const FOLDER = join(tmpdir(), `pulumi-agentserver-${process.getuid?.() ?? "user"}`);
const OWN_FILE = `${ADDRESS}-${process.pid}`;

/** What a process that is gone has noted is removed after two days, in milliseconds: no run takes so long. */
const KEPT_MS = 172_800_000;

let isOpen = false;

/** Notes a line, without secrets, for the other provider processes of this run; throws where nothing can be written. */
export function note(line: string): void {
  if (!isOpen) open();
  appendFileSync(join(FOLDER, OWN_FILE), `${line}\n`);
}

/** The lines that the other provider processes of this run have noted, those with `text` in them. */
export function notesOfOthers(text: string): string[] {
  try {
    if (!isOurs()) return [];
    return readdirSync(FOLDER)
      .filter(isOfThisRun)
      .flatMap((file) => readFileSync(join(FOLDER, file), "utf8").split("\n"))
      .filter((line) => line.includes(text));
  } catch {
    return [];
  }
}

/** A later run may have the same address again: the processes of this one run until its end. */
function isOfThisRun(file: string): boolean {
  return file.startsWith(`${ADDRESS}-`) && file !== OWN_FILE && isRunning(file);
}

function open(): void {
  mkdirSync(FOLDER, { recursive: true, mode: 0o700 });
  if (!isOurs()) throw new Error(`${FOLDER} belongs to another user`);
  for (const file of readdirSync(FOLDER)) {
    const path = join(FOLDER, file);
    const age = Date.now() - (lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    if (age > KEPT_MS && !isRunning(file)) rmSync(path, { force: true });
  }
  writeFileSync(join(FOLDER, OWN_FILE), "", { mode: 0o600 });
  isOpen = true;
}

/** The folder of temporary files is everybody's. */
function isOurs(): boolean {
  const found = lstatSync(FOLDER);
  return found.isDirectory() && found.uid === (process.getuid?.() ?? found.uid);
}

function isRunning(file: string): boolean {
  try {
    return process.kill(Number(file.split("-").at(-1)), 0);
  } catch {
    return false;
  }
}

import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** The path of an installed program. */
export async function which(program: string): Promise<string> {
  const { stdout } = await promisify(execFile)("/bin/sh", ["-c", `command -v ${program}`]);
  return stdout.trim();
}

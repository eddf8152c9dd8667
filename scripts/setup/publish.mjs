import { mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Lets `fill` put a program into `<draft>/bin` and, if `judge` finds that it works, makes that folder `bin`, in place of one
 * whose program does not: whoever finds it finds a whole one, however this process ends. Returns the program's path.
 */
export async function publish(bin, program, fill, judge) {
  mkdirSync(dirname(bin), { recursive: true });
  const draft = mkdtempSync(join(dirname(bin), ".draft-"));
  try {
    await fill(draft);
    await judge(join(draft, "bin", program));
    rmSync(bin, { recursive: true, force: true });
    renameSync(join(draft, "bin"), bin);
    return join(bin, program);
  } finally {
    rmSync(draft, { recursive: true, maxRetries: 10 }); // what was interrupted may still be writing
  }
}

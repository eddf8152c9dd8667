import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { startRelay } from "./relay";

const CLI = join(__dirname, "../../cli/main.js");

/**
 * Copies threads by the command line, and kills it at one of its requests to the target, of which that server carries out
 * every other one. Resolves to whether it was killed before its end.
 */
export async function killCopy(from: string, to: string, point: number): Promise<boolean> {
  let count = 0;
  let child: ReturnType<typeof spawn> | undefined;
  const front = await startRelay(to, async (_request, response, pass) => {
    count += 1;
    if (count < point) return pass();
    if (count === point && point % 2 === 0) await pass();
    child?.kill("SIGKILL");
    response.destroy();
  });
  const words = ["threads", "copy", "--from", from, "--to", front.url];
  child = spawn(process.execPath, [CLI, ...words], { stdio: "ignore" });
  const [, signal] = await once(child, "exit");
  await front.close();
  return signal === "SIGKILL";
}

import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { ask } from "../load";
import { startFloor, startPlatform } from "../servers";
import { memoryOf } from "../proc";
import type { Run, Server } from "../run";
import { type Numbers, Observations, over, type Table } from "../table";
import { FIRST_PAGE } from "./deployments";

const GOALS: Numbers = { "RSS (MB)": 90 };
const FLOOR_GOALS: Numbers = { "first answer (s)": 3 };

/** Starts a platform in a new folder, a populated one and the bare server in turn, and asks each for its first list page. */
export async function measureStarts(
  run: Run,
  times: number,
  { name, dataDir }: { readonly name: string; readonly dataDir: string },
): Promise<Table> {
  const seen = new Observations();
  const answer = async (subject: string, starting: Promise<Server>) => {
    const server = await starting;
    await ask(server, FIRST_PAGE, run.signal);
    const seconds = (performance.now() - server.startedMs) / 1000;
    seen.add(subject, { "first answer (s)": seconds, ...(await memoryOf(server.pid)) });
    await server.stop();
  };
  for (let time = 0; time < times; time++) {
    const newDir = await mkdtemp(join(run.folder, "new-"));
    await answer("new folder", startPlatform(run, newDir, "simulated"));
    await answer(name, startPlatform(run, dataDir, "simulated"));
    await answer("floor", startFloor(run));
  }
  const [anew, floor] = [seen.row("new folder", GOALS), seen.row("floor")];
  const rows = [anew, seen.row(name), floor, over(anew, floor, FLOOR_GOALS)];
  return { title: `start (${times} times)`, rows };
}

import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { over, type Figure, type Row, type Table } from "../figure";
import { send } from "../load";
import { memoryOf, waitedSecondsOf, type Memory } from "../proc";
import type { Server, Servers } from "../servers";
import { startFloor, startPlatform } from "./commands";
import { FIRST_PAGE } from "./deployments";
import { memoryFigures } from "./memory";
import type { Populated } from "./populated";

const GOAL_SECONDS = 0.5;
const GOAL_RSS_MB = 90;

/** The first answer of a process. */
interface FirstAnswer {
  /** Since the process was started. */
  readonly seconds: number;
  readonly waitedSeconds: number;
  readonly memory: Memory;
}

/**
 * Starts in turn a platform in a new folder, for which the goals are, the larger platform, and the bare server, and asks
 * each for its first list page.
 */
export async function measureStarts(
  servers: Servers,
  { large, times, signal }: { large: Populated; times: number; signal: AbortSignal },
): Promise<Table> {
  const seen = {
    anew: new Array<FirstAnswer>(),
    large: new Array<FirstAnswer>(),
    floor: new Array<FirstAnswer>(),
  };
  for (let time = 0; time < times; time++) {
    const dataDir = await mkdtemp(join(servers.folder, "new-"));
    seen.anew.push(await answerOnce(startPlatform(servers, dataDir), signal));
    seen.large.push(await answerOnce(large.start(), signal));
    seen.floor.push(await answerOnce(startFloor(servers), signal));
  }
  const anew = toRow("new folder", seen.anew, { seconds: GOAL_SECONDS, rssMB: GOAL_RSS_MB });
  const floor = toRow("floor", seen.floor);
  const rows = [anew, toRow(large.name, seen.large), floor, over(anew, floor)];
  return { title: `start (${times} times)`, rows };
}

async function answerOnce(starting: Promise<Server>, signal: AbortSignal): Promise<FirstAnswer> {
  const server = await starting;
  await send(server, FIRST_PAGE, { signal });
  const seconds = (performance.now() - server.startedMs) / 1000;
  const waitedSeconds = await waitedSecondsOf(server.pid);
  const memory = await memoryOf(server.pid);
  await server.stop();
  return { seconds, waitedSeconds, memory };
}

function toRow(
  name: string,
  seen: readonly FirstAnswer[],
  goals?: { seconds: number; rssMB: number },
): Row {
  const [rss, pss] = memoryFigures(seen.map(({ memory }) => memory));
  const first: Figure = {
    name: "first answer",
    unit: "s",
    values: seen.map(({ seconds }) => seconds),
    waited: seen.map(({ waitedSeconds }) => waitedSeconds),
  };
  if (!goals) return { name, figures: [first, rss, pss] };
  const judged = [
    { ...first, atMost: goals.seconds },
    { ...rss, atMost: goals.rssMB },
  ];
  return { name, figures: [...judged, pss] };
}

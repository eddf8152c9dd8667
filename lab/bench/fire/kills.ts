import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Random } from "../../faults/random";
import { killProcess, processesWith } from "../../../scripts/processes";
import { ask, measure } from "../load";
import { FIRST_PAGE } from "../local/deployments";
import { CONNECTIONS } from "../local/requests";
import type { Run, Server } from "../run";
import { startPlatform } from "../servers";
import type { Table } from "../table";
import { Ledger } from "./ledger";

const STAGE_SECONDS = 0.1;
const WRITERS = 8;
/** The load before a kill takes up to this; one kill in ten hits a platform that is starting. */
const MOST_LOAD_MS = 1500;
const MOST_START_MS = 1000;
const EARLY = 0.1;
/** What a kill can have touched is compared after each, everything after so many and at the end. */
const ALL_EVERY = 50;

/**
 * Kills a platform with `kill -9` while it is written to, starts it again, and compares with what it had acknowledged. The
 * seed chooses the moments and the writes; which of them the platform gets to is its own.
 */
export async function measureKills(
  run: Run,
  { kills, seed, stored }: { kills: number; seed: number; stored: number },
): Promise<Table[]> {
  const random = new Random(seed);
  const dataDir = join(run.folder, "killed");
  const start = () => startPlatform(run, dataDir, "simulated", { stageSeconds: STAGE_SECONDS });
  let server = await start();
  const ledger = await Ledger.of(server, run, random);
  run.say(`creating ${stored} deployments`);
  const creates = { connections: CONNECTIONS, requests: stored };
  const onBody = (body: string) => void ledger.acknowledge(body);
  await measure(server, creates, () => ledger.create(), { signal: run.signal, onBody });
  const secondsToAnswer: number[] = [];
  for (let killed = 1; killed <= kills; killed++) {
    if (random.chance(EARLY))
      await killStarting(server, start, random.below(MOST_START_MS), dataDir);
    else await killWriting(server, ledger, random.below(MOST_LOAD_MS));
    server = await start();
    await ask(server, FIRST_PAGE, run.signal);
    secondsToAnswer.push((performance.now() - server.startedMs) / 1000);
    await ledger.compareTouched();
    if (killed % ALL_EVERY > 0 && killed < kills) continue;
    await ledger.compareAll();
    run.say(
      `${killed} kills, ${ledger.acknowledged} writes acknowledged, ${ledger.lost.length} lost`,
    );
  }
  await server.stop();
  for (const what of ledger.lost) run.say(`LOST: ${what}`);
  const figures = [
    { name: "kills", values: [secondsToAnswer.length] },
    { name: "acknowledged", values: [ledger.acknowledged] },
    { name: "lost", values: [ledger.lost.length], atMost: 0 },
    { name: "first answer (s)", values: secondsToAnswer },
  ];
  const title = `kill -9 under writes, ${stored.toLocaleString("en")} deployments`;
  return [{ title, rows: [{ name: `seed ${seed}`, figures }] }];
}

async function killWriting(server: Server, ledger: Ledger, afterMs: number): Promise<void> {
  const kill = new AbortController();
  const writers = Array.from({ length: WRITERS }, (_, writer) =>
    ledger.write(server, kill.signal, { writer, writers: WRITERS }),
  );
  const killing = sleep(afterMs).then(() => {
    kill.abort();
    killProcess(server.pid);
  });
  await Promise.all([...writers, killing]);
  await server.stop();
}

/** The platform that runs has nothing to do; its successor is killed before or just after its first answer. */
async function killStarting(
  server: Server,
  start: () => Promise<Server>,
  afterMs: number,
  dataDir: string,
): Promise<void> {
  killProcess(server.pid);
  await server.stop();
  const starting = start().then(
    (started) => started,
    () => undefined,
  );
  await sleep(afterMs);
  for (const pid of await processesWith(dataDir)) killProcess(pid);
  await (await starting)?.stop();
}

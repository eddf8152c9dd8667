import type { Bench, Stage } from "./bench";
import { over, type Table } from "./figure";
import { measureRounds, type Rounds } from "./rounds";
import { Servers } from "./servers";
import { startBuiltIn } from "./threads/built-in";
import { OPERATIONS } from "./threads/operations";
import { startReal } from "./threads/real";

/** How much is measured. */
export interface ThreadsPlan {
  /** How many threads the two built-in servers have that are compared. */
  readonly small: number;
  readonly large: number;
  /** How many the real Python server has; without, there is none. */
  readonly real?: number;
  readonly rounds: Omit<Rounds, "untilMs">;
  /** No further round begins after they have taken this time. */
  readonly seconds: number;
}

const PLAN: ThreadsPlan = {
  small: 100,
  large: 100_000,
  real: 10,
  rounds: {
    most: 15,
    fewest: 3,
    paces: [
      { clients: 1, requests: 60 },
      { clients: 8, requests: 160 },
    ],
  },
  seconds: 300,
};

const SLOWER_AT_MOST = { median: 1.5 };
const FASTER = { median: 1 };

/** Threads of the built-in agent server. */
export const threads: Bench = {
  about: "threads of the built-in agent server, few and many, beside the real Python server",
  limitSeconds: 1800,
  run: (stage) => measureThreads(stage, PLAN),
};

/** Measures requests about threads; all servers are asked directly, past the platform's proxy. */
export async function measureThreads({ signal, say }: Stage, plan: ThreadsPlan): Promise<Table[]> {
  const servers = await Servers.open(signal);
  let stopReal = () => Promise.resolve();
  try {
    say(`making ${plan.small.toLocaleString("en")} and ${plan.large.toLocaleString("en")} threads`);
    const small = await startBuiltIn(servers, plan.small, signal);
    const large = await startBuiltIn(servers, plan.large, signal);
    if (plan.real) say("starting the real Python server; its first install takes minutes");
    const real = plan.real ? await startReal(servers.folder, plan.real, signal) : undefined;
    stopReal = real?.stop ?? stopReal;
    say(`sending requests, at most ${plan.rounds.most} rounds`);
    const subjects = [small, large, ...(real ? [real.subject] : [])];
    const untilMs = performance.now() + plan.seconds * 1000;
    const rounds = { ...plan.rounds, untilMs };
    const measured = await measureRounds(subjects, OPERATIONS, rounds, signal);
    return measured.map(({ title, rows }) => {
      const [few, many, ofReal] = rows;
      const toFew = few && many ? [over(many, few, SLOWER_AT_MOST)] : [];
      const toReal = ofReal && many ? [over(many, ofReal, FASTER)] : [];
      return { title: `${title}, no proxy`, rows: [...rows, ...toFew, ...toReal] };
    });
  } finally {
    await stopReal();
    await servers.close();
  }
}

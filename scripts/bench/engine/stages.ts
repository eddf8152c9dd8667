import { type StatusIn, statusesIn } from "../../../sdk/status";

/** How long a revision of the public service usually stays in each status, as shares of the whole. */
const SHARES: Readonly<Record<StatusIn<"in progress">, number>> = {
  CREATING: 0.05,
  QUEUED: 0.02,
  AWAITING_BUILD: 0.03,
  BUILDING: 0.6,
  AWAITING_DEPLOY: 0.03,
  DEPLOYING: 0.27,
};
const STATUSES = statusesIn("in progress");

/** One roll-out: what its revision's status is at which time. */
export interface Rollout {
  /** When it is `DEPLOYED`. */
  readonly seconds: number;
  readonly statusAt: (seconds: number) => string;
}

/** A roll-out of about this length (± 10 %), through stages that are up to half shorter or longer than usual. */
export function aRollout(aboutSeconds: number, random: () => number): Rollout {
  const weights = STATUSES.map((status) => SHARES[status] * (0.5 + random()));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const seconds = aboutSeconds * (0.9 + 0.2 * random());
  let end = 0;
  const ends = weights.map((weight) => (end += (weight / total) * seconds));
  return {
    seconds,
    statusAt: (time) => {
      const place = ends.findIndex((stageEnd) => time < stageEnd);
      return time < seconds ? (STATUSES[place] ?? "DEPLOYING") : "DEPLOYED";
    },
  };
}

/** Random numbers that are the same in every run (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

import { expect } from "chai";
import fc from "fast-check";
import { Pace, paceOf } from "../../sdk/pace";
import { RateLimited } from "../../sdk/errors";
import { withRetries } from "../../sdk/retry";
import { aClock } from "../support/builders";
import { standingClock } from "../support/clock";
import { reasonOf, rejection } from "../support/rejection";

/** A host with a token bucket: so many requests a second, and as many at once as it holds. */
interface Host {
  readonly rate: number;
  readonly burst: number;
}

const THROTTLED = {
  action: "get deployment",
  method: "GET",
  url: "https://control.example.com",
  reason: "429",
  status: 429,
  detail: "",
  secrets: [],
  retryAfterSeconds: 1,
};

/** Sends requests, so many at a time, to such a host through one pace; in the time of a clock that stands otherwise. */
async function runAgainst(
  { rate, burst }: Host,
  requests: number,
  concurrent: number,
  seed: number,
  lateMs = 0,
) {
  const standing = standingClock();
  const clock = {
    now: () => standing.now(),
    // Its pauses end so much later than they should.
    sleep: (pauseMs: number, signal?: AbortSignal) => standing.sleep(pauseMs + lateMs, signal),
    random: randomOf(seed),
  };
  const startMs = clock.now();
  const pace = new Pace(clock);
  const bucket = { tokens: burst, at: startMs };
  const seen = { sent: 0, refused: 0, failed: 0 };
  const send = async () => {
    await clock.sleep(10);
    seen.sent += 1;
    const { tokens, at } = bucket;
    bucket.tokens = Math.min(burst, tokens + ((clock.now() - at) / 1000) * rate);
    bucket.at = clock.now();
    const isTaken = bucket.tokens >= 1;
    if (isTaken) bucket.tokens -= 1;
    await clock.sleep(10);
    if (isTaken) return;
    seen.refused += 1;
    throw new RateLimited(THROTTLED);
  };
  let left = requests;
  const client = async (): Promise<void> => {
    while (left-- > 0)
      await withRetries(false, clock, undefined, () => pace.send(send, undefined)).catch(() => {
        seen.failed += 1;
      });
  };
  const over = Promise.all(Array.from({ length: concurrent }, client)).then(() => true);
  while (!(await Promise.race([over, standing.advance(1000).then(() => false)])));
  return { ...seen, seconds: (clock.now() - startMs) / 1000 };
}

function randomOf(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
}

describe("the pace of requests to a host that limits their rate", () => {
  it("carries every request, in little more than the least time, with few refusals", async () =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom(5, 10, 50),
        fc.constantFrom(1, 2),
        fc.integer({ min: 1, max: 2 ** 31 - 1 }),
        async (rate, burstSeconds, seed) => {
          const requests = rate * 40;
          const host = { rate, burst: rate * burstSeconds };
          const { sent, refused, failed, seconds } = await runAgainst(host, requests, 16, seed);
          expect(failed).to.equal(0);
          expect(refused / sent).to.be.below(0.1);
          expect(seconds).to.be.below((requests / rate) * 1.3);
        },
      ),
      { numRuns: 12 },
    ));

  for (const [what, host, leastSeconds, lateMs, excess] of [
    ["finds the rate of a host that takes no bursts", { rate: 50, burst: 5 }, 60, 0, 1.4],
    ["makes up for timers that are late", { rate: 10, burst: 10 }, 40, 100, 1.3],
  ] as const)
    it(what, async () => {
      for (const seed of [7919, 15_838]) {
        const run = await runAgainst(host, leastSeconds * host.rate, 16, seed, lateMs);
        const { sent, refused, failed, seconds } = run;
        expect(failed).to.equal(0);
        expect(refused / sent).to.be.below(0.5);
        expect(seconds).to.be.below(leastSeconds * excess);
      }
    });

  it("takes a response that says when to come back for no attempt", async () => {
    const clock = aClock();
    const refusals = Array.from({ length: 9 }, () => new RateLimited(THROTTLED));
    const send = async () => {
      const refusal = refusals.shift();
      if (refusal !== undefined) throw refusal;
      return "done";
    };
    expect(await withRetries(false, clock, undefined, send)).to.equal("done");
    expect(clock.pauses).to.deep.equal(Array.from({ length: 9 }, () => 1000));
  });

  it("holds back the requests of every client of the process to that host, and no others", async () => {
    const clock = aClock();
    const refusedFor = (retryAfterSeconds: number) => async () => {
      throw new RateLimited({ ...THROTTLED, retryAfterSeconds });
    };
    const ask = (seconds: number) =>
      paceOf(clock, "a.example.com").send(refusedFor(seconds), undefined);
    await Promise.all([7, 1].map((seconds) => rejection(ask(seconds))));
    const sent = async (host: string) =>
      paceOf(clock, host).send(async () => clock.time, undefined);
    const start = clock.time;
    expect(await sent("b.example.com")).to.equal(start);
    expect(await sent("a.example.com")).to.be.at.least(start + 7000);
  });

  it("ends a wait for its turn with its signal", async () => {
    const pace = new Pace(aClock());
    const refused = async () => {
      throw new RateLimited(THROTTLED);
    };
    await rejection(pace.send(refused, undefined));
    const ended = AbortSignal.abort(new Error("enough"));
    expect(await reasonOf(pace.send(async () => undefined, ended))).to.equal("enough");
  });

  it("sends as fast as it can to a host that does not", async () => {
    const { sent, seconds } = await runAgainst({ rate: 1e9, burst: 1e9 }, 800, 16, 1);
    expect(sent).to.equal(800);
    expect(seconds).to.be.at.most(2);
  });
});

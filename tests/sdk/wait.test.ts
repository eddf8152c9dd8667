import { setTimeout as answerAfter } from "node:timers/promises";
import { expect } from "chai";
import { ConnectionError } from "../../sdk/errors";
import { type PollResult, WaitEnded, waitFor } from "../../sdk/wait";
import { messageOf } from "../../shared/errors";
import { aClock } from "../support/builders";
import { rejection } from "../support/rejection";

interface End {
  readonly state: "done" | "failed";
  readonly value: string;
}

describe("sdk wait", () => {
  const stages = (...names: string[]) => {
    let index = 0;
    return async (): Promise<PollResult<End>> => {
      const name = names[Math.min(index, names.length - 1)] ?? "";
      index += 1;
      return name.startsWith("!")
        ? { state: "done", value: name.slice(1) }
        : { state: "pending", stage: name };
    };
  };

  it("returns the result that ended the wait", async () => {
    const options = { timeoutMs: 60_000, clock: aClock() };
    const done = await waitFor({ poll: stages("a", "b", "!end"), ...options });
    expect(done).to.deep.equal({ state: "done", value: "end" });
    const failure: End = { state: "failed", value: "end" };
    expect(await waitFor({ poll: async () => failure, ...options })).to.equal(failure);
  });

  it("ends at its deadline, with one last look there, and says what it saw last", async () => {
    const clock = aClock();
    const start = clock.time;
    const error = await rejection(waitFor({ poll: stages("a", "b"), timeoutMs: 30_000, clock }));
    expect(error).to.be.instanceOf(WaitEnded).and.include({ isCancelled: false });
    expect(error.message).to.equal("still b after 30 s");
    expect(clock.time - start).to.equal(30_000);
  });

  it("ends at once when it is cancelled, in a pause as in a poll, also where errors are tolerated", async () => {
    for (const isInPoll of [false, true]) {
      const cancellation = new AbortController();
      const clock = aClock();
      const sleep = clock.sleep;
      clock.sleep = (milliseconds, signal) => {
        cancellation.abort();
        return sleep(milliseconds, signal);
      };
      const end: End = { state: "done", value: "end" };
      const poll = async (signal: AbortSignal): Promise<PollResult<End>> => {
        if (!isInPoll) return { state: "pending", stage: "a" };
        setImmediate(() => cancellation.abort());
        return answerAfter(60_000, end, { signal });
      };
      const { signal } = cancellation;
      const wait = waitFor({ poll, tolerate: () => "b", timeoutMs: 600_000, signal, clock });
      const error = await rejection(wait);
      expect(error).to.be.instanceOf(WaitEnded).and.include({ isCancelled: true });
      expect(error.message).to.equal(`cancelled after 0 s${isInPoll ? "" : ", still a"}`);
      expect(clock.pauses).to.deep.equal([]);
    }
  });

  it("hears an answer that the last look gets after the deadline", async () => {
    const clock = aClock();
    const deadline = clock.time + 30_000;
    const end: End = { state: "done", value: "end" };
    const poll = async (signal: AbortSignal): Promise<PollResult<End>> => {
      if (clock.time < deadline) return { state: "pending", stage: "a" };
      return answerAfter(50, end, { signal });
    };
    expect(await waitFor({ poll, timeoutMs: 30_000, clock })).to.equal(end);
  });

  it("looks less often the longer a stage takes, and often again at the next stage", async () => {
    const clock = aClock();
    const first = Array.from({ length: 8 }, () => "a");
    await waitFor({ poll: stages(...first, "b", "!end"), timeoutMs: 600_000, clock });
    const pauses = clock.pauses;
    expect(pauses.slice(0, 8)).to.deep.equal(pauses.slice(0, 8).toSorted((a, b) => a - b));
    expect(pauses.at(-2)).to.be.greaterThan(pauses.at(-1) ?? 0);
  });

  it("varies a pause by a tenth, so that waits which began together do not stay together", async () => {
    const firstPause = async (random: number) => {
      const clock = { ...aClock(), random: () => random };
      await waitFor({ poll: stages("a", "!end"), timeoutMs: 60_000, clock });
      return clock.pauses[0];
    };
    expect(await firstPause(0)).to.be.closeTo(270, 1e-6);
    expect(await firstPause(1)).to.be.closeTo(330, 1e-6);
  });

  it("passes on why the clock cut a pause short", async () => {
    const clock = { ...aClock(), sleep: async () => Promise.reject(new Error("cut short")) };
    const error = await rejection(waitFor({ poll: stages("a"), timeoutMs: 60_000, clock }));
    expect(error.message).to.equal("cut short");
  });

  it("begins a stage with longer pauses the longer the wait has lasted", async () => {
    const clock = aClock();
    const first = Array.from({ length: 20 }, () => "a");
    await waitFor({ poll: stages("a", "b", ...first, "b", "!end"), timeoutMs: 600_000, clock });
    expect(clock.pauses.at(-1)).to.be.greaterThan(clock.pauses.at(1) ?? 0);
  });

  it("looks less often at a stage that others must follow", async () => {
    const longest = async (isDistant: boolean) => {
      const clock = aClock();
      const poll = async () => ({ state: "pending", stage: "a", isDistant }) as const;
      await rejection(waitFor({ poll, timeoutMs: 600_000, clock }));
      return Math.max(...clock.pauses);
    };
    expect(await longest(true)).to.be.greaterThan(2 * (await longest(false)));
  });

  describe("whose poll fails with a transient error", () => {
    const silence = new ConnectionError({
      action: "get revision",
      method: "GET",
      url: "http://127.0.0.1:1",
      reason: "no connection",
      secrets: [],
    });
    const failingOnce = (error: Error) => {
      let polls = 0;
      return async (): Promise<PollResult<End>> => {
        polls += 1;
        if (polls === 1) throw error;
        return { state: "done", value: "end" };
      };
    };
    const stageOf = (error: unknown) => `waiting: ${messageOf(error)}`;

    it("goes on where it tolerates that, and shows the stage that it is given", async () => {
      const shown: string[] = [];
      const onPending = (stage: string) => void shown.push(stage);
      const options = { timeoutMs: 60_000, clock: aClock(), onPending, tolerate: stageOf };
      const result = await waitFor({ poll: failingOnce(silence), ...options });
      expect(result.value).to.equal("end");
      expect(shown).to.deep.equal(["waiting: get revision: no connection"]);
    });

    it("ends where it does not", async () => {
      const options = { timeoutMs: 60_000, clock: aClock() };
      expect(await rejection(waitFor({ poll: failingOnce(silence), ...options }))).to.equal(
        silence,
      );
    });

    it("ends with any other error all the same", async () => {
      const gone = new Error("gone");
      const options = { timeoutMs: 60_000, clock: aClock(), tolerate: stageOf };
      expect(await rejection(waitFor({ poll: failingOnce(gone), ...options }))).to.equal(gone);
    });
  });

  it("passes on what a poll throws", async () => {
    const poll = async () => {
      throw new Error("gone");
    };
    const error = await rejection(waitFor({ poll, timeoutMs: 1_000, clock: aClock() }));
    expect(error.message).to.equal("gone");
  });
});

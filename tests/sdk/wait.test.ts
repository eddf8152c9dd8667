import { setTimeout as answerAfter } from "node:timers/promises";
import { expect } from "chai";
import { ConnectionError, ServerError } from "../../sdk/errors";
import { type PollResult, WaitEnded, waitFor } from "../../sdk/wait";
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
    expect(error.message).to.equal("timed out after 30 s, still b");
    expect(clock.time - start).to.equal(30_000);
  });

  it("polls what has just been requested after a pause, which a short wait cuts", async () => {
    for (const [timeoutMs, first] of [
      [60_000, 300],
      [100, 100],
    ] as const) {
      const clock = aClock();
      await waitFor({ poll: stages("!end"), isJustRequested: true, timeoutMs, clock });
      expect(clock.pauses).to.deep.equal([first]);
    }
  });

  it("ends at once when it is cancelled, in a pause as in a poll", async () => {
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
      const error = await rejection(waitFor({ poll, timeoutMs: 600_000, signal, clock }));
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

  describe("whose polls have no answer", () => {
    const failure = { action: "get revision", method: "GET", url: "http://x", secrets: [] };
    const refused = new ConnectionError({ ...failure, reason: "no connection to http://x" });
    /** Polls that answer, or fail, in turn; each takes two seconds. The last one goes on. */
    const wait = async (timeoutMs: number, ...answers: (string | Error)[]) => {
      const clock = aClock();
      const shown: string[] = [];
      const poll = async (): Promise<PollResult<End>> => {
        clock.time += 2_000;
        const answer = (answers.length > 1 ? answers.shift() : answers[0]) ?? "";
        if (answer instanceof Error) throw answer;
        return answer === "end"
          ? { state: "done", value: "end" }
          : { state: "pending", stage: answer };
      };
      const onPending = (stage: string) => void shown.push(stage);
      const end = await rejection(
        waitFor({ poll, onPending, timeoutMs, clock }).then(({ value }) => {
          throw new Error(value);
        }),
      );
      return { end, shown, pauses: clock.pauses };
    };

    it("goes on, and after a few seconds says for how long and why", async () => {
      const { end, shown } = await wait(60_000, "a", refused, refused, refused, "a", "end");
      expect(end.message).to.equal("end");
      const expected = ["a", "a", "a", "no connection to http://x for 7 s; still trying", "a"];
      expect(shown).to.deep.equal(expected);
    });

    it("shows nothing of a server that was never seen until then", async () => {
      const { shown } = await wait(60_000, refused, refused, refused, "a", "end");
      expect(shown).to.deep.equal(["no connection to http://x for 7 s; still trying", "a"]);
    });

    it("ends with what it saw last, when, and what has happened since", async () => {
      const busy = new ServerError({ ...failure, reason: "503 busy", status: 503, detail: "busy" });
      const seen = await wait(30_000, "a", busy, refused);
      expect(seen.end).to.be.instanceOf(WaitEnded);
      expect(seen.end.message).to.equal(
        "timed out after 32 s: last seen a 30 s ago, since then no connection to http://x for 30 s",
      );
      const never = await wait(30_000, busy);
      expect(never.end.message).to.equal("timed out after 32 s: 503 busy for 32 s");
      const back = await wait(30_000, "a", refused, "b");
      expect(back.end.message).to.match(/^timed out after \d+ s, still b$/);
      expect(back.end).to.have.property("silence", undefined);
    });

    it("ends with any other error all the same", async () => {
      const gone = new Error("gone");
      expect((await wait(60_000, refused, gone)).end).to.equal(gone);
    });
  });
});

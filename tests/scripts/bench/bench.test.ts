import { expect } from "chai";
import { runBench, type Bench } from "../../../scripts/bench/bench";
import { rejection } from "../../support/rejection";

const say = () => undefined;

/** A bench that lasts until it is aborted, and then fails as a request does. */
const endless = (limitSeconds: number): Bench => ({
  about: "nothing",
  limitSeconds,
  run: ({ signal }) =>
    new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(new Error("socket hang up")));
    }),
});

describe("the run of a bench", () => {
  it("gives its tables", async () => {
    const table = { title: "start", rows: [] };
    const bench: Bench = { about: "", limitSeconds: 60, run: () => Promise.resolve([table]) };
    const { signal } = new AbortController();
    const { name, tables } = await runBench("platform", bench, { signal, say });
    expect({ name, tables }).to.deep.equal({ name: "platform", tables: [table] });
  });

  it("is given up at its limit", async () => {
    const { signal } = new AbortController();
    const { message } = await rejection(runBench("platform", endless(0.01), { signal, say }));
    expect(message).to.equal("bench platform: given up after 0.01 s");
  });

  it("ends with the reason of an abort", async () => {
    const stop = new AbortController();
    const ended = rejection(runBench("platform", endless(60), { signal: stop.signal, say }));
    stop.abort(new Error("stopped by SIGINT"));
    expect((await ended).message).to.equal("stopped by SIGINT");
  });
});

import { expect } from "chai";
import { once } from "node:events";
import { mock } from "node:test";
import type { PlatformClock } from "../../../../../local/platform/clock";
import { ServerUnavailable } from "../../../../../local/drivers/driver";
import { RequestGate, traffic } from "../../../../../local/drivers/process/servers/requests";
import { standingClock } from "../../../../support/clock";
import { rejection } from "../../../../support/rejection";

describe("RequestGate", () => {
  let clock: PlatformClock;
  let gate: RequestGate;
  let done: () => void;
  let held: Promise<unknown>;
  beforeEach(async () => {
    clock = standingClock();
    gate = new RequestGate(clock);
    held = gate.hold(() => new Promise<void>((resolve) => (done = resolve)));
    await Promise.resolve();
  });

  it("lets those who come meanwhile wait for the end, then look", async () => {
    let origin = "old";
    const waiting = gate.wait(async () => origin);
    origin = "new";
    done();
    expect(await waiting).to.equal("new");
  });

  it("does one piece of work after the other, though one fails, and waits for all", async () => {
    const order: string[] = [];
    const failing = rejection(gate.hold(() => Promise.reject(new Error("no room"))));
    const next = gate.hold(async () => order.push("next"));
    const waiting = gate.wait(async () => order.push("look"));
    order.push("first");
    done();
    await Promise.all([held, next, waiting]);
    expect(order).to.deep.equal(["first", "next", "look"]);
    expect(await failing).to.have.property("message", "no room");
  });

  it("lets nobody wait for more than 30 s", async () => {
    const early = rejection(gate.wait(async () => "there"));
    await clock.advance(1000);
    const late = gate.wait(async () => "there");
    await clock.advance(29_000);
    const error = await early;
    expect(error).to.be.instanceOf(ServerUnavailable);
    expect(error).to.have.property("message", "timed out after 30 s waiting for the server");
    done();
    expect(await late).to.equal("there");
  });

  it("lets 1,000 wait, and sends others away", async () => {
    const find = () => Promise.reject(new Error("gone"));
    const waiting = Array.from({ length: 1000 }, () => rejection(gate.wait(find)));
    const error = await rejection(gate.wait(async () => "there"));
    expect(error).to.be.instanceOf(ServerUnavailable);
    expect(error).to.have.property("message", "more than 1000 requests are waiting for the server");
    done();
    for (const { message } of await Promise.all(waiting)) expect(message).to.equal("gone");
    expect(await gate.wait(async () => "there")).to.equal("there");
  });
});

describe("the requests to a server that is to end", () => {
  it("have the time that is given, in seconds, and those that go on are aborted then", async () => {
    const { signal } = new AbortController();
    for (const [limitSeconds, isAborted] of [
      [60, false],
      [0.1, true],
    ] as const) {
      const origin = `http://127.0.0.1:${limitSeconds}`;
      const request = traffic.track(origin);
      traffic.track(origin).done(); // the end of another
      // Later than a limit in milliseconds would let it end.
      if (!isAborted) setTimeout(request.done, 150);
      await traffic.drain(origin, { limitSeconds, signal });
      expect(request.signal.aborted).to.equal(isAborted);
      request.done();
    }
  });

  it("are aborted in time though the machine's clock is set back meanwhile", async () => {
    const request = traffic.track("http://set-back");
    const aborted = once(request.signal, "abort");
    const { signal } = new AbortController();
    const drained = traffic.drain("http://set-back", { limitSeconds: 0.1, signal });
    const now = mock.method(Date, "now", () => 0);
    await aborted;
    now.mock.restore();
    request.done();
    await drained;
  });
});

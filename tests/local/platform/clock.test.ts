import { expect } from "chai";
import { PlatformClock } from "../../../local/platform/clock";
import { usePlatform } from "../../support/platform";
import { rejection } from "../../support/rejection";

const HOUR_MS = 3_600_000;

describe("local/platform/clock", () => {
  it("wakes them one after the other, and again when they sleep on within the time added", async () => {
    const clock = new PlatformClock();
    const start = clock.now();
    const woken: string[] = [];
    const walk = async (name: string, stepMs: number) => {
      for (let step = 1; step <= 3; step += 1) {
        await clock.sleep(stepMs);
        woken.push(`${name}${Math.round((clock.now() - start) / HOUR_MS)}`);
      }
    };
    const walks = [walk("a", HOUR_MS), walk("b", 2 * HOUR_MS)];
    await clock.advance(2.5 * HOUR_MS);
    expect(woken.toSorted()).to.deep.equal(["a1", "a2", "b2"]);
    await clock.advance(4 * HOUR_MS);
    await Promise.all(walks);
    expect(woken.slice(3)).to.deep.equal(["a3", "b4", "b6"]);
  });

  it("stands still while those who wake do their work, and adds times one after the other when it is asked to at once", async () => {
    const clock = new PlatformClock();
    const work = async () => {
      for (let step = 0; step < 3; step += 1) {
        await clock.sleep(HOUR_MS);
        const start = performance.now();
        while (performance.now() < start + 5) continue;
      }
    };
    const working = work();
    await clock.advance(3 * HOUR_MS);
    await working;
    const other = new PlatformClock();
    const sleeping = other.sleep(3 * HOUR_MS);
    await Promise.all([other.advance(HOUR_MS), other.advance(2 * HOUR_MS)]);
    await sleeping;
    expect(other.offsetMs).to.equal(3 * HOUR_MS);
  });

  it("leaves those asleep who wait for longer, rejects with the reason of an aborted signal, also before it, and gives each stamp once, later than the one before", async () => {
    const clock = new PlatformClock();
    const ending = new AbortController();
    const sleeping = rejection(clock.sleep(HOUR_MS, ending.signal));
    await clock.advance(HOUR_MS / 2);
    const reason = new Error("not woken");
    ending.abort(reason);
    expect(await sleeping).to.equal(reason);
    expect(await rejection(clock.sleep(0, ending.signal))).to.equal(reason);
    const stamping = new PlatformClock();
    const stamps = Array.from({ length: 5000 }, () => stamping.stamp());
    expect(stamps.toSorted()).to.deep.equal(stamps);
    expect(new Set(stamps).size).to.equal(stamps.length);
    expect(stamps[0]).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  });

  it("goes on where real time is set back", () => {
    let realMs = HOUR_MS;
    const clock = new PlatformClock(0, () => realMs);
    const seen = [HOUR_MS, HOUR_MS + 1, 0, 1].map((ms) => {
      realMs = ms;
      return clock.now() - HOUR_MS;
    });
    expect(seen).to.deep.equal([0, 1, 1, 2]);
  });
});

describe("a platform with a time of its own", () => {
  const test = usePlatform({ now: () => Date.parse("2030-01-01T00:00:00Z") });

  it("shows that time in `Date` and in what it creates, and moves on by `advanceClock` alone", async () => {
    const { id, created_at } = await test.create();
    expect(created_at).to.match(/^2030-01-01T00:00:00/);
    await test.platform.admin.advanceClock(3600);
    for (const key of [test.platform.apiKey, "wrong"]) {
      const own = { "X-Api-Key": key };
      const { headers } = await test.request("GET", `/v2/deployments/${id}`, undefined, own);
      expect(headers.get("date")).to.equal("Tue, 01 Jan 2030 01:00:00 GMT");
    }
    expect(await test.get(id)).to.include({ status: "READY" });
  });

  it("goes on after its last time where a start has an earlier one: the newest is still listed first", async () => {
    const { id } = await test.create();
    await test.restart({ now: () => 0 });
    const { id: newest } = await test.create();
    expect((await test.deployments())[0]).to.include({ id: newest });
    await test.request("PATCH", `/v2/deployments/${id}`, { secrets: [{ name: "A", value: "1" }] });
    const { latest_revision_id } = await test.get(id);
    expect((await test.revisions(id))[0]).to.include({ id: latest_revision_id });
  });
});

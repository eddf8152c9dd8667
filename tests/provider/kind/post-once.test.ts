import { expect } from "chai";
import { postOnce } from "../../../provider/kind/post-once";
import { ConnectionError } from "../../../sdk";
import { impatientClock } from "../../support/clock";

describe("a POST without a response", () => {
  it("has created its own thing, though a replica first shows what had the key before", async () => {
    const clock = impatientClock();
    const at = (ms: number) => ({ createdAt: new Date(ms).toISOString() });
    const [former, own] = [at(clock.now() - 60_000), at(clock.now() + 1)];
    const shown = [former, own];
    const call = { action: "create thing", method: "POST", url: "http://127.0.0.1/things" };
    const lost = new ConnectionError({ ...call, reason: "socket hang up", secrets: [] });
    const posted = await postOnce(
      clock,
      { serverTime: () => new Date(clock.now()) },
      {
        key: "the-key",
        post: () => Promise.reject(lost),
        find: async () => shown.shift(),
        isEqual: () => true,
        createdAt: ({ createdAt }) => createdAt,
      },
    );
    expect(posted).to.deep.equal({ own });
  });
});

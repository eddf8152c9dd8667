import { expect } from "chai";
import { type Posted, postOnce } from "../../../provider/kind/post-once";
import { Unconfirmed } from "../../../provider/kind/unconfirmed";
import { Conflict, ConnectionError, ServerError } from "../../../sdk";
import { impatientClock } from "../../support/clock";
import { rejection } from "../../support/rejection";

interface Thing {
  readonly createdAt: string;
}

const CALL = {
  action: "create thing",
  method: "POST",
  url: "http://127.0.0.1/things",
  reason: "",
  secrets: [],
};
const clock = impatientClock();

/** What becomes of a POST that ends in an error, where these searches follow. */
function postThat(
  error: Error,
  searches: readonly (() => Promise<Thing | undefined>)[],
): Promise<Posted<Thing>> {
  const left = [...searches];
  return postOnce(
    clock,
    { serverTime: () => new Date(clock.now()) },
    {
      key: "the-key",
      post: () => Promise.reject(error),
      find: async () => left.shift()?.(),
      isEqual: () => true,
      createdAt: ({ createdAt }) => createdAt,
    },
  );
}

const at = (ms: number) => async () => ({ createdAt: new Date(clock.now() + ms).toISOString() });
const nothing = async () => undefined;
const away = () => Promise.reject(new Error("nobody answers"));

describe("a POST without a response", () => {
  it("has created its own thing, though a replica first shows what had the key before", async () => {
    const lost = new ConnectionError({ ...CALL, reason: "socket hang up" });
    const posted = await postThat(lost, [at(-60_000), at(1)]);
    expect(posted).to.have.key("own");
  });

  it("may have created what the service shows without a time, whatever it answered", async () => {
    const undated = async () => ({ createdAt: "" });
    for (const lost of [
      new ConnectionError(CALL),
      new ServerError({ ...CALL, status: 502, detail: "" }),
    ]) {
      const error = await rejection(postThat(lost, [nothing, undated, undated]));
      expect(error).to.be.an.instanceOf(Unconfirmed);
    }
  });
});

describe("a POST that meets a conflict", () => {
  const conflict = new Conflict({ ...CALL, status: 409, detail: "taken" });

  it("has met what a replica shows a moment later", async () => {
    const posted = await postThat(conflict, [nothing, nothing, at(-1_000)]);
    expect(posted).to.have.key("rival");
  });

  it("leaves the conflict as the error where nothing has the key", async () => {
    const error = await rejection(postThat(conflict, [nothing, nothing, nothing]));
    expect(error).to.equal(conflict);
  });

  it("does not say that nothing has the key where that can't be seen", async () => {
    const error = await rejection(postThat(conflict, [nothing, nothing, away]));
    expect(error.message).to.equal("nobody answers");
  });
});

import { expect } from "chai";
import { type Posted, postOnce } from "../../../provider/resource/post-once";
import { IndeterminateCreate } from "../../../provider/resource/indeterminate-create";
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

/** What becomes of a POST that ends in these errors, where these searches follow; the next one is answered. */
function postThat(
  failures: Error | readonly Error[],
  searches: readonly (() => Promise<Thing | undefined>)[],
  time = clock,
): Promise<Posted<Thing>> {
  const errors = [failures].flat();
  const left = [...searches];
  posts = 0;
  return postOnce(
    time,
    { serverTime: () => new Date(clock.now()) },
    {
      key: "the-key",
      post: async () => {
        const error = errors[posts++];
        if (error !== undefined) throw error;
        return CREATED;
      },
      find: async () => left.shift()?.(),
      isEqual: () => true,
      createdAt: ({ createdAt }) => createdAt,
    },
  );
}

const CREATED = { createdAt: "by the last POST" };
/** The number of POSTs of the last call. */
let posts = 0;
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
      expect(error).to.be.an.instanceOf(IndeterminateCreate);
    }
  });
});

describe("a POST that never arrived", () => {
  const lost = new ConnectionError({ ...CALL, reason: "socket hang up" });
  const conflict = new Conflict({ ...CALL, status: 409, detail: "taken" });

  it("is sent again where nothing has the key, for as long as other requests are repeated", async () => {
    expect(await postThat([lost, lost], [])).to.deep.equal({ own: CREATED });
    expect(posts).to.equal(3);
    const failures = Array.from({ length: 9 }, () => lost);
    expect(await rejection(postThat(failures, []))).to.equal(lost);
    expect(posts).to.equal(5);
  });

  it("has created its own thing where it arrives after all, and the next one meets a conflict", async () => {
    const posted = await postThat([lost, conflict], [nothing, nothing, nothing, nothing, at(1)]);
    expect(posted).to.have.key("own").and.not.to.deep.equal({ own: CREATED });
    expect(posts).to.equal(2);
  });

  it("leaves the key to whoever had it before", async () => {
    const others = [nothing, nothing, nothing, ...Array.from({ length: 3 }, () => at(-60_000))];
    expect(await postThat([lost, conflict], others)).to.have.key("rival");
  });

  it("may have created what only a conflict shows, and is sent no third time", async () => {
    const error = await rejection(postThat([lost, conflict], []));
    expect(error).to.be.an.instanceOf(IndeterminateCreate);
    expect(posts).to.equal(2);
  });

  it("is not sent again where the service can't be asked, nor what it refuses", async () => {
    expect(await rejection(postThat(lost, [nothing, nothing, away]))).to.be.instanceOf(
      IndeterminateCreate,
    );
    expect(posts).to.equal(1);
    const refusal = new ServerError({ ...CALL, status: 501, detail: "" });
    expect(await rejection(postThat(refusal, []))).to.equal(refusal);
    expect(posts).to.equal(1);
  });

  it("is not sent again in a cancelled run, where no pause has passed that a replica may need", async () => {
    const cancelled = { ...clock, sleep: () => Promise.reject(new Error("cancelled")) };
    expect(await rejection(postThat(lost, [], cancelled))).to.equal(lost);
    expect(posts).to.equal(1);
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

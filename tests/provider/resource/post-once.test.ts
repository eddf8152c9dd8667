import { expect } from "chai";
import { IndeterminateCreate, postOnce } from "../../../provider/resource/post-once";
import { Conflict, ConnectionError, ServerError } from "../../../sdk";
import { impatientClock } from "../../support/clock";

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

type Search = () => Promise<Thing | undefined>;

/** What becomes of a POST that ends in these errors, where these searches follow; the next one is answered. */
async function postThat(failures: readonly Error[], searches: readonly Search[], time = clock) {
  const [errors, left] = [[...failures], [...searches]];
  let posts = 0;
  const work = {
    key: "the-key",
    post: async () => {
      posts += 1;
      const error = errors.shift();
      if (error !== undefined) throw error;
      return CREATED;
    },
    find: async () => left.shift()?.(),
    isEqual: () => true,
    createdAt: ({ createdAt }: Thing) => createdAt,
  };
  const server = { serverTime: () => new Date(clock.now()) };
  const ended: unknown = await postOnce(time, server, work).catch((error: unknown) => error);
  return { ended, posts };
}

const CREATED = { createdAt: "by the last POST" };
const at = (ms: number) => async () => ({ createdAt: new Date(clock.now() + ms).toISOString() });
const nothing = async () => undefined;
const away = () => Promise.reject(new Error("nobody answers"));
const undated = async () => ({ createdAt: "" });
const times = <Item>(count: number, item: Item) => Array.from({ length: count }, () => item);

const lost = new ConnectionError({ ...CALL, reason: "socket hang up" });
const failed = new ServerError({ ...CALL, status: 502, detail: "" });
const refused = new ServerError({ ...CALL, status: 501, detail: "" });
const conflict = new Conflict({ ...CALL, status: 409, detail: "taken" });

describe("a POST", () => {
  const earlier = at(-60_000);
  const created: [string, Error[], Search[], count: number][] = [
    [
      "without a response has created its own thing, though a replica first shows what had the key before",
      [lost],
      [earlier, at(1)],
      1,
    ],
    [
      "that never arrived has created its own thing where it arrives after all, and the next one meets a conflict",
      [lost, conflict],
      [...times(4, nothing), at(1)],
      2,
    ],
  ];
  for (const [what, failures, searches, count] of created)
    it(what, async () => {
      const { ended, posts } = await postThat(failures, searches);
      expect(ended).to.have.key("created").and.not.to.deep.equal({ created: CREATED });
      expect(posts).to.equal(count);
    });

  const indeterminate: [string, Error[], Search[], count: number][] = [
    ["without a response, of what is shown without a time", [lost], [nothing, undated, undated], 1],
    ["with an error, of what is shown without a time", [failed], [nothing, undated, undated], 1],
    ["that never arrived, of what only a conflict shows", [lost, conflict], [], 2],
    ["where the service can't be asked", [lost], [nothing, nothing, away], 1],
  ];
  for (const [what, failures, searches, count] of indeterminate)
    it(`may have created something, and is not sent again: ${what}`, async () => {
      const { ended, posts } = await postThat(failures, searches);
      expect(ended).to.be.an.instanceOf(IndeterminateCreate);
      expect(posts).to.equal(count);
    });

  it("that never arrived is sent again where nothing has the key, for as long as other requests are repeated", async () => {
    const again = await postThat([lost, lost], []);
    expect(again).to.deep.equal({ ended: { created: CREATED }, posts: 3 });
    expect(await postThat(times(9, lost), [])).to.deep.equal({ ended: lost, posts: 5 });
  });

  it("that the service refuses is not sent again, nor one in a cancelled run, where no pause has passed that a replica may need", async () => {
    expect(await postThat([refused], [])).to.deep.equal({ ended: refused, posts: 1 });
    const cancelled = { ...clock, sleep: () => Promise.reject(new Error("cancelled")) };
    expect(await postThat([lost], [], cancelled)).to.deep.equal({ ended: lost, posts: 1 });
  });

  it("leaves the key to whoever had it before, also where a replica shows that a moment later", async () => {
    const others = [...times(3, nothing), ...times(3, earlier)];
    expect((await postThat([lost, conflict], others)).ended).to.have.key("existing");
    const later = await postThat([conflict], [nothing, nothing, at(-1_000)]);
    expect(later.ended).to.have.key("existing");
  });

  it("leaves a conflict as the error where nothing has the key, and not where that can't be seen", async () => {
    expect((await postThat([conflict], times(3, nothing))).ended).to.equal(conflict);
    const { ended } = await postThat([conflict], [nothing, nothing, away]);
    expect(ended).to.have.property("message", "nobody answers");
  });
});

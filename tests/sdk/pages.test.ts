import { expect } from "chai";
import { type PageOptions, walkPages } from "../../sdk/pages";
import { reasonOf, rejection } from "../support/rejection";

const item = (id: number) => ({ id: String(id) });
const range = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => item(from + index));

const OF_IDS = { idOf: ({ id }: { id: string }) => id, endless: Error };

async function walk(
  pages: (offset: number, limit: number) => { resources: { id: string }[]; offset?: number },
  options?: PageOptions,
) {
  const offsets: number[] = [];
  const fetchPage = async ({ offset, limit }: { offset: number; limit: number }) => {
    offsets.push(offset);
    return pages(offset, limit);
  };
  const items = await Array.fromAsync(walkPages({ ...OF_IDS, fetchPage }, options));
  return { ids: items.map(({ id }) => id), offsets };
}

describe("sdk pages", () => {
  it("asks on from the offset that the last page names", async () => {
    const all = range(0, 250);
    const { ids, offsets } = await walk((offset) => ({
      resources: all.slice(offset, offset + 100),
      offset: offset + 100,
    }));
    expect(ids).to.deep.equal(all.map(({ id }) => id));
    expect(offsets).to.deep.equal([0, 99, 198]);
  });

  it("gives an item once that an insert has moved to the next page", async () => {
    const { ids } = await walk((offset) => ({
      resources: offset === 0 ? range(0, 100) : range(99, 150),
      offset: offset + 100,
    }));
    expect(ids).to.deep.equal(range(0, 150).map(({ id }) => id));
  });

  type Items = { id: string }[];
  const losing = (count: number) => (list: Items, requests: number) =>
    list.splice(0, requests === 1 ? count : 0);
  /** What happens to the list after a number of requests. */
  const changes: [string, (list: Items, requests: number) => unknown, number[]][] = [
    ["some go", losing(5), [0, 99, 49, 148]],
    ["a page goes", losing(100), [0, 99, 49, 0, 99]],
    ["most go", losing(200), [0, 99, 49, 0]],
    [
      "one goes and is back",
      (list, requests) => (requests === 1 ? list.shift() : requests === 2 && list.unshift(item(0))),
      [0, 99, 49, 148, 247],
    ],
    [
      "the first becomes the last, again and again",
      (list) => list.push(...list.splice(0, 1)),
      [0, 99, 49, 148, 98, 197, 147, 246],
    ],
    ["others come at the front", (list) => list.unshift(item(-list.length)), [0, 99, 198]],
  ];
  for (const [what, change, asked] of changes)
    it(`leaves out nothing where ${what} between the pages`, async () => {
      const all = range(0, 250);
      const list = [...all];
      let requests = 0;
      const { ids, offsets } = await walk((offset) => {
        if (requests > 0) change(list, requests);
        requests += 1;
        return { resources: list.slice(offset, offset + 100) };
      });
      const left = all.filter((one) => list.includes(one)).map(({ id }) => id);
      expect(ids).to.include.members(left).and.to.have.lengthOf(new Set(ids).size);
      expect(offsets).to.deep.equal(asked);
    });

  it("ends with an error where every page is the same, whichever offset it says", async () => {
    for (const [offset, next] of [
      [0, 99],
      [-1, 99],
      [5, 4],
      [1_000_000, 999_999],
    ] as const) {
      const same = (_offset: number, limit: number) => ({ resources: range(0, limit), offset });
      expect(await reasonOf(walk(same))).to.equal(
        `from offset ${next} the server returned only items of earlier pages`,
      );
    }
  });

  it("asks for no page of nothing to tell whether a server of pages of one item repeats it", async () => {
    const sizes = new Set<number>();
    const same = (_offset: number, limit: number) => {
      sizes.add(limit);
      return { resources: [item(0)] };
    };
    await rejection(walk(same, { limit: 1 }));
    expect([...sizes]).to.deep.equal([1]);
  });

  it("ends with an error where the server returns two pages in turn", async () => {
    const pages = [range(0, 100), range(100, 200)];
    let requests = 0;
    const next = () => ({ resources: pages[(requests += 1) % 2] ?? [] });
    await rejection(walk(next));
    expect(requests).to.equal(3);
  });

  it("ends with an error after 1,000 pages of new items", async () => {
    let requests = 0;
    const next = () => ({ resources: [item((requests += 1))] });
    const error = await rejection(walk(next, { limit: 1 }));
    expect(error.message).to.equal("the server returned 1000 pages, and more follow");
    expect(requests).to.equal(1_000);
  });

  it("ends at a full page that is the last, and takes a list that is not paginated as it is", async () => {
    const last = await walk((offset) => ({ resources: range(offset, 200).slice(0, 100) }));
    expect(last.ids).to.have.length(200);
    expect((await walk(() => ({ resources: range(0, 100) }))).ids).to.have.length(100);
    const whole = await walk(() => ({ resources: range(0, 130) }));
    expect(whole.ids).to.have.length(130);
    expect(whole.offsets).to.deep.equal([0]);
  });

  it("steps back no further than to the given offset", async () => {
    const list = range(0, 330);
    const page = (offset: number) => {
      const resources = list.slice(offset, offset + 100);
      if (list.length === 330) list.splice(0, 200);
      return { resources };
    };
    expect((await walk(page, { offset: 30 })).offsets).to.deep.equal([30, 129, 79, 30, 129]);
  });

  it("begins at the given offset, in pages of the given size", async () => {
    const asked: unknown[] = [];
    const all = range(0, 10);
    const fetchPage = async (page: { limit: number; offset: number }) => {
      asked.push({ ...page });
      return { resources: all.slice(page.offset, page.offset + page.limit) };
    };
    const walked = walkPages({ ...OF_IDS, fetchPage }, { limit: 4, offset: 3 });
    expect(await Array.fromAsync(walked)).to.deep.equal(all.slice(3));
    expect(asked).to.deep.equal([
      { limit: 4, offset: 3 },
      { limit: 4, offset: 6 },
      { limit: 4, offset: 9 },
    ]);
  });
});

import { expect } from "chai";
import { walkPages } from "../../sdk/pages";

const item = (id: number) => ({ id: String(id) });
const range = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => item(from + index));

async function walk(pages: (offset: number) => { resources: { id: string }[]; offset?: number }) {
  const offsets: number[] = [];
  const ids: string[] = [];
  const fetchPage = async ({ offset }: { offset: number }) => {
    offsets.push(offset);
    if (offsets.length > 50) throw new Error("does not end");
    return pages(offset);
  };
  for await (const { id } of walkPages(fetchPage)) ids.push(id);
  return { ids, offsets };
}

describe("sdk pages", () => {
  it("asks on from the offset that the last page names", async () => {
    const all = range(0, 250);
    const { ids, offsets } = await walk((offset) => ({
      resources: all.slice(offset, offset + 100),
      offset: offset + 100,
    }));
    expect(ids).to.deep.equal(all.map(({ id }) => id));
    expect(offsets).to.deep.equal([0, 100, 200]);
  });

  it("gives an item once that an insert has moved to the next page", async () => {
    const { ids } = await walk((offset) => ({
      resources: offset === 0 ? range(0, 100) : range(99, 150),
      offset: offset + 100,
    }));
    expect(ids).to.deep.equal(range(0, 150).map(({ id }) => id));
  });

  for (const offset of [0, -1, 5, 1_000_000])
    it(`ends though every page says offset ${offset} and is the same`, async () => {
      const { ids } = await walk(() => ({ resources: range(0, 100), offset }));
      expect(ids).to.have.length(100);
    });

  it("begins where it is told, in pages as large as it is told", async () => {
    const asked: unknown[] = [];
    const all = range(0, 10);
    const fetchPage = async (page: { limit: number; offset: number }) => {
      asked.push({ ...page });
      return { resources: all.slice(page.offset, page.offset + page.limit) };
    };
    const ids: string[] = [];
    for await (const { id } of walkPages(fetchPage, { limit: 4, offset: 3 })) ids.push(id);
    expect(ids).to.deep.equal(all.slice(3).map(({ id }) => id));
    expect(asked).to.deep.equal([
      { limit: 4, offset: 3 },
      { limit: 4, offset: 7 },
    ]);
  });

  it("goes on by its own count when a page names no offset", async () => {
    const { ids } = await walk((offset) => ({
      resources: range(offset, Math.min(offset + 100, 130)),
    }));
    expect(ids).to.have.length(130);
  });
});

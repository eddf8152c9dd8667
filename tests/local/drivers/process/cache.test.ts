import { access, mkdir, readdir, readFile, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { Cache, cacheKey } from "../../../../local/drivers/process/cache";
import { reasonOf, rejection } from "../../../support/rejection";
import { useFolder } from "../../children";
import { aRevision } from "./servers/scripted";

const signal = new AbortController().signal;
const build = { revision: aRevision("r1"), signal };

describe("Cache", () => {
  const folder = useFolder();
  let nowMs: number;
  let cache: Cache;

  beforeEach(() => {
    nowMs = Date.parse("2026-01-01T00:00:00Z");
    cache = new Cache(folder("cache"), () => nowMs);
  });

  const add = (key: string, text = key, to = cache) =>
    to.add(key, (entry) => writeFile(join(entry, "file"), text));
  const textIn = (entry: string) => readFile(join(entry, "file"), "utf8");
  const names = async () => (await readdir(folder("cache"))).toSorted();

  it("gives back what was put there, at the same path every time, until its folder is gone", async () => {
    expect(await cache.find("a")).to.equal(undefined);
    const entry = await add("a", "what was made");
    expect(await cache.find("a")).to.equal(entry);
    expect(await textIn(entry)).to.equal("what was made");
    const target = (await names()).find((name) => name !== "a") ?? "";
    await rm(folder("cache", target), { recursive: true });
    expect(await cache.find("a")).to.equal(undefined);
    expect(await add("a")).to.equal(await cache.find("a"));
  });

  it("has no entry where its making failed or was killed, leaves nothing of a failure, and builds it again", async () => {
    const failing = cache.add("a", async (entry) => {
      await writeFile(join(entry, "half"), "");
      throw new Error("the install failed");
    });
    expect(await reasonOf(failing)).to.equal("the install failed");
    expect(await names()).to.deep.equal([]);
    await new Promise<void>((begun) => {
      void cache.add("a", async () => {
        begun();
        return new Promise(() => {});
      });
    });
    expect(await cache.find("a")).to.equal(undefined);
    expect(await add("a")).to.equal(await cache.find("a"));
  });

  it("takes another platform's entry when that was faster, and keeps one that it puts there while it is looked for", async () => {
    const entry = await cache.add("a", async (slow) => {
      await writeFile(join(slow, "file"), "slow");
      await add("a", "fast", new Cache(folder("cache")));
    });
    expect(await textIn(entry)).to.equal("fast");
    expect(await names()).to.have.length(2);
    const other = new Cache(folder("cache"), () => nowMs);
    for (let round = 0; round < 100; round += 1) {
      const key = `${round}`;
      const added = new AbortController();
      const look = async () => {
        while (!added.signal.aborted) await cache.find(key);
      };
      const looks = [look(), look(), look()];
      const made = await add(key, "made", other);
      added.abort();
      await Promise.all(looks);
      expect(await textIn(made)).to.equal("made");
    }
  });

  it("lets the next build find what the one before makes, or try when that fails", async () => {
    const failing = cache.withLock("a", build, () => Promise.reject(new Error("failed")));
    const work = () =>
      cache.withLock("a", build, async () => {
        const found = await cache.find("a");
        if (!found) await add("a");
        return found === undefined ? "made" : "found";
      });
    const works = Promise.all([work(), work(), work()]);
    expect(await reasonOf(failing)).to.equal("failed");
    expect(await works).to.deep.equal(["made", "found", "found"]);
  });

  it("does not hold up builds of other keys, and ends the wait of one that is interrupted", async () => {
    let finish = () => {};
    const slow = cache.withLock("a", build, () => new Promise<void>((done) => (finish = done)));
    expect(await cache.withLock("b", build, async () => "done")).to.equal("done");
    const ending = new AbortController();
    const ended = { ...build, signal: ending.signal };
    const waiting = rejection(cache.withLock("a", ended, async () => "never"));
    ending.abort(new Error("interrupted"));
    expect((await waiting).message).to.equal("interrupted");
    finish();
    await slow;
  });

  const keys = async () => (await names()).filter((name) => !name.includes("-"));
  const prune = () => cache.prune(async () => []);
  const addUpTo = async (last: number) => {
    for (let key = 1; key <= last; key += 1) {
      nowMs += 1000;
      await add(String(key));
    }
  };

  it("keeps the five that were used last, and those in use", async () => {
    await addUpTo(8);
    nowMs += 1000;
    await cache.find("2");
    await cache.prune(async () => ["1"]);
    expect(await keys()).to.deep.equal(["1", "2", "5", "6", "7", "8"]);
    expect(await names()).to.have.length(2 * 6);
  });

  it("keeps what a build uses until that lets go of it", async () => {
    await cache.withLock("a", build, () => add("a"));
    await addUpTo(6);
    await prune();
    expect(await keys()).to.include("a");
    cache.release(build.revision);
    await prune();
    expect(await keys()).to.not.include("a");
  });

  it("keeps what a build begins to use, and leaves a record of, meanwhile", async () => {
    await add("a");
    await addUpTo(6);
    await cache.prune(async () => {
      await cache.withLock("a", build, () => cache.find("a"));
      cache.release(build.revision);
      return [];
    });
    expect(await keys()).to.include("a");
  });

  it("counts an entry's age from the end of its making", async () => {
    await cache.add("a", async () => addUpTo(6));
    await prune();
    expect(await keys())
      .to.include("a")
      .and.not.include("1");
  });

  it("keeps for a week what other platforms may use that share the folder", async () => {
    await mkdir(folder("shared"));
    await symlink(folder("shared"), folder("cache"));
    await addUpTo(6);
    await prune();
    expect(await keys()).to.include("1");
    nowMs += 8 * 24 * 3600 * 1000;
    await prune();
    expect(await keys()).to.deep.equal(["2", "3", "4", "5", "6"]);
  });

  it("removes what killed builds have left, once no build can be at it any more", async () => {
    await add("a");
    const [old, fresh] = [`${cacheKey("b")}-oldOLD`, `${cacheKey("b")}-newNEW`];
    for (const [name, ageSeconds] of Object.entries({ [old]: 4 * 3600, [fresh]: 60 })) {
      const left = folder("cache", name);
      await mkdir(left);
      const at = nowMs / 1000 - ageSeconds;
      await utimes(left, at, at);
    }
    await prune();
    expect(await names())
      .to.include(fresh)
      .and.not.include(old);
    nowMs += 4 * 3600 * 1000;
    await prune();
    expect(await names()).not.to.include(fresh);
    expect(await cache.find("a")).to.not.equal(undefined);
  });

  it("keeps for good what others have in a folder that is shared", async () => {
    await mkdir(folder("shared"));
    await symlink(folder("shared"), folder("cache"));
    await symlink("../elsewhere", folder("shared", "theirs"));
    await symlink("node-22.1.0", folder("shared", "node"));
    const at = nowMs / 1000 - 30 * 24 * 3600;
    const others = ["browser-145", "node-22.1.0"].map((name) => folder("cache", name));
    for (const own of [folder("elsewhere"), ...others]) {
      await mkdir(own);
      await utimes(own, at, at);
    }
    await addUpTo(6);
    await prune();
    const theirs = ["browser-145", "node", "node-22.1.0", "theirs"];
    expect(await names()).to.include.members(theirs);
    await access(folder("elsewhere"));
  });
});

import { readdirSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { REPOSITORY } from "../../scripts/project";
import type { Expected, ProgramFile } from "../support/corpus";
import { livesThrough, makeSettings } from "../support/corpus.life";
import { inlineSubject, projectSubject } from "../support/corpus.subject";
import { startTestPlatform, type TestPlatform } from "../support/platform";
import { runs } from "../support/tiers";

/** Programs that are run side by side: most of their time is that of the command line. */
const AT_ONCE = 3;
const LIMIT_MS = 600_000;

describe("programs, on the real engine: up, nothing to do, a change, refresh, nothing to do, destroy", function () {
  this.timeout(LIMIT_MS);
  const platforms = new Map<string, Promise<TestPlatform>>();
  const lives = new Map<string, Promise<void>>();

  /** One platform for all programs that need the same driver. */
  const platformWith = ({ driver = "simulated" }: Expected) => {
    const platform = platforms.get(driver) ?? startTestPlatform({ driver });
    platforms.set(driver, platform);
    return platform;
  };
  const live = async (path: string, file: ProgramFile) => {
    const test = await platformWith(file.expected);
    const settings = await makeSettings(test);
    const isInline = extname(path) === ".js";
    const subject = await (isInline
      ? inlineSubject(file, settings)
      : projectSubject(path, settings));
    try {
      await livesThrough(subject, file.expected, settings, { test, refreshes: runs("nightly") });
    } finally {
      await subject.stack.remove();
    }
  };

  const files = programFiles().map((path) => ({ path, file: load(path) }));
  const chosen = files.filter(({ file }) => runs(file.expected.tier ?? "short"));

  /** A program's life, which begins when it or one shortly before it is asked for. */
  const lifeOf = (place: number): Promise<void> | undefined => {
    for (const { path, file } of chosen.slice(place, place + AT_ONCE)) {
      if (lives.has(path)) continue;
      const life = live(path, file);
      // The wait for it has its own test, later.
      life.catch(() => undefined);
      lives.set(path, life);
    }
    return lives.get(chosen[place]?.path ?? "");
  };

  after(async () => {
    await Promise.allSettled(lives.values());
    for (const platform of platforms.values()) await (await platform).close();
  });

  for (const [place, { path }] of chosen.entries())
    it(basename(path, extname(path)).replaceAll("-", " "), () => lifeOf(place));
});

/** Programs in TypeScript as they are compiled, those in JavaScript as they are. */
function programFiles(): string[] {
  const all = (folder: string, extensions: readonly string[]) =>
    readdirSync(folder)
      .filter((name) => extensions.includes(extname(name)))
      .map((name) => join(folder, name));
  return [
    ...all(join(__dirname, "../programs"), [".js"]),
    ...all(join(REPOSITORY, "tests/programs"), [".mjs", ".cjs"]),
  ];
}

function load(path: string): ProgramFile {
  return require(path);
}

import { expect } from "chai";
import { Keeper } from "../../../../../local/drivers/process/keeper/keeper";
import { rejection } from "../../../../support/rejection";
import { useFolder } from "../../../children";
import { Crashes } from "../../../../../local/drivers/process/servers/managed-server";
import { readOutput } from "../../../../../local/drivers/process/servers/output";
import { describeExit } from "../../../../../local/drivers/process/servers/server";
import { reasonOf as failureOf } from "../../stage-failure";
import { useKeeper } from "../keeper/use-keeper";
import { startScripted, type Mode, type ScriptedStart } from "./scripted";

describe("startServer", () => {
  const dataDir = useFolder();
  const keeper = useKeeper(dataDir);

  const start = (mode: Mode = "", changes: Partial<ScriptedStart> = {}) =>
    startScripted({ keeper, revisionId: "r1", mode, ...changes });
  const reasonOf = (...how: Parameters<typeof start>) => failureOf(start(...how));

  it("resolves when the process answers where it said, though it asks for a key, or has no such path", async () => {
    const lines: string[] = [];
    const log = (line: string) => void lines.push(line);
    const server = await start("", { keeper: new Keeper(dataDir(), 600), log });
    expect(await (await fetch(`${server.origin}/info`)).text()).to.contain('"revision":"r1"');
    expect(lines).to.deep.equal(["read 0"]);
    expect(await server.end()).to.deep.equal({ exitCode: 0, lastLines: lines });
    expect((await fetch(`${(await start("locked")).origin}/ok`)).status).to.equal(401);
  });

  const TRACEBACK = "Traceback (most recent call last):";
  for (const [lastLines, expected] of [
    [[], "it exited with code 1"],
    [["first", "last"], "it exited with code 1: last\nfirst"],
    [
      [TRACEBACK, "KeyError: 'a'", TRACEBACK, "app.errors.GraphLoadError: no 'b'", "Exiting."],
      `it exited with code 1: GraphLoadError: no 'b'\n${TRACEBACK}\nKeyError: 'a'\n${TRACEBACK}\nExiting.`,
    ],
    [
      [
        "    | a.ConnectError: no host",
        "    +----",
        "GraphLoadError: b: in a TaskGroup (1 sub-exception)",
      ],
      "it exited with code 1: ConnectError: no host\n    +----\nGraphLoadError: b: in a TaskGroup (1 sub-exception)",
    ],
    [
      ["Error [ERR_MODULE_NOT_FOUND]: Cannot find 'a'", "    at b", "}"],
      "it exited with code 1: Error [ERR_MODULE_NOT_FOUND]: Cannot find 'a'\n    at b\n}",
    ],
    ...[
      "npm error enoent ENOENT: no such file or directory, open 'a.tgz'",
      "npm error notarget No matching version found for zod@99.0.0.",
      "ERR_PNPM_FETCH_404\u2009 GET https://packages.example.com/a: Not Found - 404",
      "ENOENT\u2009 ENOENT: no such file or directory, open 'a.patch'",
      'error Couldn\'t find any versions for "zod" that matches "99.0.0"',
      "➤ YN0082: │ zod@npm:99.0.0: No candidates found",
      'error: No version matching "99.0.0" found for specifier "zod"',
      "cause: Because the current Python version (3.11.7) does not satisfy Python>=3.12, …",
    ].map((why) => {
      const indent = /^E[A-Z_]+/.test(why) ? "\u2009" : why.startsWith("cause") ? "  " : "";
      const before = ["npm error code 1", "error: No solution found when resolving dependencies"];
      const after = ["npm error A complete log of this run", "➤ YN0000: · Failed"];
      const lines = [...before, indent + why, ...after];
      return [lines, [`it exited with code 1: ${why}`, ...before, ...after].join("\n")] as const;
    }),
  ] as const)
    it(`says first why: ${expected.split("\n")[0]}`, () => {
      expect(describeExit("it", { exitCode: 1, lastLines })).to.equal(expected);
    });

  it("takes nothing for the reason of what was killed", () => {
    const lastLines = ["TypeError: at first", "last"];
    const ending = "\nTypeError: at first\nlast";
    expect(describeExit("it", { exitCode: undefined, lastLines })).to.equal(
      `it was killed${ending}`,
    );
    const killed = `it was killed, as where memory runs out${ending}`;
    expect(describeExit("it", { exitCode: 137, lastLines })).to.equal(killed);
  });

  it("gives the log each record with its level, other lines as they are, and the reason in their words; ends the server when the work is aborted", async () => {
    const logged: unknown[][] = [];
    const reason = await reasonOf("records", { log: (...output) => void logged.push(output) });
    expect(logged).to.deep.equal([
      ["read 0", undefined],
      ["run failed\nTraceback\nValueError: out of order", "ERROR"],
    ]);
    expect(reason).to.match(/ code 4: ValueError: out of order\nread 0\nrun failed\nTraceback$/);
    const ending = new AbortController();
    const log = () => ending.abort(new Error("interrupted"));
    const started = start("mute", { signal: ending.signal, log });
    expect(await rejection(started)).to.have.property("message", "interrupted");
  });

  for (const mode of ["sick", "silent", "mute"] as const)
    it(`gives up on a server that is ${mode}, and ends it`, async () => {
      const said: string[] = [];
      const log = (line: string) => void said.push(line);
      // Until it has been given the time to get as far as that.
      for (let limitSeconds = 0.5; said.length === 0; limitSeconds *= 2)
        expect(await reasonOf(mode, { limitSeconds, log })).to.contain(
          `timed out after ${limitSeconds} s: the server did not answer`,
        );
    });
});

describe("what an agent server prints", () => {
  const record = (level: string, more = {}) => JSON.stringify({ level, event: "one", ...more });

  for (const [line, text, level] of [
    [record("info"), "one", "INFO"],
    [record("warn"), "one", "WARNING"],
    [record("WARNING"), "one", "WARNING"],
    [record("error"), "one", "ERROR"],
    [record("critical"), "one", "ERROR"],
    [record("constructor"), "one", "INFO"],
    [record("error", { exception: "Trace\nError: x", other: {} }), "one\nTrace\nError: x", "ERROR"],
    [record("error", { event: "\n  one\n two\n" }), "one\n two", "ERROR"],
    [record("info", { event: "GET /ok \u001B[32m200\u001B[0m 2ms" }), "GET /ok 200 2ms", "INFO"],
    ["plain", "plain", undefined],
    ['{"level":"error"}', '{"level":"error"}', undefined],
    ['{"level":"error","event":"cut', '{"level":"error","event":"cut', undefined],
    ["{", "{", undefined],
  ] as const)
    it(`is ${level ?? "without level"}: ${line}`, () => {
      expect(readOutput(line)).to.deep.equal({ text, ...(level && { level }) });
    });
});

describe("Crashes", () => {
  it("never pause longer than 30 s, and start over after a minute of running", () => {
    const crashes = new Crashes();
    const pauses = [0, 1, 2, 3, 4, 5, 6].map((turn) => crashes.add(turn * 20_000, 20_000));
    expect(pauses).to.deep.equal([1, 2, 4, 8, 16, 30, 30]);
    expect(crashes.add(200_000, 60_000)).to.equal(1);
  });
});

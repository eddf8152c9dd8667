import { execFile, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { promisify } from "node:util";
import { expect } from "chai";
import {
  endLeftovers,
  Keeper,
  type Command,
} from "../../../../../local/drivers/process/keeper/keeper";
import { folderMark, MARK } from "../../../../../local/drivers/process/keeper/leftovers";
import { rejection } from "../../../../support/rejection";
import { processesWith, until, useFolder } from "../../../children";
import { useKeeper } from "./use-keeper";

const KEEPER = require.resolve("../../../../../local/drivers/process/keeper/keeper");
const DEAF = "trap '' TERM; echo deaf; while :; do sleep 1; done";
const OBEDIENT = "trap 'echo bye; exit 3' TERM; echo obedient; while :; do sleep 0.01; done";

describe("Keeper", () => {
  const dataDir = useFolder();
  const keeper = useKeeper(dataDir);
  let tag: string;
  beforeEach(() => void (tag = randomUUID()));

  const shell = (script: string, changes: Partial<Command> = {}): Command => ({
    file: "/bin/sh",
    args: ["-c", script],
    cwd: dataDir(),
    environment: { PATH: process.env["PATH"], TAG: tag },
    ...changes,
  });
  const allGone = () => until("no process to be left", async () => !(await processesWith(tag))[0]);

  /** Starts a command and waits for its first lines. */
  async function startAndHear(script: string, { from = keeper, lines = 1 } = {}) {
    let heard = 0;
    const child = from.start(shell(script, { onLine: () => (heard += 1) }));
    await until("the first lines", () => heard >= lines);
    return child;
  }

  it("gives the output line by line, and the exit code with the last lines; says why when it can't start anything, with 127 when there is no such command", async () => {
    const seen: string[] = [];
    const onLine = (line: string, stream: string) => void seen.push(`${stream}: ${line}`);
    const script = "echo one; echo two >&2; printf 'a\\rb\\r\\nlast'; exit 7";
    const ending = await keeper.start(shell(script, { onLine })).ended;
    expect(ending.exitCode).to.equal(7);
    expect(ending.lastLines).to.have.members(["one", "two", "a", "b", "last"]);
    expect(seen).to.include.members(["stdout: one", "stderr: two", "stdout: last"]);
    const say = async (changes: Partial<Command>) => {
      const { exitCode, lastLines } = await keeper.start(shell("true", changes)).ended;
      return [exitCode, ...lastLines].join(" ");
    };
    expect(await say({ file: "no-such-tool" })).to.match(/^127 .*no-such-tool/s);
    expect(await say({ cwd: dataDir("nowhere") })).to.match(/^126 .*ENOENT/s);
  });

  it("fails a command, and nothing else, while no file descriptor is left for it", async () => {
    const script = `const [, keeper, dataDir] = process.argv;
      const { openSync, closeSync } = require("node:fs");
      const started = new (require(keeper).Keeper)(dataDir);
      const command = { file: "true", args: [], cwd: "/", environment: {} };
      const open = [];
      try { for (;;) open.push(openSync("/dev/null")); } catch {}
      started.start(command).ended.then((exit) => {
        open.forEach(closeSync);
        console.log(JSON.stringify(exit));
      });`;
    const limited = 'ulimit -n 64; exec "$@"';
    const node = [process.execPath, "-e", script, KEEPER, dataDir()];
    const { stdout } = await promisify(execFile)("/bin/sh", ["-c", limited, "sh", ...node]);
    const said = { exitCode: 126, lastLines: ["spawn /bin/sh EMFILE"] };
    expect(JSON.parse(stdout)).to.deep.equal(said);
  });

  it("gives the child nothing of the platform's environment, all of its own, and no input", async () => {
    process.env["PLATFORM_ONLY"] = "1";
    const own = ["grace", "mark", "command", "end"].map((name) => [name, "mine"]);
    const environment = { PATH: process.env["PATH"], ...Object.fromEntries(own) };
    const script = "cat; env; [ -e /proc/$$/fd/3 ] || echo alone";
    const { lastLines } = await keeper.start(shell(script, { environment })).ended;
    delete process.env["PLATFORM_ONLY"];
    expect(lastLines).to.include.members(own.map((pair) => pair.join("=")));
    expect(lastLines).not.to.include("PLATFORM_ONLY=1");
    expect(lastLines.at(-1)).to.equal("alone"); // the keeper's socket is not the child's
  });

  it("cuts a line that never ends, but not within a value that the child was given", async () => {
    const secret = "sk-CANARY-1234567890";
    for (const before of [16_370, 16_383, 16_384]) {
      const seen: string[] = [];
      const script = `head -c ${before} /dev/zero | tr '\\0' x; printf %s "$KEY"; head -c 50000 /dev/zero`;
      const environment = { PATH: process.env["PATH"], KEY: secret };
      await keeper.start(shell(script, { environment, onLine: (line) => seen.push(line) })).ended;
      expect(seen.length).to.be.at.least(4);
      expect(seen.filter((line) => line.includes(secret))).to.have.length(1);
    }
  });

  it("leaves nothing behind when the command ends by itself, without a wait for that, or is killed, or the keeper itself is, or its watcher", async () => {
    const patient = new Keeper(dataDir(), 1000);
    const children = `sh -c "${DEAF}" & setsid sleep 1000 & sleep 0.1`;
    for (const [script, code] of [
      [children, 0],
      [`${children}; kill -9 $$`, 137],
    ] as const) {
      expect((await patient.start(shell(script)).ended).exitCode).to.equal(code);
      await allGone();
    }
    const child = await startAndHear(DEAF);
    const [first = 0] = await processesWith(tag);
    process.kill(first, "SIGKILL");
    expect((await child.ended).exitCode).to.equal(undefined);
    await allGone();
    const other = await startAndHear(DEAF);
    const watcher = ["-f", "-P", String(other.processGroup), "keeper"];
    const { stdout } = await promisify(execFile)("pgrep", watcher);
    process.kill(Number(stdout), "SIGKILL");
    expect((await other.end()).exitCode).to.equal(undefined);
    await allGone();
  });

  it("lets a command that hears TERM end by itself, and kills a deaf one and its deaf children after the grace", async () => {
    const ending = await (await startAndHear(OBEDIENT, { from: new Keeper(dataDir(), 600) })).end();
    expect(ending.exitCode).to.equal(3);
    expect(ending.lastLines.at(-1)).to.equal("bye");
    await allGone();
    // Either may be the first to be deaf.
    const child = await startAndHear(`sh -c "${DEAF}" & ${DEAF}`, { lines: 2 });
    const killed = await child.end();
    expect(killed.exitCode).to.be.oneOf([137, undefined]); // KILL reaches the keeper too
    await allGone();
  });

  it("ends a run and throws the signal's reason when that is aborted, or starts nothing, and every child when it is closed", async () => {
    const ending = new AbortController();
    const onLine = () => ending.abort(new Error("interrupted"));
    for (const _ of ["first", "again"]) {
      const failure = await rejection(keeper.run(shell(DEAF, { onLine }), ending.signal));
      expect(failure).to.have.property("message", "interrupted");
      await allGone();
    }
    await Promise.all([startAndHear(OBEDIENT), startAndHear(DEAF)]);
    await keeper.close();
    expect(await processesWith(tag)).to.deep.equal([]);
  });

  it("lets no child outlive a platform that is killed", async () => {
    const deaf = shell(`sh -c "${DEAF}" & ${DEAF}`);
    const obedient = shell(`setsid sh -c "${DEAF}" & ${OBEDIENT}`);
    const script = `const [module, dataDir, commands] = process.argv.slice(1);
      const keeper = new (require(module).Keeper)(dataDir, 0.2);
      const onLine = (line) => console.log(line);
      for (const command of JSON.parse(commands)) keeper.start({ ...command, onLine });`;
    const commands = JSON.stringify([deaf, obedient, deaf]);
    const args = ["-e", script, KEEPER, dataDir(), commands];
    const platform = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    let heard = "";
    platform.stdout.on("data", (text) => (heard += text));
    await until("six lines", () => heard.split("\n").length === 7);
    platform.kill("SIGKILL");
    await once(platform, "exit");
    await allGone();
  });

  const leave = (script: string, folder = dataDir()) =>
    spawn("/bin/sh", ["-c", script], {
      detached: true,
      stdio: "ignore",
      env: { PATH: process.env["PATH"], TAG: tag, [MARK]: `${folderMark(folder)}1` },
    });

  it("ends what carries the folder's mark, deaf or not, and what others start meanwhile, and nothing else", async () => {
    leave(DEAF);
    leave(OBEDIENT);
    const stranger = leave("exec sleep 1000", tmpdir());
    await until("all to run", async () => (await processesWith(tag)).length >= 3);
    await endLeftovers(dataDir(), 0.2);
    expect(await processesWith(tag)).to.deep.equal([stranger.pid]);
    stranger.kill("SIGKILL");
    leave("trap '' TERM; while :; do setsid sleep 1000 & sleep 0.01; done");
    await until("some to run", async () => (await processesWith(tag)).length >= 3);
    await endLeftovers(dataDir(), 0.05);
    expect(await processesWith(tag)).to.deep.equal([]);
  });
});

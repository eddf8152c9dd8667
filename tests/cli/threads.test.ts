import { expect } from "chai";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { appendFile, lstat, readFile, rename, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { CommandFailure } from "../../cli/failure";
import { copyThreads, exportThreads, listThreads } from "../../cli/threads/commands";
import type { RunningAgentServer } from "../../local/agentserver";
import { recordOf } from "../../shared/records";
import { ai, human, said, subjectAt } from "../contract/threads/subject";
import { startBuiltIn } from "../local/agentserver/support";
import { useFolder } from "../local/children";
import { json } from "../support/http";
import { killCopy } from "../support/killed-copy";
import { startRelay } from "../support/relay";
import { reasonOf, rejection } from "../support/rejection";
import { describeLong } from "../support/tiers";
import { testTerminal } from "./terminal";

const CLI = join(__dirname, "../../cli/main.js");

describe("the command threads", () => {
  const folder = useFolder();
  const servers: RunningAgentServer[] = [];

  async function start(options: { apiKey?: string } = {}) {
    const server = await startBuiltIn(folder(`${servers.length}.db`), options);
    servers.push(server);
    return subjectAt("built-in", () => server.url);
  }
  type Subject = Awaited<ReturnType<typeof start>>;

  const converse = ({ threads }: Subject, customer: string) =>
    threads.create({
      metadata: { graph_id: "agent", customer },
      supersteps: [
        { updates: [{ as_node: "__input__", values: {} }] },
        { updates: [{ as_node: "__start__", values: { messages: [human("one")], log: ["a"] } }] },
        said("agent", { ...ai("two"), id: "m", usage_metadata: { input_tokens: 7 } }),
        { updates: [{ as_node: "agent", values: { log: ["a", "b"] } }] },
        said("agent", { type: "remove", content: "", id: "m" }, ai("three")),
        said("agent", ai("four")),
      ],
    });
  const options = (from: Subject | string, to: Subject | string) => ({
    from: typeof from === "string" ? from : from.url,
    to: typeof to === "string" ? to : to.url,
    unfinished: false,
    dryRun: false,
    json: false,
  });
  /** The lines that a copy prints, and the error that it ends with. */
  async function copy(from: Subject | string, to: Subject | string, more: object = {}) {
    const terminal = testTerminal();
    const error = await copyThreads({ ...options(from, to), ...more }, terminal).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (error !== undefined) expect(error).to.be.instanceOf(CommandFailure);
    return { lines: terminal.lines(), failed: error !== undefined };
  }
  /** The file of an export, and the lines that it prints. */
  async function exported(of: Subject | string, name = "threads.jsonl") {
    const terminal = testTerminal();
    const file = folder(name);
    await exportThreads({ ...options(of, ""), to: undefined, file }, terminal);
    return { file, lines: terminal.lines() };
  }
  const all = ({ threads }: Subject) => threads.search({ limit: 1000, sort_order: "asc" });

  let from: Subject;
  let to: Subject;
  beforeEach(async () => ([from, to] = [await start(), await start()]));
  afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

  it("copies a thread under its id, with its metadata and each state of its history, and none twice", async () => {
    const { thread_id: id } = await converse(from, "42");
    const empty = await from.threads.create({ metadata: { customer: "43" } });
    expect(await copy(from, to)).to.deep.equal({ lines: ["copied 2"], failed: false });
    const [olds, news] = await Promise.all(
      [from, to].map(({ threads }) => threads.history(id, { limit: 100 })),
    );
    const shown = (states: typeof olds = []) =>
      states.map(({ values, next, metadata }) => ({
        values,
        next,
        writes: Object.keys(recordOf(metadata["writes"])),
      }));
    expect(shown(news)).to.deep.equal(shown(olds));
    expect((await to.threads.get(id)).metadata).to.deep.include({
      customer: "42",
      pulumi_copy_of: id,
    });
    expect((await to.threads.get(empty.thread_id)).metadata).to.include({ customer: "43" });
    expect((await copy(from, to)).lines).to.deep.equal(["present 2"]);
    expect(await all(to)).to.have.length(2);
  });

  it("filters, lists, and changes nothing in a dry run", async () => {
    const [one, two] = [await converse(from, "42"), await converse(from, "43")];
    const metadata = { customer: "42" };
    expect((await copy(from, to, { dryRun: true })).lines).to.deep.equal(["would be: copied 2"]);
    expect(await all(to)).to.deep.equal([]);
    expect((await copy(from, to, { metadata })).lines).to.deep.equal(["copied 1"]);
    const later = { updatedAfter: new Date(Date.now() + 60_000) };
    expect((await copy(from, to, later)).lines).to.deep.equal(["no threads"]);
    const terminal = testTerminal();
    await listThreads({ ...options(from, to), status: "idle" }, terminal);
    expect(terminal.lines()[0]).to.match(/^ID +STATUS +GRAPH +UPDATED$/);
    const [, first, second] = terminal.lines().map((line) => line.replace(/ +\w+$/, ""));
    const shown = [one, two].map(({ thread_id: id }) => `${id}  idle    agent`);
    expect([first, second]).to.deep.equal(shown);
    expect(terminal.lines()).to.have.length(3);
  });

  it("makes a copy again that an interrupted run has left in part", async () => {
    const { thread_id } = await converse(from, "42");
    await to.threads.create({ thread_id, metadata: { pulumi_copy: 1, pulumi_copy_of: thread_id } });
    expect((await copy(from, to)).lines).to.deep.equal(["copied 1"]);
    expect(await to.threads.history(thread_id, { limit: 9 })).to.have.length(6);
  });

  it("copies a copy, also where a run was interrupted before it compared it", async () => {
    const first = await start();
    await converse(first, "42");
    await copy(first, from);
    const front = await startRelay(to.url, ({ url }, response, pass) =>
      pass((body) => (url === "/threads" ? void response.destroy() : body)),
    );
    expect((await copy(from, front.url)).failed).to.equal(true);
    await front.close();
    expect((await copy(from, to)).lines).to.deep.equal(["copied 1"]);
  });

  it("renews a copy whose thread has changed since, unless the copy has changed too", async () => {
    const { thread_id: id } = await converse(from, "42");
    await copy(from, to);
    const say = ({ threads }: Subject, content: string) =>
      threads.updateState(id, { values: { messages: [human(content)] }, as_node: "agent" });
    await say(from, "five");
    const back = await copy(to, from, { dryRun: true });
    expect(back.lines, "of the state before").to.deep.equal(["would be: copied 1"]);
    expect((await copy(from, to)).lines).to.deep.equal(["renewed 1"]);
    expect((await to.threads.state(id)).values.messages?.at(-1)?.content).to.equal("five");
    await say(to, "six");
    expect((await copy(from, to)).lines).to.deep.equal(["present 1"]);
    await say(from, "seven");
    const { lines, failed } = await copy(from, to);
    expect(failed).to.equal(true);
    expect(lines[0]).to.contain("have both changed since; delete one of them");
    expect((await to.threads.state(id)).values.messages?.at(-1)?.content).to.equal("six");
  });

  it("leaves a thread of others that has the id, and copies under another one", async () => {
    const { thread_id } = await converse(from, "42");
    await to.threads.create({ thread_id, metadata: { of: "others" } });
    expect((await copy(from, to)).lines).to.deep.equal(["copied 1"]);
    expect((await copy(from, to)).lines).to.deep.equal(["present 1"]);
    expect((await to.threads.get(thread_id)).metadata).to.deep.equal({ of: "others" });
    const [copied, ...more] = await to.threads.search({ metadata: { pulumi_copy_of: thread_id } });
    expect(copied?.metadata["customer"]).to.equal("42");
    expect(more).to.deep.equal([]);
  });

  it("leaves a copy that another run has made meanwhile", async () => {
    const { thread_id: id } = await converse(from, "42");
    await copy(from, to);
    const late = await startRelay(to.url, ({ url }, response, pass) =>
      url === "/threads/search" ? json(response, 200, []) : pass(),
    );
    expect((await copy(from, late.url)).failed).to.equal(true);
    await late.close();
    expect((await all(to))?.map(({ thread_id }) => thread_id)).to.deep.equal([id]);
  });

  it("copies what was said there back, and what came back not there again", async () => {
    const [blue, green] = [await start(), await start()];
    const { thread_id: id } = await converse(blue, "42");
    await copy(blue, green);
    expect((await copy(green, blue)).lines, "unchanged").to.deep.equal(["present 1"]);
    const more = { values: { messages: [human("five")] }, as_node: "agent" };
    await green.threads.updateState(id, more);
    expect((await copy(green, blue)).lines).to.deep.equal(["copied 1"]);
    expect((await copy(blue, green)).lines).to.deep.equal(["present 2"]);
    const [back] = (await all(blue))?.filter(({ thread_id }) => thread_id !== id) ?? [];
    await blue.threads.updateState(back?.thread_id ?? "", more);
    expect((await copy(blue, green)).lines, "changed").to.deep.equal(["present 1, copied 1"]);
  });

  it("fails for a copy that differs, names the member, and leaves nothing of it", async () => {
    const { thread_id: id } = await converse(from, "42");
    // A key that all objects have is one like others.
    await from.threads.updateState(id, { values: { constructor: 7 }, as_node: "agent" });
    const front = await startRelay(to.url, ({ method, url }, _response, pass) =>
      method === "GET" && url.endsWith("/state")
        ? pass((body) => ({
            ...recordOf(body),
            values: { ...recordOf(recordOf(body)["values"]), constructor: 8 },
          }))
        : pass(),
    );
    const { lines, failed } = await copy(from, front.url);
    await front.close();
    expect(failed).to.equal(true);
    expect(lines[0]).to.match(/^failed \S+: the copy differs in constructor, and was removed$/);
    expect(await all(to)).to.deep.equal([]);
  });

  it("says of a thread with unfinished tasks what its copy lacks, from an export too, and copies it only if it is asked to", async () => {
    const { thread_id: id } = await converse(from, "42");
    const tasks = '"tasks":[{"interrupts":[{}]}]';
    const as = (status: string) =>
      startRelay(from.url, (_request, _response, pass) =>
        pass((body) => {
          const text = JSON.stringify(body).replaceAll('"idle"', `"${status}"`);
          return JSON.parse(text.replaceAll('"tasks":[]', tasks));
        }),
      );
    const waiting = await as("interrupted");
    expect((await copy(waiting.url, to)).lines[0]).to.contain(
      `unfinished ${id}: it is interrupted`,
    );
    await waiting.close();
    const busy = await as("busy");
    const lacks = `${id}: it is busy, and no copy has its unfinished tasks`;
    const left = { lines: [`unfinished ${lacks}`, "unfinished 1"], failed: false };
    expect(await copy(busy.url, to)).to.deep.equal(left);
    const { file, lines: printed } = await exported(busy.url);
    await busy.close();
    expect(printed).to.deep.equal([`exported ${lacks}`, "exported 1"]);
    const imported = { from: undefined, file };
    expect(await copy("", to, imported)).to.deep.equal(left);
    const { lines } = await copy("", to, { ...imported, unfinished: true });
    expect(lines).to.deep.equal([`copied ${lacks}`, "copied 1"]);
  });

  it("names a number that may be rounded, which the comparison of a copy can't see", async () => {
    const metadata = { guild: [0, { id: Number("1234567890123456789") }] };
    const { thread_id: id } = await from.threads.create({ metadata });
    const rounded = `${id}: metadata.guild[1].id may be rounded: it is a number beyond 2^53`;
    expect((await exported(from)).lines).to.deep.equal([`exported ${rounded}`, "exported 1"]);
    expect((await copy(from, to)).lines).to.deep.equal([`copied ${rounded}`, "copied 1"]);
  });

  it("exports a line for each thread, which only its owner may read, and imports it", async () => {
    const { thread_id: id } = await converse(from, "42");
    // Longer than what is read at once, of what some versions of Node take for the end of a line.
    await converse(from, "\u2028".repeat(50_000));
    for (const name of ["threads.jsonl", "threads.jsonl.gz"]) {
      const file = folder(name);
      // What others have put in its way is not written to.
      await writeFile(folder("theirs"), "");
      await symlink("theirs", `${file}.part`);
      await exported(from, name);
      expect((await lstat(file)).mode & 0o777).to.equal(0o600);
      expect((await stat(folder("theirs"))).size).to.equal(0);
      const bytes = await readFile(file);
      const [first, , end] = String(name.endsWith(".gz") ? gunzipSync(bytes) : bytes).split("\n");
      expect(JSON.parse(first ?? "")).to.deep.include({ version: 1, thread_id: id });
      expect(end).to.equal("");
      expect((await copy(from, to, { from: undefined, file })).lines).to.deep.equal([
        name.endsWith(".gz") ? "present 2" : "copied 2",
      ]);
    }
    const original = (await from.threads.state(id)).values;
    expect((await to.threads.state(id)).values).to.deep.equal(original);
    // A failure leaves what an earlier export has written, and nothing of its own.
    const locked = await start({ apiKey: "k" });
    await rejection(exported(locked));
    expect((await stat(folder("threads.jsonl"))).size).to.be.above(0);
    expect(existsSync(folder("threads.jsonl.part"))).to.equal(false);
    await writeFile(folder("bad.jsonl"), '{"version":2}\n');
    for (const [name, words] of [
      ["bad.jsonl", "bad.jsonl, line 1: not a thread of an export of version 1"],
      ["none.jsonl.gz", "none.jsonl.gz: ENOENT"],
    ] as const) {
      const given = { ...options("", to), from: undefined, file: folder(name) };
      expect(await reasonOf(copyThreads(given, testTerminal()))).to.contain(words);
    }
  });

  it("exports to standard output, which has nothing else then, and imports from standard input", async () => {
    await converse(from, "42");
    await converse(from, "43");
    const command = (words: string) => `"${process.execPath}" "${CLI}" threads ${words}`;
    const piped = `${command(`export - --json --from ${from.url}`)} | ${command(`import - --to ${to.url}`)}`;
    const { stdout, stderr } = await promisify(execFile)("/bin/sh", ["-c", piped]);
    expect(stdout).to.equal("copied 2\n");
    expect(stderr).to.match(/^(.*"outcome":"exported".*\n){2}.*"counts":\{"exported":2\}.*\n$/);
    const wrong = command(`import - --to ${to.url}`);
    const failed = await rejection(promisify(execFile)("/bin/sh", ["-c", `echo {} | ${wrong}`]));
    expect(failed.message).to.contain("error: standard input, line 1: not a thread of an export");
  });

  it("says what became of each thread before it names the line of a file that is none", async () => {
    await converse(from, "42");
    await converse(from, "43");
    const { file } = await exported(from);
    await appendFile(file, "{");
    const shown: string[] = [];
    const terminal = { ...testTerminal(), progress: (text: string) => void shown.push(text) };
    const failed = copyThreads({ ...options("", to), from: undefined, file }, terminal);
    expect(await reasonOf(failed)).to.contain("line 3: not a thread of an export");
    expect(shown).to.deep.equal(["copied 1", "copied 2", ""]);
  });

  it("puts no export in the place of a folder, a device or a link, and reads nothing for it", async () => {
    const file = folder("link.jsonl");
    await symlink("/dev/null", file);
    for (const name of [".", "link.jsonl"]) {
      const { message } = await rejection(exported("http://127.0.0.1:1", name));
      const reason = "it is no file, and would be replaced by one";
      expect(message).to.equal(`cannot write ${folder(name)}: ${reason}`);
    }
    expect((await lstat(file)).isSymbolicLink()).to.equal(true);
  });

  it("fails to export to a file to which another export has begun since, and leaves the file to that one", async () => {
    await converse(from, "42");
    const file = folder("threads.jsonl");
    const front = await startRelay(from.url, async ({ url }, _response, pass) => {
      if (url.endsWith("/history")) await writeFile(`${file}.new`, "theirs");
      if (url.endsWith("/history")) await rename(`${file}.new`, `${file}.part`);
      await pass();
    });
    const failed = await rejection(exported(front.url));
    await front.close();
    expect(failed.message).to.contain("threads.jsonl: another export to it has begun since");
    expect(await readFile(`${file}.part`, "utf8")).to.equal("theirs");
    expect(existsSync(file)).to.equal(false);
  });

  for (const [what, idOf] of [
    ["returns states for ever", (at: number) => `${at}`],
    ["returns the same states again and again", () => "same"],
  ] as const)
    it(`fails for a thread whose server ${what}, and goes on with the next`, async () => {
      const [first, second] = [await converse(from, "42"), await converse(from, "43")];
      let at = 0;
      const states = () =>
        Array.from({ length: 20_000 }, () => ({ checkpoint: { checkpoint_id: idOf(at++) } }));
      const front = await startRelay(from.url, ({ url }, _response, pass) =>
        pass(url === `/threads/${first.thread_id}/history` ? states : undefined),
      );
      const terminal = testTerminal();
      const file = folder("threads.jsonl");
      const toFile = { ...options(front.url, ""), to: undefined, file };
      const { message } = await rejection(exportThreads(toFile, terminal));
      await front.close();
      expect(message).to.equal("1 of the threads failed; fix the causes and export again");
      expect(terminal.lines()[0]).to.contain(`thread '${first.thread_id}' has no end; this is an`);
      expect(await readFile(file, "utf8")).to.contain(second.thread_id);
    });

  it("fails for a thread whose state is no object, of which a copy or an export would have nothing", async () => {
    const { thread_id } = await converse(from, "42");
    const front = await startRelay(from.url, ({ url }, _response, pass) => {
      const asList = (state: unknown) => ({ ...recordOf(state), values: [human("one")] });
      if (url.endsWith("/history"))
        return pass((states) => (Array.isArray(states) ? states.map(asList) : states));
      return pass(url.endsWith("/state") ? asList : undefined);
    });
    const terminal = testTerminal();
    const toFile = { ...options(front.url, ""), to: undefined, file: folder("threads.jsonl") };
    await exportThreads(toFile, terminal).catch(() => undefined);
    const { lines, failed } = await copy(front.url, to);
    await front.close();
    for (const [line] of [terminal.lines(), lines])
      expect(line).to.match(new RegExp(`^failed ${thread_id}: .*expected object, received array`));
    expect(failed).to.equal(true);
    expect(await all(to)).to.be.empty;
  });

  it("makes no copy where the original itself is, under whatever URL, also from an export", async () => {
    await converse(from, "Ada");
    expect(await copy(from, `${from.url}/`)).to.deep.equal({ lines: ["present 1"], failed: false });
    const { file } = await exported(from);
    expect((await copy("", from, { from: undefined, file })).lines).to.deep.equal(["present 1"]);
    expect(await all(from)).to.have.length(1);
  });

  it("takes a key for each server from the environment, and says so without", async () => {
    [from, to] = [await start({ apiKey: "old" }), await start({ apiKey: "new" })];
    const refused = await rejection(copyThreads(options(from, to), testTerminal()));
    expect(refused.message).to.contain("set AGENTSERVER_AGENT_API_KEY");
    const keys = { AGENTSERVER_FROM_API_KEY: "old", AGENTSERVER_TO_API_KEY: "new" };
    Object.assign(process.env, keys, { AGENTSERVER_AGENT_API_KEY: "of neither" });
    try {
      expect((await copy(from, to)).lines).to.deep.equal(["no threads"]);
    } finally {
      for (const side of ["FROM", "TO", "AGENT"]) delete process.env[`AGENTSERVER_${side}_API_KEY`];
    }
  });

  describeLong("after a kill at any of its requests", () => {
    for (let point = 1; point <= 20; point += 1)
      it(`copies the rest, and none twice: request ${point}`, async () => {
        for (const customer of ["1", "2", "3", "4", "5", "6", "7"]) await converse(from, customer);
        expect(await killCopy(from.url, to.url, point)).to.equal(true);
        expect((await copy(from, to)).failed).to.equal(false);
        const histories = async (of: Subject) => {
          const ids = (await all(of)).map(({ thread_id }) => thread_id).toSorted();
          const read = ids.map((id) => of.threads.history(id, { limit: 9 }));
          const values = (await Promise.all(read)).map((states) => states.map((one) => one.values));
          return { ids, values };
        };
        expect(await histories(to)).to.deep.equal(await histories(from));
      });
  });
});

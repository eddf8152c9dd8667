import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rm, writeFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { expect } from "chai";
import { z } from "zod";
import { openThreadDatabase } from "../../../local/agentserver/database";
import { Database } from "../../../local/sqlite/database";
import { sendJson } from "../../support/http";
import { useFolder } from "../children";

const MAIN = require.resolve("../../../local/agentserver/main");
const Line = z.object({
  event: z.string(),
  level: z.string().optional(),
  port: z.int().optional(),
});
const Created = z.object({ thread_id: z.string() });

describe("agent server: its process", () => {
  const folder = useFolder();
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
  });

  async function launch(argument: string, environment: NodeJS.ProcessEnv = {}) {
    const child = spawn(process.execPath, [MAIN, argument], {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, ...environment },
    });
    children.push(child);
    const exit = once(child, "exit");
    const [text]: unknown[] = await once(createInterface(child.stdout), "line");
    const line = Line.parse(JSON.parse(String(text)));
    return { child, exit, line, url: `http://127.0.0.1:${line.port}` };
  }

  const settings = (changes: object = {}) =>
    JSON.stringify({
      database: folder("threads.db"),
      graphs: ["agent"],
      variables: ["NAME"],
      commit: "abc",
      ...changes,
    });

  it("keeps every thread that it has acknowledged when it is killed", async () => {
    const first = await launch(settings());
    const ids: string[] = [];
    for (let count = 0; count < 20; count++) {
      const { body } = await sendJson(`${first.url}/threads`, "POST", { metadata: { count } });
      ids.push(Created.parse(body).thread_id);
    }
    first.child.kill("SIGKILL");
    await first.exit;
    const second = await launch(settings());
    for (const [count, id] of ids.entries()) {
      const { body } = await sendJson(`${second.url}/threads/${id}`, "GET");
      expect(body).to.deep.include({ metadata: { count } });
    }
  });

  it("shares its file with others that start and write at the same time, and creates one thread of an id", async () => {
    const servers = await Promise.all([1, 2, 3].map(() => launch(settings())));
    const thread_id = "11111111-1111-4111-8111-111111111111";
    const create = async ({ url }: { url: string }, body: object) =>
      (await sendJson(`${url}/threads`, "POST", body)).status;
    const answers = servers.flatMap((server) => [
      ...Array.from({ length: 9 }, () => create(server, {})),
      create(server, { thread_id }),
    ]);
    const statuses = (await Promise.all(answers)).toSorted((a, b) => a - b);
    expect(statuses).to.deep.equal([...Array.from({ length: 28 }, () => 200), 409, 409]);
    for (const { url } of servers)
      expect((await sendJson(`${url}/threads/count`, "POST", {})).body).to.equal(28);
  });

  it("lets running requests finish after SIGTERM, refuses new connections and exits with 0", async () => {
    const { child, exit, line, url } = await launch(settings());
    const begun = connect(line.port ?? 0, "127.0.0.1");
    begun.write("GET /ok HTTP/1.1\r\n");
    await once(begun, "connect");
    const running = connect(line.port ?? 0, "127.0.0.1");
    running.write(
      "POST /threads HTTP/1.1\r\nHost: x\r\nContent-Length: 15\r\nExpect: 100-continue\r\n\r\n",
    );
    await once(running, "data");
    child.kill("SIGTERM");
    await refused(url);
    begun.write("Host: x\r\n\r\n");
    expect(await answerOn(begun)).to.match(/^HTTP\/1.1 200 OK[^]*connection: close/i);
    running.write('{"metadata":{}}');
    expect(await answerOn(running)).to.match(/^HTTP\/1.1 200 OK/);
    expect(await exit).to.deep.equal([0, null]);
  });

  it("exits with 0 on SIGINT with idle connections open, and with 1 and the reason where it can't start", async () => {
    const running = await launch(settings());
    await sendJson(`${running.url}/ok`, "GET");
    for (const [argument, reason, key] of [
      ["", /start agent server: /],
      [settings({ apiKey: "k" }), /Unrecognized key: "apiKey"/],
      [settings({ port: running.line.port }), /^Error: start agent server: .*EADDRINUSE/],
      // With it the server would be open to all.
      [settings(), /BUILT_IN_SERVER_API_KEY is empty/, ""],
    ] as const) {
      const environment = key === undefined ? {} : { BUILT_IN_SERVER_API_KEY: key };
      const { exit, line } = await launch(argument, environment);
      expect(line).to.have.property("level", "error");
      expect(line.event).to.match(reason);
      expect(await exit).to.deep.equal([1, null]);
    }
    running.child.kill("SIGINT");
    expect(await running.exit).to.deep.equal([0, null]);
  });

  it("says why it can't open the file of its threads", async () => {
    const path = folder("threads.db");
    const open = (at = path) => openThreadDatabase(at).close();
    const below = folder("no", "threads.db");
    expect(() => open(below)).to.throw(/open thread database '.*threads\.db': ENOENT/);
    await writeFile(path, "x".repeat(5_000));
    expect(open).to.throw(/open thread database .*file is not a database/);
    await rm(path);
    new Database(path, { access: "shared", schema: "CREATE TABLE threads (id)" }).close();
    expect(open).to.throw(/threads\.db': another release .* remove this file .*local reset/);
  });
});

async function answerOn(socket: Socket): Promise<string> {
  const [bytes]: unknown[] = await once(socket, "data");
  return String(bytes);
}

/** Waits until nothing listens there; the test's own time limit is the deadline. */
async function refused(url: string): Promise<void> {
  try {
    for (;;) await sendJson(`${url}/ok`, "GET", undefined, { connection: "close" });
  } catch {
    return;
  }
}

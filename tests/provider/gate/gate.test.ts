import { expect } from "chai";
import { gateFailure, gateIn } from "../../../provider/gate/gate";
import { AgentServer } from "../../../sdk";
import { useAgentServer } from "../../local/agentserver/support";
import { anOperation } from "../../support/operation";
import { answer, question, type RunServer, startRunServer } from "../../support/runs";

const LEFT = "5f0c1f9e-0c5b-4c3a-9d57-1a2b3c4d5e61";
const OTHER = "5f0c1f9e-0c5b-4c3a-9d57-1a2b3c4d5e62";
const LATER = "5f0c1f9e-0c5b-4c3a-9d57-1a2b3c4d5e63";
/** The ids of what two gates are about. */
const OWN = "0b6f4c1a-9f0e-4d53-8a51-2c3d4e5f6a71";
const ANOTHER = "0b6f4c1a-9f0e-4d53-8a51-2c3d4e5f6a72";
const FOREVER = new Promise(() => undefined);

const run = (text: string, contains: string) => ({ input: question(text), expect: { contains } });

/** The verdict of a gate on the server at `url`. */
function ask(
  url: string,
  declared: Readonly<Record<string, unknown>>,
  options: {
    readonly signal?: AbortSignal;
    readonly secret?: string;
    readonly secondsLeft?: number;
  } = {},
) {
  const { secret = "no secret", signal, secondsLeft = Infinity } = options;
  const operation = anOperation(url);
  const deadline = operation.clock.now() + secondsLeft * 1000;
  const gate = gateIn(declared) ?? expect.fail("no gate is declared");
  const redacted = (text: string) => text.replaceAll(secret, "[redacted]");
  const server = new AgentServer({ url, clock: operation.clock });
  const about = { owner: OWN, server, gate, assistantId: "agent", redacted };
  return gateFailure(about, { ...operation, signal, deadline });
}

describe("a gate", () => {
  let server: RunServer;
  afterEach(() => server.close());

  it("asks each run on a thread of its own, five at a time, and leaves no thread behind", async () => {
    let arrived = 0;
    let open: () => void = () => undefined;
    const five = new Promise<void>((resolve) => (open = resolve));
    server = await startRunServer(async (text) => {
      if (++arrived === 5) open();
      await five;
      return answer(`yes, ${text}`);
    });
    const runs = Array.from({ length: 12 }, (_, at) => run(`question ${at}`, `question ${at}`));
    expect(await ask(server.url, { runs })).to.equal(undefined);
    expect(server.mostAtOnce()).to.equal(5);
    const asked = server.received.filter(({ url }) => url.endsWith("/runs/wait"));
    expect(new Set(asked.map(({ url }) => url))).to.have.property("size", 12);
    expect(server.threads).to.have.property("size", 0);
    expect(server.received.some(({ url }) => url.includes("/cancel"))).to.equal(false);
  });

  it("names each run that failed, what was expected, the beginning of what came without secrets, and all scores", async () => {
    server = await startRunServer((text) => answer(text.repeat(50)));
    const runs = [run("yes ", "yes"), run("CANARY ", "no"), run("maybe ", "no")];
    const failure = await ask(server.url, { runs }, { secret: "CANARY" });
    expect(failure).to.have.length(3);
    expect(failure?.[0]).to.equal(
      "1 of 3 runs passed, and at least 90 % must (passed: 1; failed: 2, 3)",
    );
    expect(failure?.[1]).to.match(
      /^run 2: input \{"messages".*\}; expected an answer that contains "no"; got: (\[redacted\] )+.{0,11} … \(\d+ more characters\)$/,
    );
    expect(failure?.[2]).to.contain("got: maybe maybe");
    expect(failure?.join()).not.to.contain("CANARY");
  });

  it("passes with the share that it asks for, and fails below it", async () => {
    server = await startRunServer(answer);
    const runs = [...Array.from({ length: 9 }, () => run("a", "a")), run("b", "a")];
    expect(await ask(server.url, { runs, atLeast: 0.9 })).to.equal(undefined);
    expect((await ask(server.url, { runs, atLeast: 0.91 }))?.[0]).to.contain(
      "9 of 10 runs passed, and at least 91 %",
    );
  });

  it("cancels a run that is late by its handle, and deletes its thread", async () => {
    server = await startRunServer((text) => (text === "think" ? FOREVER : answer(text)));
    const runs = [run("think", "a"), run("a", "a")];
    const failure = await ask(server.url, { runs, timeoutSeconds: 1 });
    expect(failure?.[1]).to.contain("got: no answer within 1 s");
    expect(server.cancelled).to.have.length(1);
    expect(server.threads).to.have.property("size", 0);
  });

  it("gives its runs no more time than the operation has left, and no more than they are declared", async () => {
    server = await startRunServer(() => FOREVER);
    for (const [timeoutSeconds, secondsLeft, limit] of [
      [60, 0.4, 0.4],
      [0.3, 60, 0.3],
      [60, -1, 0],
    ] as const) {
      const declared = { runs: [run("a", "a")], timeoutSeconds };
      const failure = await ask(server.url, declared, { secondsLeft });
      expect(failure?.[1]).to.contain(`got: no answer within ${limit} s`);
    }
  }).timeout(20_000);

  it("takes a run that the server refuses for one that failed", async () => {
    server = await startRunServer(() => ({ __error__: { error: "ValueError", message: "boom" } }));
    const { url } = server;
    const answered = async () => (await ask(url, { runs: [run("a", "a")] }))?.[1];
    expect(await answered()).to.contain("the run failed: ValueError: boom");
    await server.close();
    expect(await answered()).to.contain("no connection to");
    server = await startRunServer(answer);
  });

  it("is not passed by a program that is cancelled, which cancels its runs", async () => {
    const cancel = new AbortController();
    server = await startRunServer(() => {
      cancel.abort();
      return FOREVER;
    });
    const runs = [run("a", "a"), run("b", "b")];
    const failure = await ask(server.url, { runs }, { signal: cancel.signal });
    expect(failure).to.deep.equal(["the run was cancelled"]);
    expect(server.threads).to.have.property("size", 0);
  });

  it("quotes ten of the runs that failed, and says how many more there are", async () => {
    server = await startRunServer(answer);
    const failure = await ask(server.url, {
      runs: Array.from({ length: 12 }, () => run("a", "b")),
    });
    expect(failure).to.have.length(12);
    expect(failure?.[0]).to.equal(
      "0 of 12 runs passed, and at least 90 % must (failed: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)",
    );
    expect(failure?.at(-1)).to.equal("2 more failed");
  });

  it("deletes the threads that killed gates have left, and no later or other ones", async () => {
    server = await startRunServer(answer);
    const { threads } = new AgentServer({ url: server.url });
    const mark = { created_by: "pulumi-agentserver gate" };
    server.clock.now = "2025-12-29T00:00:00.000Z";
    await threads.create({ thread_id: LEFT, metadata: mark });
    await threads.create({ thread_id: OTHER, metadata: {} });
    server.clock.now = "2025-12-31T00:00:00.000Z";
    await threads.create({ thread_id: LATER, metadata: mark });
    expect(await ask(server.url, { runs: [run("a", "a")] })).to.equal(undefined);
    expect([...server.threads.keys()]).to.have.members([OTHER, LATER]);
  });

  it("deletes before its runs the threads that a killed gate of the same resource has left, and none of another", async () => {
    server = await startRunServer((text) => answer(`${text}, ${server.threads.size} thread`));
    const { threads } = new AgentServer({ url: server.url });
    const created_by = "pulumi-agentserver gate";
    await threads.create({ thread_id: LEFT, metadata: { created_by, pulumi_gate: OWN } });
    await threads.create({ thread_id: OTHER, metadata: { created_by, pulumi_gate: ANOTHER } });
    expect(await ask(server.url, { runs: [run("a", "a, 2 thread")] })).to.equal(undefined);
    expect([...server.threads.keys()]).to.deep.equal([OTHER]);
    const created = server.received.filter(({ url }) => url === "/threads").at(-1);
    expect(JSON.parse(created?.body ?? "")).to.have.nested.property("metadata.pulumi_gate", OWN);
  });

  it("without valid runs fails, since it asked nothing", async () => {
    server = await startRunServer(answer);
    expect(await ask(server.url, { runs: [{ input: "text" }] })).to.deep.equal([
      "0 of 0 runs passed, and at least 90 % must",
    ]);
  });
});

describe("a gate of the built-in server", () => {
  const builtIn = useAgentServer();

  it("is refused in words, before anything is asked", async () => {
    const url = `http://127.0.0.1:${builtIn.port()}`;
    const failure = await ask(url, { runs: [run("a", "a")] });
    expect(failure?.[0]).to.match(/^the agent server has no runs, since the built-in server/);
    expect(await new AgentServer({ url }).threads.count()).to.equal(0);
  });
});

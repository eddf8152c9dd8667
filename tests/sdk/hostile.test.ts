import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { expect } from "chai";
import * as sdk from "pulumi-agentserver/sdk";
import { aClock, aDeployment, aRevision } from "../support/builders";
import { always, json, portOf, useServers } from "../support/http";
import { rejection } from "../support/rejection";

const KEYS = { apiKey: "key", workspaceId: "w" };
const ID = "11111111-1111-4111-8111-111111111111";

describe("the client against a hostile server", () => {
  const serve = useServers();
  const sockets = new Set<Socket>();
  let raw: Server | undefined;

  afterEach(() => {
    sockets.forEach((socket) => socket.destroy());
    sockets.clear();
    raw?.close();
  });

  const clientOf = (baseUrl: string, requestTimeoutSeconds = 30) =>
    new sdk.ControlPlane({ ...KEYS, baseUrl, requestTimeoutSeconds, clock: aClock() });
  /** A server that writes these bytes to whoever connects, then does what `next` says. */
  const serveBytes = async (bytes: string, next: (socket: Socket) => void) => {
    raw = createServer((socket) => {
      sockets.add(socket);
      socket
        .on("error", () => undefined)
        .once("data", () => {
          socket.write(bytes);
          next(socket);
        });
    }).listen(0, "127.0.0.1");
    await once(raw, "listening");
    return `http://127.0.0.1:${portOf(raw.address())}`;
  };
  const { signal } = new AbortController();
  /** The error of a request that is never repeated. */
  const answerTo = (baseUrl: string, timeoutSeconds?: number) =>
    rejection(clientOf(baseUrl, timeoutSeconds).deployments.update(ID, {}, { signal }));

  it("takes a body that is cut off, and bytes that are not HTTP, for a broken connection", async () => {
    for (const bytes of [
      'HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n{"id": "1',
      "SSH-2.0-OpenSSH_9.2\r\n",
    ]) {
      const url = await serveBytes(bytes, (socket) => socket.end());
      expect(await answerTo(url), bytes).to.be.instanceOf(sdk.ConnectionError);
      raw?.close();
    }
  });

  it("asks again for a body that is cut off in its encoding or not of it, and says which", async () => {
    const ofNothing = "200 with a response that does not match the contract: missing the body";
    for (const [encoding, body, reason] of [
      ["gzip", gzipSync("{}").subarray(0, 10), ofNothing],
      ["gzip", "{}", "a response that is not of its Content-Encoding: incorrect header check"],
      ["br", "{}{}{}", "a response that is not of its Content-Encoding: Decompression failed"],
    ] as const) {
      const server = await serve((_request, response) =>
        response.writeHead(200, { "content-encoding": encoding }).end(body),
      );
      const error = await rejection(clientOf(server.url).deployments.get(ID));
      expect(error).to.be.instanceOf(sdk.InvalidResponseError);
      expect(error.message).to.equal(`get deployment '${ID}': ${reason}`);
      expect(server.received).to.have.length(5);
    }
  });

  it("asks once for JSON that is nested too deeply, which is the same the next time", async () => {
    const server = await serve(always(200, "[".repeat(100_000) + "]".repeat(100_000)));
    const error = await rejection(clientOf(server.url).deployments.get(ID));
    expect(error.message).to.contain("too deeply nested JSON of 200000 characters");
    expect(server.received).to.have.length(1);
  });

  it("reads brackets in strings as text, however many", async () => {
    const values = { text: `"${"[".repeat(1_000)}\\` };
    const { url } = await serve(always(200, { values }));
    expect((await new sdk.AgentServer({ url }).threads.state(ID)).values).to.deep.equal(values);
  });

  it("lets no line of the service's words pass for one of its own", async () => {
    const { url } = await serve(always(409, { detail: "no\r\nerror: forged\nerror: too" }));
    expect((await answerTo(url)).message).to.match(/no\n    error: forged\n    error: too$/);
  });

  it("wants a body where there must be one, and reads none where there must be none", async () => {
    const { url } = await serve(({ method }, response) =>
      method === "DELETE" ? json(response, 200, ["surplus"]) : response.writeHead(204).end(),
    );
    expect(await answerTo(url)).to.be.instanceOf(sdk.InvalidResponseError);
    expect(await clientOf(url).deployments.delete(ID)).to.equal(undefined);
  });

  it("stops reading an answer without end, says so, and asks once", async () => {
    const piece = "x".repeat(1024 * 1024);
    let written = 0;
    const { url, received } = await serve((_request, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(piece)) written += 1;
        written += 1;
      };
      response.on("drain", more);
      more();
    });
    const error = await rejection(new sdk.AgentServer({ url }).threads.state(ID));
    expect(error).to.be.instanceOf(sdk.InvalidResponseError);
    expect(error.message).to.match(/: the response is larger than 32 MiB$/);
    expect(received).to.have.length(1);
    expect(written).to.be.lessThan(128);
  });

  it("ends an answer that drips, at the request's time limit", async () => {
    const url = await serveBytes("HTTP/1.1 200 OK\r\ncontent-length: 99999\r\n\r\n", (socket) => {
      const drip = setInterval(() => socket.write(" "), 5);
      socket.once("close", () => clearInterval(drip));
    });
    expect(await answerTo(url, 0.1)).to.be.instanceOf(sdk.TimeoutError);
  });

  const nested: [string, string][] = [
    ["lists", "[".repeat(5000) + "]".repeat(5000)],
    ["objects", `${'{"source_config":'.repeat(5000)}1${"}".repeat(5000)}`],
    [
      "lists where anything may stand",
      JSON.stringify({
        ...aDeployment(),
        source_config: { resource_spec: { volumes: 0 } },
      }).replace('"volumes":0', `"volumes":${"[".repeat(5000)}${"]".repeat(5000)}`),
    ],
  ];
  for (const [what, text] of nested)
    it(`takes ${what} nested 5,000 deep for no answer, and for one to a request that may have arrived`, async () => {
      const { url } = await serve(always(200, text));
      const error = await answerTo(url);
      expect(error).to.be.instanceOf(sdk.InvalidResponseError);
      expect(error.message).to.contain("too deeply nested");
      expect(sdk.isAmbiguous(error)).to.equal(true);
    });

  it("reads what is nested as deep as an agent's values may be", async () => {
    const { url } = await serve((_request, response) =>
      response
        .writeHead(200)
        .end(`{"values":{"plan":${"[".repeat(400)}${"]".repeat(400)}},"next":[]}`),
    );
    const { values } = await new sdk.AgentServer({ url }).threads.state(ID);
    expect(JSON.stringify(values)).to.have.length(800 + '{"plan":}'.length);
  });

  const times = { created_at: "2026-01-01T00:00:00Z", updated_at: "2026-01-01T00:00:00Z" };
  const many = (length: number, item: object) => Array.from({ length }, () => item);
  const pageOf = (item: object) => ({ resources: many(100, item), offset: 0 });
  const agentAt = (url: string) => new sdk.AgentServer({ url });
  const thread = { ...times, thread_id: ID, status: "idle" };
  const assistant = { ...times, assistant_id: ID, graph_id: "agent", version: 1 };
  const OTHER = "22222222-2222-4222-8222-222222222222";
  const cron = { ...times, cron_id: ID, schedule: "* * * * *", payload: {} };
  const things: [string, object, (url: string, id: string) => Promise<object>][] = [
    ["deployment", aDeployment(), (url, id) => clientOf(url).deployments.get(id)],
    ["revision", { ...aRevision(), id: ID }, (url, id) => clientOf(url).revisions.get(OTHER, id)],
    ["listener", { id: ID, compute_id: "c" }, (url, id) => clientOf(url).listeners.get(id)],
    ["thread", thread, (url, id) => agentAt(url).threads.get(id)],
    ["assistant", assistant, (url, id) => agentAt(url).assistants.get(id)],
    ["cron", cron, (url, id) => agentAt(url).crons.get(id)],
  ];
  for (const [noun, thing, get] of things)
    it(`does not take another ${noun} for the one that is asked for, as a cache may send it`, async () => {
      const { url } = await serve(always(200, thing));
      const error = await rejection(get(url, OTHER));
      expect(error).to.be.instanceOf(sdk.InvalidResponseError);
      expect(error.message).to.contain("id: is that of another");
      expect(Object.values(await get(url, ID.toUpperCase()))).to.include(ID);
    });

  const REVISIONS = () => pageOf(aRevision());
  const VERSIONS = () => many(100, assistant);
  const endless: [string, (url: string) => AsyncIterable<unknown>, (count: number) => unknown][] = [
    ["list deployments", (url) => clientOf(url).deployments.list(), () => pageOf(aDeployment())],
    [`list revisions of deployment '${ID}'`, (url) => clientOf(url).revisions.list(ID), REVISIONS],
    [
      `get build log of revision '${ID}'`,
      (url) => clientOf(url).revisions.logLines(ID, ID, "build"),
      (count) => ({ logs: [{ message: "building" }], next_offset: String(count % 3) }),
    ],
    ["search threads", (url) => agentAt(url).threads.searchAll(), () => many(100, thread)],
    ["search assistants", (url) => agentAt(url).assistants.searchAll(), VERSIONS],
    [
      `list versions of assistant '${ID}'`,
      (url) => agentAt(url).assistants.listVersions(ID),
      VERSIONS,
    ],
  ];
  for (const [action, listAt, answer] of endless)
    it(`ends with an error where the pages repeat for ever: ${action}`, async () => {
      const { url, received } = await serve((_request, response, count) =>
        json(response, 200, answer(count)),
      );
      const walk = async () => {
        for await (const _ of listAt(url)) if (received.length > 10) break;
      };
      const error = await rejection(walk());
      expect(error).to.be.instanceOf(sdk.InvalidResponseError);
      expect(error.message).to.match(
        /^(.*): the list has no end: .*; this is an error of the server, ask its operator$/,
      );
      expect(error.message).to.contain(`${action}: `);
      expect(received).to.have.length.below(5);
    });
});

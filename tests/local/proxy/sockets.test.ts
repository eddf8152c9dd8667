import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { expect } from "chai";
import { WebSocket, WebSocketServer, type ClientOptions } from "ws";
import { ServerUnavailable } from "../../../local/drivers/driver";
import { traffic } from "../../../local/drivers/process/servers/requests";
import { handleRequests } from "../../../local/http/server";
import { until } from "../children";
import { closeNow, inFront, listen } from "../front";

const PREFIX = "/agents/one";

describe("a WebSocket of an agent server", () => {
  const open: Server[] = [];
  let origin: string;
  let front: string;
  /** The server's sides, and the requests for them. */
  let sides: WebSocket[];
  let asked: IncomingMessage[];

  async function listening(server: Server): Promise<string> {
    open.push(server);
    return listen(server);
  }
  /** The platform's side in front of agent servers that are where `find` says. */
  async function inFrontOf(find: () => Promise<string>): Promise<string> {
    const server = createServer();
    const listener = inFront(() => ({ origin: find, prefix: PREFIX }));
    handleRequests(server, listener);
    return listening(server);
  }

  /** An agent server that says hello and answers each message, and the platform's side in front of it. */
  beforeEach(async () => {
    sides = [];
    asked = [];
    const agent = createServer((_, response) =>
      response.writeHead(404, { "content-type": "application/json" }).end('{"detail":"no such"}'),
    );
    const handleProtocols = () => "second";
    const sockets = new WebSocketServer({ noServer: true, autoPong: false, handleProtocols });
    agent.on("upgrade", (request, socket, head) => {
      asked.push(request);
      if (request.url === "/locked") {
        socket.end("HTTP/1.1 403 Forbidden\r\nX-Why: key\r\nContent-Length: 7\r\n\r\nno key!");
        return;
      }
      sockets.handleUpgrade(request, socket, head, (side) => {
        sides.push(side);
        side.send("hello");
        side.on("message", (data, binary) => side.send(data, { binary }));
      });
    });
    origin = await listening(agent);
    front = await inFrontOf(async () => origin);
  });
  afterEach(() => {
    for (const side of sides) side.terminate();
    for (const server of open.splice(0)) closeNow(server);
  });

  /** A client, with what it has received. */
  async function connected(path = "/ws", protocols: string[] = [], options: ClientOptions = {}) {
    const client = new WebSocket(front.replace("http", "ws") + PREFIX + path, protocols, options);
    const received: (string | Buffer)[] = [];
    client.on("message", (data: Buffer, isBinary) =>
      received.push(isBinary ? data : data.toString()),
    );
    const closed = once(client, "close").then(([code, reason]) => [code, String(reason)]);
    await once(client, "open");
    return { client, received, closed };
  }
  /** What is answered to a client that gets no socket. */
  async function refused(path = "/ws", options: ClientOptions = {}) {
    const client = new WebSocket(front.replace("http", "ws") + PREFIX + path, options);
    client.on("error", () => {});
    const response = await new Promise<IncomingMessage>((resolve) =>
      client.once("unexpected-response", (_, answer) => resolve(answer)),
    );
    const { statusCode: status, headers } = response;
    return { status, headers, body: await text(response) };
  }

  const untilOver = () => until("all to be over", () => traffic.count(origin) === 0);

  it("carries texts, bytes and pings both ways, from its first message on, and no pong but the other side's", async () => {
    const { client, received } = await connected();
    client.send("é");
    client.send(Buffer.from([0, 255]));
    client.send("x".repeat(1_000_000));
    await until("the answers", () => received.length === 4);
    expect(received.slice(0, 3)).to.deep.equal(["hello", "é", Buffer.from([0, 255])]);
    expect(received[3]).to.have.length(1_000_000);
    const [side] = sides;
    side?.once("ping", (data) => side.pong(`yes, ${String(data)}`));
    client.ping("there?");
    expect(String((await once(client, "pong"))[0])).to.equal("yes, there?");
  });

  it("is asked for with the path below the prefix, the headers of a request and the protocols", async () => {
    const headers = { Cookie: "a=1; agentserver_page_8124=secret", "X-Mine": "1", Origin: front };
    const { client } = await connected("/threads/a%20b/ws?x=1", ["first", "second"], { headers });
    expect(client.protocol).to.equal("second");
    expect(asked[0]?.url).to.equal("/threads/a%20b/ws?x=1");
    const own = { cookie: "a=1", origin: front, "x-mine": "1" };
    const added = { host: new URL(front).host, "x-forwarded-prefix": PREFIX };
    const protocols = { "sec-websocket-protocol": "first,second" };
    expect(asked[0]?.headers).to.include({ ...own, ...added, ...protocols });
  });

  it("is closed with the code and the reason of the side that closes it, and breaks off when the other side does", async () => {
    const one = await connected();
    sides[0]?.close(4001, "done");
    expect(await one.closed).to.deep.equal([4001, "done"]);
    for (const [code, reason] of [[3000, "bye"], []] as const) {
      const { client } = await connected();
      const side = sides.at(-1);
      const closed = side && once(side, "close");
      client.close(code, reason);
      expect((await closed)?.map(String)).to.deep.equal([String(code ?? 1005), reason ?? ""]);
    }
    await untilOver();
    const three = await connected();
    sides.at(-1)?.terminate();
    expect(await three.closed).to.deep.equal([1006, ""]);
    const two = await connected();
    const side = sides.at(-1);
    two.client.terminate();
    expect((await once(side ?? two.client, "close"))[0]).to.equal(1006);
    await untilOver();
  });

  it("is closed with 1012 and the reason when its server is drained, and counts as a request until then", async () => {
    const { closed } = await connected();
    const [side] = sides;
    const sideClosed = side && once(side, "close");
    expect(traffic.count(origin)).to.equal(1);
    const lines: string[] = [];
    const log = (line: string) => void lines.push(line);
    await traffic.drain(origin, { limitSeconds: 0, signal: new AbortController().signal, log });
    const ending = [1012, "the server is shutting down"];
    expect(await closed).to.deep.equal(ending);
    expect((await sideClosed)?.map(String)).to.deep.equal(ending.map(String));
    expect(lines).to.deep.equal(["requests aborted after 0 s: 1"]);
    await untilOver();
  });

  it("is refused below /internal, where the agent server is not asked, and in that one's own words", async () => {
    expect((await refused("/%69nternal/ws")).status).to.equal(404);
    expect(asked).to.deep.equal([]);
    const { status, headers, body } = await refused("/locked");
    expect([status, headers["x-why"], body]).to.deep.equal([403, "key", "no key!"]);
    await untilOver();
  });

  it("is refused with 503 when the server cannot answer, and 502 when it breaks off", async () => {
    const none = () => Promise.reject(new ServerUnavailable("it pauses", { retryAfterSeconds: 7 }));
    const before = front;
    front = await inFrontOf(none);
    const { status, headers, body } = await refused();
    expect([status, headers["retry-after"]]).to.deep.equal([503, "7"]);
    expect(JSON.parse(body)).to.deep.equal({ detail: "it pauses" });
    front = before;
    open[0]?.removeAllListeners("upgrade").on("upgrade", (_, socket) => socket.destroy());
    expect((await refused()).status).to.equal(502);
    expect(traffic.count(origin)).to.equal(0);
  });

  it("leaves no socket behind at the agent server when the client gives up before it opens", async () => {
    let pending = false;
    let gone = false;
    open[0]?.removeAllListeners("upgrade").on("upgrade", (_, socket) => {
      pending = true;
      socket.on("end", () => (gone = true)).resume();
    });
    const client = new WebSocket(`${front.replace("http", "ws")}${PREFIX}/ws`);
    client.on("error", () => {});
    await until("the request", () => pending);
    client.terminate();
    await until("the agent server to know", () => gone);
    await untilOver();
  });
});

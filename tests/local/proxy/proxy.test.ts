import { once } from "node:events";
import { createServer, request as httpRequest } from "node:http";
import type { IncomingMessage, RequestListener, Server } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { mock } from "node:test";
import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { ServerUnavailable } from "../../../local/drivers/driver";
import { traffic } from "../../../local/drivers/process/servers/requests";
import { requestHeaders } from "../../../local/proxy/headers";
import { until } from "../children";
import { closeNow, inFront, listen } from "../front";

const PREFIX = "/agents/one";

describe("forward", () => {
  const open: Server[] = [];
  let seen: IncomingMessage[];
  let origin: string;
  let front: string;

  beforeEach(() => (seen = []));
  afterEach(() => {
    mock.restoreAll();
    for (const server of open.splice(0)) closeNow(server);
  });

  async function serve(listener: RequestListener): Promise<string> {
    const server = createServer(listener);
    open.push(server);
    return listen(server);
  }

  /** An agent server that answers so, and the platform's side in front of it. */
  async function behind(answer: RequestListener): Promise<void> {
    origin = await serve((request, response) => {
      seen.push(request);
      answer(request, response);
    });
    front = await serve(inFront(() => ({ origin: async () => origin, prefix: PREFIX })));
  }
  const echo: RequestListener = async (request, response) => {
    const { method, url } = request;
    response.end(JSON.stringify({ method, url, body: await text(request) }));
  };

  const ask = (path = "/x", init?: RequestInit) => fetch(front + PREFIX + path, init);
  const untilOver = () => until("the request to be over", () => traffic.count(origin) === 0);

  /** A request exactly as it is written, which `fetch` would tidy up. */
  async function raw(lines: string[], body = ""): Promise<string> {
    const socket = connect(Number(new URL(front).port), "127.0.0.1");
    socket.write(
      `${[...lines, "Host: platform.example", "Connection: close"].join("\r\n")}\r\n\r\n${body}`,
    );
    return text(socket);
  }

  it("keeps the page's cookie from agent servers, and theirs from the page", async () => {
    const theirs = ["agentserver_page_8124=theirs; Path=/", "=agentserver_page_8124=nameless"];
    const others = { "Service-Worker-Allowed": "/", "Clear-Site-Data": '"cookies"' };
    await behind((_, response) =>
      response.writeHead(200, { "Set-Cookie": [...theirs, "own=1"], ...others }).end(),
    );
    const cookie = "a=1; agentserver_page_8124=secret; b=2";
    const { headers } = await ask("/", { headers: { cookie } });
    expect(seen[0]?.headers.cookie).to.equal("a=1; b=2");
    expect(headers.getSetCookie()).to.deep.equal(["own=1"]);
    expect([...headers.keys()].join()).to.not.match(/service-worker-allowed|clear-site-data/);
  });

  describe("the request", () => {
    it("loses the prefix and keeps method, query and body, which is framed whatever the method", async () => {
      await behind(echo);
      const path = "/threads/a%20b?x=1&y=%2F";
      const answer = await ask(path, { method: "PATCH", body: "é" });
      expect(await answer.json()).to.deep.equal({ method: "PATCH", url: path, body: "é" });
      const bare = await (await ask("?x=1")).json();
      expect(bare).to.deep.equal({ method: "GET", url: "/?x=1", body: "" });
      for (const [method, header, body, received] of [
        ["DELETE", "Transfer-Encoding: chunked", "3\r\nabc\r\n0\r\n\r\n", '"body":"abc"'],
        ["GET", "Content-Length: 3", "abc", '"body":""'],
      ] as const)
        expect(await raw([`${method} ${PREFIX}/x HTTP/1.1`, header], body)).to.contain(received);
    });

    it("is streamed", async () => {
      let first = "";
      await behind(async (request, response) => {
        request.once("data", (chunk) => (first = String(chunk)));
        response.end(await text(request));
      });
      const outgoing = httpRequest(`${front}${PREFIX}/x`, { method: "POST" });
      outgoing.write("one");
      await until("the first part", () => first === "one");
      outgoing.end("two");
      const [answer]: IncomingMessage[] = await once(outgoing, "response");
      expect(answer && (await text(answer))).to.equal("onetwo");
    });

    it("does not reach /internal, however it is written, but what only begins like it, has it further down, or looks like another host", async () => {
      await behind(echo);
      for (const path of [
        "/internal",
        "/internal/truncate",
        "/INTERNAL/truncate",
        "//internal/truncate",
        "/./internal/truncate",
        "/threads/../internal/truncate",
        "/%69nternal/truncate",
        "/%2569nternal/truncate",
        "/internal%2Ftruncate",
        "/threads/..%2Finternal/truncate",
        "/threads/%2e%2e/internal/truncate",
        "/threads/..%5cinternal/truncate",
      ]) {
        const answer = await raw([`POST ${PREFIX}${path} HTTP/1.1`, "Content-Length: 0"]);
        expect(answer, path).to.match(/^HTTP\/1.1 404 .*\{"detail":"Not Found"\}/s);
      }
      expect(seen).to.deep.equal([]);
      for (const path of ["/internals", "/threads/internal", "//example.com/x"])
        expect(await raw([`GET ${PREFIX}${path} HTTP/1.1`])).to.contain(`"url":"${path}"`);
      expect((await fetch(`${front}${PREFIX}x/y`)).status).to.equal(404);
      expect(seen).to.have.length(3);
    });
  });

  describe("the answer", () => {
    it("is streamed, event by event", async () => {
      let goOn = () => {};
      await behind((_, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write("data: one\n\n");
        goOn = () => response.end("data: two\n\n");
      });
      const reader = (await ask("/stream")).body?.pipeThrough(new TextDecoderStream()).getReader();
      expect(await reader?.read()).to.deep.equal({ done: false, value: "data: one\n\n" });
      expect(traffic.count(origin)).to.equal(1);
      goOn();
      expect(await reader?.read()).to.deep.equal({ done: false, value: "data: two\n\n" });
      expect(await reader?.read()).to.include({ done: true });
      await untilOver();
    });

    it("keeps status and headers, but not those of its connection nor of CORS", async () => {
      const kept = { "Set-Cookie": ["a=1", "b=2"], "X-Pagination-Total": "3" };
      const dropped = { "Proxy-Authenticate": "x", "Proxy-Connection": "x", "X-Mine": "x" };
      const own = { Connection: "X-Mine", "Access-Control-Allow-Origin": "*" };
      await behind((_, response) => response.writeHead(418, { ...kept, ...dropped, ...own }).end());
      const { status, headers } = await ask();
      expect([status, headers.get("x-pagination-total")]).to.deep.equal([418, "3"]);
      expect(headers.getSetCookie()).to.deep.equal(["a=1", "b=2"]);
      expect([...headers.keys()].join()).to.not.match(/x-mine|proxy-|access-control-/);
    });

    it("reaches the caller when the agent server does not read the body, over a connection that is then closed", async () => {
      await behind((_, response) => response.writeHead(413).end("too large"));
      const answer = await ask("/x", { method: "POST", body: Buffer.alloc(2 ** 25) });
      expect([answer.status, await answer.text()]).to.deep.equal([413, "too large"]);
      await until("the connection to be closed", () => seen[0]?.socket.destroyed === true);
    });

    it("has the bytes that the agent server sent, compressed or not", async () => {
      const bytes = gzipSync("x".repeat(1000));
      await behind((_, response) => {
        response.writeHead(200, { "content-encoding": "gzip", "content-length": bytes.length });
        response.end(bytes);
      });
      const answer = await raw([`GET ${PREFIX}/x HTTP/1.1`, "Accept-Encoding: gzip"]);
      expect(answer.toLowerCase()).to.contain(`content-length: ${bytes.length}`);
      expect(await (await ask()).text()).to.equal("x".repeat(1000));
      expect(seen[0]?.headers["accept-encoding"]).to.equal("gzip");
    });

    it("names the platform in its location where that is the agent server's own", async () => {
      let location = "";
      await behind((_, response) => void response.writeHead(307, { location }).end());
      for (const [said, expected] of Object.entries({
        "/threads/1?x=1": `${PREFIX}/threads/1?x=1`,
        [`${front}/threads/1`]: `${front}${PREFIX}/threads/1`,
        [`${front}0/threads/1`]: `${front}0/threads/1`,
        [`${front}${PREFIX}/threads/1`]: `${front}${PREFIX}/threads/1`,
        [`${PREFIX}/threads/1`]: `${PREFIX}/threads/1`,
        [`${PREFIX}?x=1`]: `${PREFIX}?x=1`,
        [`${PREFIX}x`]: `${PREFIX}${PREFIX}x`,
        "https://example.com/x": "https://example.com/x",
        "//example.com/x": "//example.com/x",
        sibling: "sibling",
      })) {
        location = said;
        const answer = await ask("/x", { redirect: "manual" });
        expect(answer.headers.get("location"), said).to.equal(expected);
      }
    });

    it("keeps the location of a run, which clients append to the agent server's URL", async () => {
      const location = "/threads/1/runs/2/stream";
      await behind((_, response) => void response.writeHead(200, { location }).end());
      expect((await ask("/threads/1/runs/stream")).headers.get("location")).to.equal(location);
    });

    it("has no body to HEAD, and when it is 204 or 304", async () => {
      let status = 200;
      await behind((_, response) => void response.writeHead(status).end());
      for (status of [204, 304]) {
        const answer = await ask();
        expect([answer.status, await answer.text()]).to.deep.equal([status, ""]);
      }
      status = 200;
      expect(await raw([`HEAD ${PREFIX}/x HTTP/1.1`])).to.match(/^HTTP\/1.1 200 OK.*\r\n\r\n$/s);
    });
  });

  describe("when a side goes away", () => {
    for (const begins of [true, false])
      it(`ends the agent server's request when the caller gives up, after its answer began or before (${begins})`, async () => {
        let gone = false;
        await behind((_, response) => {
          if (begins) response.write("one");
          response.once("close", () => (gone = true));
        });
        const giveUp = new AbortController();
        const answer = ask("/x", { signal: giveUp.signal }).catch(() => {});
        await (begins ? answer : until("the request", () => seen.length === 1));
        giveUp.abort();
        await until("the agent server to know", () => gone);
        await untilOver();
        await answer;
      });

    for (const headers of [{ "content-length": 100 }, {}])
      it(`breaks the answer off when the agent server does, and prints nothing (${JSON.stringify(headers)})`, async () => {
        const printed = [mock.method(console, "error"), mock.method(console, "info")];
        await behind((_, response) => {
          response.writeHead(200, headers);
          response.write("one", () => response.destroy());
        });
        expect(await (await ask()).text().catch((error: unknown) => error)).to.be.instanceOf(Error);
        await untilOver();
        expect(printed.map(({ mock: { calls } }) => calls.length)).to.deep.equal([0, 0]);
      });

    it("says 502 when the agent server breaks off or is ended before it answers", async () => {
      let isEnded = false;
      await behind(({ socket }) => void (isEnded ? traffic.abort(origin) : socket.destroy()));
      for (isEnded of [false, true]) {
        const refused = await ask("/x", { method: "POST", body: "x" });
        expect(refused.status).to.equal(502);
        const words = isEnded ? "did not answer: the server is shutting down" : "did not answer";
        expect(await refused.text()).to.contain(words);
        expect(traffic.count(origin)).to.equal(0);
      }
    });

    it("says 503 with the reason when no agent server can answer, or nobody listens there, and when to come again", async () => {
      await behind(echo);
      open[0]?.close();
      await until("the server to be closed", () => open[0]?.listening === false);
      const paused = (retryAfterSeconds?: number) => async () =>
        Promise.reject(new ServerUnavailable("it pauses", { retryAfterSeconds }));
      for (const [find, seconds, detail] of [
        [paused(), "1", "it pauses"],
        [paused(7), "7", "it pauses"],
        [async () => origin, "1", "the agent server did not answer: connect ECONNREFUSED"],
      ] as const) {
        front = await serve(inFront(() => ({ origin: find, prefix: PREFIX })));
        const answer = await ask();
        expect([answer.status, answer.headers.get("retry-after")]).to.deep.equal([503, seconds]);
        expect(await answer.json()).to.deep.equal({ detail });
      }
      expect(traffic.count(origin)).to.equal(0);
    });
  });
});

const DESTINATION = { origin: "http://127.0.0.1:40001", prefix: "/agents/a" };

describe("the headers of a forwarded request", () => {
  const sent = (headers: Record<string, string>): Record<string, string> =>
    requestHeaders(new Request("http://platform.example/agents/a/x", { headers }), DESTINATION);
  const OF_CONNECTIONS =
    "Connection Expect Keep-Alive Proxy-Authenticate Proxy-Authorization Proxy-Connection TE Trailer Transfer-Encoding Upgrade";
  it("have none of the connection, nor of those that it names, nor the page's cookie alone", () => {
    for (const headers of [
      ...OF_CONNECTIONS.split(" ").map((name) => ({ [name]: "x" })),
      { Connection: "X-Mine", "x-mine": "1" },
      { connection: "x-mine", "X-MINE": "1" },
      { Connection: "close ,\tX-Mine , te", "X-Mine": "1" },
      { Cookie: "agentserver_page=1" },
    ]) {
      const names = Object.keys(sent({ ...headers, "X-Kept": "1" }));
      const own = names.filter((name) => !/^(host|x-forwarded-\w+)$/.test(name));
      expect(own, JSON.stringify(headers)).to.deep.equal(["x-kept"]);
    }
  });

  it("keep what a caller says itself, but where it came from", () => {
    const cookie = "a=1; agentserver_page_8123=2; b=agentserver_page";
    const given = { Authorization: "x", "X-Forwarded-Host": "other" };
    const host = "platform.example";
    expect(sent({ Cookie: cookie, ...given })).to.deep.equal({
      authorization: "x",
      cookie: "a=1; b=agentserver_page",
      host,
      "x-forwarded-host": host,
      "x-forwarded-prefix": "/agents/a",
      "x-forwarded-proto": "http",
    });
  });
});

import { once } from "node:events";
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { mock } from "node:test";
import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { ServerUnavailable } from "../../../local/drivers/driver";
import { traffic } from "../../../local/drivers/process/servers/requests";
import { until } from "../children";
import { inFront, listen } from "../front";

const PREFIX = "/agents/one";

describe("forward", () => {
  const open: Server[] = [];
  let seen: IncomingMessage[];
  let origin: string;
  let front: string;

  beforeEach(() => {
    seen = [];
  });
  afterEach(() => {
    mock.restoreAll();
    for (const server of open.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
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
    await behind((_, response) => {
      response.setHeader("Set-Cookie", [...theirs, "own=1"]);
      response.setHeader("Service-Worker-Allowed", "/");
      response.setHeader("Clear-Site-Data", '"cookies"');
      response.end();
    });
    const cookie = "a=1; agentserver_page_8124=secret; b=2";
    const { headers } = await ask("/", { headers: { cookie } });
    expect(seen[0]?.headers.cookie).to.equal("a=1; b=2");
    expect(headers.getSetCookie()).to.deep.equal(["own=1"]);
    expect([...headers.keys()]).to.not.include.members(["service-worker-allowed"]);
    expect([...headers.keys()]).to.not.include.members(["clear-site-data"]);
  });

  describe("the request", () => {
    it("loses the prefix and keeps method, query and body, which is framed whatever the method", async () => {
      await behind(echo);
      const path = "/threads/a%20b?x=1&y=%2F";
      const answer = await ask(path, { method: "PATCH", body: "é" });
      expect(await answer.json()).to.deep.equal({ method: "PATCH", url: path, body: "é" });
      expect(await (await ask("?x=1")).json()).to.deep.equal({
        method: "GET",
        url: "/?x=1",
        body: "",
      });
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

    it("names the platform as host, of which servers make their URLs, and loses what Connection names", async () => {
      await behind(echo);
      await raw([`GET ${PREFIX}/x HTTP/1.1`, "Connection: X-Mine , close", "X-Mine: 1"]);
      const headers = { host: "platform.example", "x-forwarded-host": "platform.example" };
      expect(seen[0]?.headers).to.include({ ...headers, "x-forwarded-prefix": PREFIX });
      expect(seen[0]?.headers).to.not.have.property("x-mine");
    });

    it("does not reach /internal, however it is written", async () => {
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
    });

    it("reaches what only begins like /internal, has it further down, or looks like another host", async () => {
      await behind(echo);
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
      const answer = await ask("/stream");
      const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
      expect(await reader?.read()).to.deep.equal({ done: false, value: "data: one\n\n" });
      expect(traffic.count(origin)).to.equal(1);
      goOn();
      expect(await reader?.read()).to.deep.equal({ done: false, value: "data: two\n\n" });
      expect(await reader?.read()).to.include({ done: true });
      await untilOver();
    });

    it("keeps status and headers, but not those of its connection nor of CORS", async () => {
      await behind((_, response) => {
        response.setHeader("Set-Cookie", ["a=1", "b=2"]);
        response.setHeader("X-Pagination-Total", "3");
        for (const name of ["X-Mine", "Proxy-Authenticate", "Proxy-Connection"])
          response.setHeader(name, "x");
        response.setHeader("Access-Control-Allow-Origin", "*");
        response.writeHead(418, "Teapot", { Connection: "X-Mine" }).end();
      });
      const { status, headers } = await ask();
      expect([status, headers.get("x-pagination-total")]).to.deep.equal([418, "3"]);
      expect(headers.getSetCookie()).to.deep.equal(["a=1", "b=2"]);
      const dropped = /^(x-mine|proxy-.*|access-control-.*)$/;
      expect([...headers.keys()].filter((name) => dropped.test(name))).to.deep.equal([]);
    });

    it("has the bytes that the agent server sent, compressed or not", async () => {
      const bytes = gzipSync("x".repeat(1000));
      await behind((_, response) => {
        response.writeHead(200, { "content-encoding": "gzip", "content-length": bytes.length });
        response.end(bytes);
      });
      const answer = await raw([`GET ${PREFIX}/x HTTP/1.1`, "Accept-Encoding: gzip"]);
      expect(answer.toLowerCase()).to.contain(`content-length: ${bytes.length}`);
      const decoded = await ask();
      expect(await decoded.text()).to.equal("x".repeat(1000));
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
        const answer = await ask();
        const failure = await answer.text().catch((error: unknown) => error);
        expect(failure).to.be.instanceOf(Error);
        await untilOver();
        expect(printed.map(({ mock: { calls } }) => calls.length)).to.deep.equal([0, 0]);
      });

    for (const [what, answer, words] of [
      ["breaks off", (request) => request.socket.destroy(), /did not answer/],
      ["is ended", () => traffic.abort(origin), /did not answer: the server is shutting down$/],
    ] as const satisfies readonly (readonly [string, RequestListener, RegExp])[])
      it(`says 502 when the agent server ${what} before it answers`, async () => {
        await behind(answer);
        const refused = await ask("/x", { method: "POST", body: "x" });
        expect(refused.status).to.equal(502);
        expect(await refused.json())
          .to.have.property("detail")
          .that.matches(words);
        expect(traffic.count(origin)).to.equal(0);
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

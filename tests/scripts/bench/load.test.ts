import { expect } from "chai";
import { measure, send, sendAll, type Request } from "../../../scripts/bench/load";
import type { Server } from "../../../scripts/bench/servers";
import { json, startServer, type TestServer } from "../../support/http";
import { rejection } from "../../support/rejection";

const { signal } = new AbortController();

describe("the load of a bench", () => {
  let answering: TestServer;
  let server: Server;
  let underWay = 0;
  let mostUnderWay = 0;
  beforeEach(async () => {
    mostUnderWay = 0;
    answering = await startServer((request, response) => {
      mostUnderWay = Math.max(mostUnderWay, ++underWay);
      setImmediate(() => {
        underWay -= 1;
        if (request.url === "/broken") json(response, 500, { detail: "out of order" });
        else json(response, 200, { got: request.body, key: request.headers["x-api-key"] });
      });
    });
    const port = Number(new URL(answering.url).port);
    server = { port, apiKey: "key", pid: 0, startedMs: 0, stop: () => Promise.resolve() };
  });
  afterEach(() => answering.close());

  const get = (path: string): Request => ({ method: "GET", path, status: 200 });

  it("sends the key and a body as JSON, and returns the answer", async () => {
    const request: Request = { method: "POST", path: "/", body: { name: "é" }, status: 200 };
    const answer = await send(server, request, { signal });
    expect(JSON.parse(answer)).to.deep.equal({ got: '{"name":"é"}', key: "key" });
    expect(answering.received[0]?.headers["content-type"]).to.equal("application/json");
  });

  it("fails on another status than expected, with the answer's words", async () => {
    const { message } = await rejection(send(server, get("/broken"), { signal }));
    expect(message).to.equal('GET /broken: 500 {"detail":"out of order"}');
  });

  it("sends each request of a list once, by no more clients than asked for", async () => {
    const paths = Array.from({ length: 20 }, (_, index) => `/${index}`);
    const answers = await sendAll(server, paths.map(get), { clients: 3, signal });
    expect(answers).to.have.length(20);
    expect(answering.received.map(({ url }) => url)).to.have.members(paths);
    expect(mostUnderWay).to.be.within(2, 3);
  });

  it("measures so many requests, and the few before them not", async () => {
    let made = 0;
    const next = () => get(`/${made++}`);
    const sample = await measure(server, next, { requests: 10, clients: 2, signal });
    expect(answering.received).to.have.length(made);
    expect(made).to.equal(10 + 6);
    expect(sample.medianMs).to.be.above(0);
    expect(sample.p95Ms).to.be.at.least(sample.medianMs);
    expect(sample.perSecond).to.be.above(0);
  });

  it("ends at once when it is aborted", async () => {
    const stop = new AbortController();
    let made = 0;
    const next = () => {
      if (++made === 10) stop.abort();
      return get("/");
    };
    const pace = { requests: 1_000_000, clients: 2, signal: stop.signal };
    expect((await rejection(measure(server, next, pace))).name).to.equal("AbortError");
  });
});

import { once } from "node:events";
import { connect } from "node:net";
import { expect } from "chai";
import { z } from "zod";
import { useAgentServer } from "./support";

const ID = "11111111-1111-4111-8111-111111111111";
const Operation = z.object({ operationId: z.string().min(1) });
const Document = z.object({ paths: z.record(z.string(), z.record(z.string(), Operation)) });

describe("agent server: what it says of itself", () => {
  const server = useAgentServer({
    variables: ["ZEBRA", "ALPHA"],
    commit: "c0ffee",
    revision: "r1",
    now: () => Date.parse("2030-01-01T00:00:00Z"),
  });

  it("is its version, graphs, variables in order and commit, and each path with the methods that it allows, each operation with an id of its own", async () => {
    const { body, headers: ofInfo } = await server.send("GET", "/info");
    expect(ofInfo.get("date")).to.equal("Tue, 01 Jan 2030 00:00:00 GMT");
    expect((await server.create()).created_at).to.equal("2030-01-01T00:00:00.000Z");
    expect(body).to.deep.include({
      server: "pulumi-agentserver",
      graphs: ["agent"],
      variables: ["ALPHA", "ZEBRA"],
      commit: "c0ffee",
      host: { host_revision_id: "r1" },
      flags: { assistants: true, crons: false, runs: false },
    });
    const { paths } = Document.parse((await server.send("GET", "/openapi.json")).body);
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
    const ids = operations.map(({ operationId }) => operationId);
    expect(ids).to.include("createThread");
    expect(new Set(ids).size).to.equal(ids.length);
    for (const [path, byMethod] of Object.entries(paths)) {
      const { status, headers } = await server.send("PUT", path.replaceAll(/\{\w+\}/g, ID));
      const allowed = headers.get("allow")?.toLowerCase().split(", ");
      const methods = Object.keys(byMethod).toSorted();
      expect([status, allowed?.toSorted()], path).to.deep.equal([405, methods]);
    }
  });
});

describe("agent server: requests it can't serve", () => {
  const server = useAgentServer();

  it("says of what it does not have which servers have it, 404 to any other path, and 413 to a body of more than 30 MiB", async () => {
    for (const [method, path, what] of [
      ["POST", "/runs/wait", "runs"],
      ["POST", "/runs/crons/search", "crons"],
      ["POST", `/threads/${ID}/stream/events`, "streams of threads"],
      ["GET", `/assistants/${ID}/subgraphs/a`, "subgraphs"],
      ["POST", "/store/namespaces", "store"],
      ["POST", "/mcp/", "MCP"],
      ["POST", "/threads/prune", "pruning of threads"],
    ] as const) {
      const { status, body } = await server.send(method, path);
      expect(status, path).to.equal(404);
      expect(body)
        .to.have.property("detail")
        .that.matches(new RegExp(`no ${what},.*langgraph-api`));
    }
    const { status, body } = await server.send("GET", "/nothing/here");
    expect([status, body]).to.deep.equal([404, { detail: "Not Found" }]);
    const large = await server.send("POST", "/threads", " ".repeat(30 * 1024 ** 2 + 1));
    expect(large.status).to.equal(413);
  });

  it("lives on after bytes that are not HTTP, and after broken requests", async () => {
    for (const bytes of [
      "\u0000\u0001 hello\r\n\r\n",
      "GET /threads/%E0%A4%A HTTP/1.1\r\nHost: x\r\n\r\n",
      "GET http://[::1 HTTP/1.1\r\nHost: x\r\n\r\n",
      "GET /ok HTTP/1.1\r\nHost: a b/c\r\n\r\n",
      'POST /threads HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n{"meta',
      "POST /threads HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      "POST /threads HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n\u00ff\u00fe",
    ]) {
      const socket = connect(server.port(), "127.0.0.1");
      await once(socket, "connect");
      socket.on("error", () => {});
      socket.end(Buffer.from(bytes, "latin1"));
      socket.resume();
      await once(socket, "close");
      expect((await server.send("GET", "/ok")).status, bytes).to.equal(200);
    }
  });

  it("takes a limit of 1 to 1000 for a search", async () => {
    for (const path of ["/threads/search", "/assistants/search"])
      for (const [limit, status] of Object.entries({ 0: 422, 1: 200, 1000: 200, 1001: 422 })) {
        const answer = await server.send("POST", path, { limit: Number(limit) });
        expect(answer.status, `${path} ${limit}`).to.equal(status);
      }
  });

  it("says in the headers of a search where its next page begins, and of how many it knows", async () => {
    for (const [path, body] of Object.entries({
      "/threads": {},
      "/assistants": { graph_id: "agent" },
    })) {
      const metadata = { of: path };
      for (const _ of [1, 2, 3]) await server.send("POST", path, { ...body, metadata });
      for (const [offset, expected] of [
        ["1", "2"],
        ["2", "3"],
        [null, "3"],
      ].entries()) {
        const page = { metadata, limit: 1, offset };
        const { headers } = await server.send("POST", `${path}/search`, page);
        const said = ["next", "total"].map((name) => headers.get(`x-pagination-${name}`));
        expect(said, `${path} ${offset}`).to.deep.equal(expected);
      }
    }
  });

  it("says 422 to half a character, and to a member that it would lose, and keeps whole ones and the character 0", async () => {
    const halves = [{ user: "\ud83d" }, { "\udca9": 1 }, { list: [{ of: "a\ud800b" }] }];
    const texts = halves.map((metadata) => JSON.stringify({ metadata }));
    for (const path of ["/threads", "/threads/search", "/threads/count"])
      for (const sent of [...texts, '{"metadata":{"__proto__":1}}']) {
        const { status, body } = await server.send("POST", path, sent);
        expect(status, path).to.equal(422);
        expect(body)
          .to.have.property("detail")
          .that.matches(/lone surrogate: \\ud|__proto__/);
      }
    expect((await server.send("POST", "/threads/count", {})).body).to.equal(0);
    const metadata = { "🎈": "💩\u0000" };
    const { thread_id } = await server.create({ metadata });
    const { body } = await server.send("POST", "/threads/search", { metadata });
    expect(body).to.have.nested.property("[0].thread_id", thread_id);
    expect(body).to.have.nested.property("[0].metadata").that.deep.equals(metadata);
  });
});

describe("agent server with a key", () => {
  const server = useAgentServer({ apiKey: "the key" });

  it("answers those who bring it, in either header, and others its probe alone", async () => {
    const send = (headers: Record<string, string>) => server.send("POST", "/threads", {}, headers);
    for (const headers of [{}, { "x-api-key": "the ke" }, { authorization: "Bearer x" }]) {
      const { status, body } = await send(headers);
      expect(status).to.equal(401);
      expect(body).to.have.property("detail").that.includes("X-Api-Key");
    }
    const forGraph = { "x-api-key": "the key", authorization: "Bearer a user's token" };
    for (const headers of [
      { "x-api-key": "the key" },
      { authorization: "Bearer the key" },
      forGraph,
    ])
      expect((await send(headers)).status).to.equal(200);
    expect(await server.send("GET", "/ok")).to.deep.include({ status: 200, body: { ok: true } });
    const { body } = await server.send("POST", "/threads/count", {}, { "x-api-key": "the key" });
    expect(body).to.equal(3);
  });
});

import { once } from "node:events";
import { connect } from "node:net";
import { expect } from "chai";
import { z } from "zod";
import { useAgentServer } from "./support";

const ID = "11111111-1111-4111-8111-111111111111";
const Operation = z.object({ operationId: z.string().min(1) });
const Document = z.object({ paths: z.record(z.string(), z.record(z.string(), Operation)) });

describe("agent server: what it says of itself", () => {
  const server = useAgentServer({ variables: ["ZEBRA", "ALPHA"], commit: "c0ffee" });

  it("answers its probe", async () => {
    expect(await server.send("GET", "/ok")).to.deep.include({ status: 200, body: { ok: true } });
  });

  it("names its version, graphs, variables in order and commit", async () => {
    const { body } = await server.send("GET", "/info");
    expect(body)
      .to.have.property("version")
      .that.matches(/^\d+\.\d+\.\d+/);
    expect(body).to.deep.include({
      server: "pulumi-agentserver",
      graphs: ["agent"],
      variables: ["ALPHA", "ZEBRA"],
      commit: "c0ffee",
      flags: { assistants: true, crons: false, runs: false },
    });
  });
});

describe("agent server: its description of itself", () => {
  const server = useAgentServer();

  it("has each path with the methods that it allows, and each operation with an id of its own", async () => {
    const { body } = await server.send("GET", "/openapi.json");
    const { paths } = Document.parse(body);
    const ids = Object.values(paths)
      .flatMap(Object.values)
      .map(({ operationId }) => operationId);
    expect(ids).to.include("createThread");
    expect(new Set(ids).size).to.equal(ids.length);
    for (const [path, byMethod] of Object.entries(paths)) {
      const { headers } = await server.send("PUT", path.replaceAll(/\{\w+\}/g, ID));
      const allowed = headers.get("allow")?.toLowerCase().split(", ");
      expect(Object.keys(byMethod), path).to.have.members(allowed ?? []);
    }
  });
});

describe("agent server: requests it can't serve", () => {
  const server = useAgentServer();

  it("says 405 to a method that a path does not have, and which ones it allows", async () => {
    for (const [method, path, allow] of [
      ["PUT", "/threads", "POST"],
      ["POST", "/ok", "GET"],
      ["PUT", `/threads/${ID}`, "GET, PATCH, DELETE"],
      ["DELETE", `/threads/${ID}/history`, "POST, GET"],
    ] as const) {
      const { status, headers, body } = await server.send(method, path);
      expect([status, headers.get("allow")], path).to.deep.equal([405, allow]);
      expect(body).to.deep.equal({ detail: "Method Not Allowed" });
    }
  });

  it("says in one sentence what it does not have, and which servers do", async () => {
    for (const [method, path, what] of [
      ["POST", "/runs/wait", "runs"],
      ["GET", `/threads/${ID}/runs`, "runs"],
      ["POST", "/runs/crons/search", "crons"],
      ["POST", `/threads/${ID}/runs/crons`, "crons"],
      ["POST", `/threads/${ID}/stream/events`, "streams of threads"],
      ["POST", `/threads/${ID}/commands`, "commands for threads"],
      ["GET", `/threads/${ID}/storage`, "storage of threads"],
      ["POST", "/threads/prune", "pruning of threads"],
      ["GET", `/assistants/${ID}/subgraphs/a`, "subgraphs"],
      ["POST", "/store/namespaces", "store"],
      ["POST", "/ui/agent", "components for pages"],
      ["POST", "/mcp/", "MCP"],
      ["POST", `/a2a/${ID}`, "A2A"],
    ] as const) {
      const { status, body } = await server.send(method, path);
      expect(status, path).to.equal(404);
      const detail = `stores threads and assistants and has no ${what}, as the real agent servers do`;
      expect(body).to.have.property("detail").that.contains(detail).and.contains("langgraph-api");
    }
  });

  it("says 404 in JSON to a path that it does not know", async () => {
    const { status, body } = await server.send("GET", "/nothing/here");
    expect(status).to.equal(404);
    expect(body).to.deep.equal({ detail: "Not Found" });
  });

  it("says 413 to a body of more than 30 MiB", async () => {
    const { status, body } = await server.send("POST", "/threads", " ".repeat(30 * 1024 ** 2 + 1));
    expect(status).to.equal(413);
    expect(body).to.deep.equal({ detail: "Payload Too Large" });
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

  it("says 422 and lives on after half a character", async () => {
    for (const path of ["/threads", "/threads/search", "/threads/count"])
      for (const metadata of [
        { user: "\ud83d" },
        { "\udca9": 1 },
        { list: [{ of: "a\ud800b" }] },
      ]) {
        const { status, body } = await server.send("POST", path, { metadata });
        expect(status, path).to.equal(422);
        expect(body)
          .to.have.property("detail")
          .that.matches(/contains a lone surrogate: \\ud/);
      }
    expect((await server.send("POST", "/threads/count", {})).body).to.equal(0);
  });

  it("says 422 to a member that it would lose", async () => {
    const { status, body } = await server.send("POST", "/threads", '{"metadata":{"__proto__":1}}');
    expect(status).to.equal(422);
    expect(body).to.have.property("detail").that.includes("__proto__");
  });

  it("keeps whole characters outside of the first plane, and the character 0", async () => {
    const metadata = { "🎈": "💩\u0000" };
    const { thread_id } = await server.create({ metadata });
    const { body } = await server.send("POST", "/threads/search", { metadata });
    expect(body).to.have.nested.property("[0].thread_id", thread_id);
    expect(body).to.have.nested.property("[0].metadata").that.deep.equals(metadata);
  });
});

describe("agent server with a key", () => {
  const server = useAgentServer({ apiKey: "the key" });

  it("answers those who bring it, in either header", async () => {
    const send = (headers: Record<string, string>) =>
      server.send("POST", "/threads", {}, headers).then(({ status }) => status);
    expect(await send({ "x-api-key": "the key" })).to.equal(200);
    expect(await send({ authorization: "Bearer the key" })).to.equal(200);
  });

  it("says 401 to all others, and does nothing", async () => {
    const key = { "x-api-key": "the key" };
    for (const headers of [{}, { "x-api-key": "the ke" }, { authorization: "Bearer x" }]) {
      const { status, body } = await server.send("POST", "/threads", {}, headers);
      expect(status).to.equal(401);
      expect(body).to.have.property("detail").that.includes("X-Api-Key");
    }
    expect((await server.send("POST", "/threads/count", {}, key)).body).to.equal(0);
  });

  it("answers its probe without it", async () => {
    expect((await server.send("GET", "/ok")).status).to.equal(200);
  });
});

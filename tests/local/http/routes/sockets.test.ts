import { once } from "node:events";
import { request, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { expect } from "chai";
import { WebSocket, WebSocketServer } from "ws";
import { startRecorded, type RecordedPlatform } from "./recorded";

const PAGE = "http://localhost:3000";

describe("a WebSocket at an agent URL", () => {
  let t: RecordedPlatform;
  let seen: IncomingHttpHeaders[];

  const start = async (agentAuth = false) => {
    seen = [];
    t = await startRecorded({ agentAuth, allowOrigins: [PAGE] }, async (incoming, response) => {
      response.end(`${incoming.method} ${await text(incoming)}`);
    });
    const sockets = new WebSocketServer({ server: t.agentServer });
    sockets.on("connection", (side, { headers }) => {
      seen.push(headers);
      side.close();
    });
  };
  afterEach(() => t.close());

  /** 101, or the status of the refusal with its detail. */
  async function ask(headers: Record<string, string> = {}): Promise<[number, string?]> {
    const client = new WebSocket(`${t.url.replace("http", "ws")}/ws`, { headers });
    client.on("error", () => {});
    return new Promise((resolve) => {
      client.once("open", () => resolve([101]));
      client.once("unexpected-response", (_, response) =>
        text(response).then((body) => resolve([response.statusCode ?? 0, JSON.parse(body).detail])),
      );
    });
  }

  it("opens for the platform's own pages, those of an allowed origin, and whoever names none; for others and foreign names of this host it is refused", async () => {
    await start();
    for (const headers of [{}, { Origin: t.origin }, { Origin: PAGE }])
      expect(await ask(headers)).to.deep.equal([101]);
    for (const [headers, words] of [
      [
        { Origin: "https://evil.example" },
        "cross-origin requests from https://evil.example are not",
      ],
      [{ Host: "evil.example" }, "host 'evil.example' is not allowed"],
    ] as const) {
      const [status, detail] = await ask({ ...headers });
      expect(status).to.equal(403);
      expect(detail).to.contain(words);
    }
    expect(seen).to.have.length(3);
  });

  it("asks for the key with agentAuth, and does not hand it on", async () => {
    await start(true);
    expect((await ask())[0]).to.equal(401);
    expect((await ask({ "X-Api-Key": "wrong" }))[0]).to.equal(401);
    expect(seen).to.deep.equal([]);
    expect(await ask({ "X-Api-Key": t.apiKey, "X-Mine": "1" })).to.deep.equal([101]);
    expect(seen[0]).to.include({ "x-mine": "1" }).and.not.have.key("x-api-key");
  });

  it("is nothing that an offer of another protocol disturbs: such a request is handled, with its body", async () => {
    await start();
    for (const method of ["GET", "POST", "GET"]) {
      const offer = { Upgrade: "h2c", "HTTP2-Settings": "" };
      const headers = { Connection: "Upgrade, HTTP2-Settings", ...offer };
      const sent = request(`${t.url}/x`, { method, headers });
      sent.end(method === "POST" ? "body" : undefined);
      const [response]: IncomingMessage[] = await once(sent, "response");
      expect(response && (await text(response))).to.equal(method === "POST" ? "POST body" : "GET ");
    }
  });
});

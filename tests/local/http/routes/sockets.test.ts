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
    const opened = once(client, "open").then((): [number] => [101]);
    const refused = once(client, "unexpected-response").then(
      async ([, response]: IncomingMessage[]): Promise<[number, string]> => [
        response?.statusCode ?? 0,
        response ? JSON.parse(await text(response)).detail : "",
      ],
    );
    return Promise.race([opened, refused]);
  }

  it("opens for the platform's own pages, those of an allowed origin, and whoever names none", async () => {
    await start();
    for (const headers of [{}, { Origin: t.origin }, { Origin: PAGE }])
      expect(await ask(headers)).to.deep.equal([101]);
  });

  it("is refused to pages of another origin, and to foreign names of this host", async () => {
    await start();
    const [status, detail] = await ask({ Origin: "https://evil.example" });
    expect(status).to.equal(403);
    expect(detail).to.contain("cross-origin requests from https://evil.example are not allowed");
    const [other, words] = await ask({ Host: "evil.example" });
    expect(other).to.equal(403);
    expect(words).to.contain("host 'evil.example' is not allowed");
    expect(seen).to.deep.equal([]);
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

import { expect } from "chai";
import type { IncomingHttpHeaders } from "node:http";
import { startLocalPlatform, StartError } from "../../../../local";
import { rejection } from "../../../support/rejection";
import { startRecorded, type RecordedPlatform } from "./recorded";

const PAGE = "http://localhost:3000";

describe("what comes to an agent server", () => {
  let seen: IncomingHttpHeaders[];
  let t: RecordedPlatform;
  const start = async ({ agentAuth = false, allowOrigins = [PAGE] } = {}) => {
    seen = [];
    t = await startRecorded({ agentAuth, allowOrigins }, ({ headers }, response) => {
      seen.push(headers);
      response.writeHead(200, { vary: "Accept", "access-control-allow-origin": "*" }).end("{}");
    });
  };
  afterEach(() => t.close());
  const ask = (headers: Record<string, string>, method = "GET", path = "/ok") =>
    fetch(`${t.url}${path}`, { method, headers });

  for (const agentAuth of [true, false])
    it(`holds no key of the platform, wherever it stood, and all else (agentAuth ${agentAuth})`, async () => {
      await start({ agentAuth });
      const { apiKey, otherKey, adminKey } = t;
      const all = [
        { "x-api-key": apiKey, authorization: `Bearer ${apiKey}` },
        { authorization: `bearer  ${apiKey}`, "x-local-key": adminKey, cookie: `key=${otherKey}` },
        { "x-api-key": apiKey, "x-local-key": "wrong", cookie: `key=${apiKey}; admin=${adminKey}` },
      ];
      for (const headers of all) await ask({ ...headers, "x-mine": "1" });
      expect(seen).to.have.length(all.length);
      for (const headers of seen) {
        expect(headers).to.include({ "x-mine": "1" });
        expect(headers).not.to.have.any.keys("x-api-key", "authorization", "x-local-key", "cookie");
      }
      await ask({ "x-api-key": apiKey, authorization: "Bearer theirs" });
      expect(seen[3]).to.include({ authorization: "Bearer theirs" }).and.not.have.key("x-api-key");
    });

  it("is nothing that a page of another origin has sent", async () => {
    await start();
    for (const origin of ["https://evil.example", "null", "http://localhost:3001"])
      for (const method of ["GET", "POST", "OPTIONS"]) {
        const answer = await ask({ origin, "access-control-request-method": "POST" }, method);
        expect(answer.status).to.equal(403);
        expect(await answer.json()).to.deep.equal({
          detail: `cross-origin requests from ${origin} are not allowed; allow the origin with --allow-origin`,
        });
        expect(answer.headers.has("access-control-allow-origin")).to.equal(false);
      }
    // What it embeds, such as a picture, names no origin.
    for (const site of ["cross-site", "same-site"])
      expect((await ask({ "sec-fetch-site": site })).status).to.equal(403);
    expect(seen).to.be.empty;
    expect((await ask({ "sec-fetch-site": "none" })).status).to.equal(200);
  });

  it("comes from the platform's own origin, and from whoever names none; nothing else can be allowed than origins", async () => {
    await start({ allowOrigins: [] });
    const { port } = new URL(t.origin);
    for (const headers of [{}, { origin: t.origin }]) {
      const answer = await ask(headers);
      expect(answer.status).to.equal(200);
      expect(answer.headers.get("vary")).to.equal("Accept");
      expect(answer.headers.has("access-control-allow-origin")).to.equal(false);
    }
    expect((await ask({ origin: `http://localhost:${port}` })).status).to.equal(403);
    for (const origin of ["*", "http://localhost:3000/", "localhost:3000", "file:///x"]) {
      const error = await rejection(startLocalPlatform({ allowOrigins: [origin] }));
      expect(error).to.be.instanceOf(StartError);
      expect(error.message).to.contain(`'${origin}' is not a valid origin`);
    }
  });

  it("comes from a page of an origin that is allowed, which may read the answer, after a preflight that needs no key", async () => {
    await start({ agentAuth: true });
    const asked = {
      "access-control-request-method": "PATCH",
      "access-control-request-headers": "content-type,x-api-key",
    };
    const preflight = await ask({ origin: PAGE, ...asked }, "OPTIONS");
    expect(preflight.status).to.equal(204);
    expect(Object.fromEntries(preflight.headers)).to.include({
      "access-control-allow-origin": PAGE,
      "access-control-allow-methods": "PATCH",
      "access-control-allow-headers": "content-type,x-api-key",
    });
    expect(seen).to.be.empty;
    const key = { "x-api-key": t.apiKey };
    const answers = [
      await ask({ origin: PAGE, ...key }),
      await ask({ origin: PAGE }),
      await ask({ origin: PAGE, ...key }, "GET", "/internal/truncate"),
    ];
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 401, 404]);
    for (const { headers } of answers) {
      expect(headers.get("access-control-allow-origin")).to.equal(PAGE);
      expect(headers.get("vary")).to.contain("Origin");
      expect(headers.has("access-control-allow-credentials")).to.equal(false);
    }
    for (const answer of [answers[0], await ask(key)])
      expect(answer?.headers.get("vary")).to.equal("Origin, Accept");
  });
});

import dns from "node:dns";
import type { ServerResponse } from "node:http";
import { expect } from "chai";
import { inspect } from "node:util";
import * as sdk from "pulumi-agentserver/sdk";
import { systemClock } from "../../shared/clock";
import { aClock, aDeployment, anOAuthProvider } from "../support/builders";
import { reasonOf, rejection } from "../support/rejection";
import { always, json, startServer, type TestServer, useServers } from "../support/http";

const KEY = "key-CANARY-1";
const WORKSPACE = "22222222-2222-4222-8222-222222222222";
const ID = "11111111-1111-4111-8111-111111111111";
const CREATE: sdk.CreateDeployment = {
  name: "support",
  source: "git_host",
  source_config: {},
  source_revision_config: {},
  secrets: [{ name: "TOKEN", value: "value-CANARY-2" }],
};

describe("sdk transport", () => {
  const serve = useServers();
  const clientOf = ({ url }: Pick<TestServer, "url">, more = {}) =>
    new sdk.ControlPlane({ baseUrl: url, apiKey: KEY, workspaceId: WORKSPACE, ...more });

  it("sends the key and the workspace with every request, or a bearer token, and names itself", async () => {
    const server = await serve(always(200, aDeployment()));
    const apiKey = "a key ~!";
    await clientOf(server, { apiKey, program: "Pulumi" }).deployments.get(ID);
    await clientOf(server, { apiKey: undefined, bearerToken: "token" }).deployments.get(ID);
    const [keyed, borne] = server.received.map(({ headers }) => headers);
    expect(keyed).to.include({ "x-api-key": apiKey, "x-tenant-id": WORKSPACE });
    expect(keyed).to.include({ "user-agent": "pulumi-agentserver (Pulumi)" });
    expect(borne).to.include({ authorization: "Bearer token", "x-tenant-id": WORKSPACE });
    expect(borne).to.include({ "user-agent": "pulumi-agentserver (SDK)" });
    expect(borne).not.to.have.property("x-api-key");
  });

  it("sends a gateway's own headers with every request, and redacts them", async () => {
    const secret = "token-of-the-gateway";
    const server = await serve(always(403, { detail: secret }));
    const client = clientOf(server, { headers: { "X-Access-Token": secret } });
    const error = await rejection(client.deployments.get(ID));
    expect(server.received[0]?.headers).to.include({ "x-access-token": secret, "x-api-key": KEY });
    expect(error.message).to.contain("[secret]").and.not.contain(secret);
  });

  it("refuses headers that it sets itself or can't send, and repeats no value", () => {
    const construct = (headers: Record<string, string>, more = {}) =>
      clientOf({ url: "https://a.example.com" }, { headers, ...more });
    const wrong: [Record<string, string>, string][] = [
      [{ "X-Api-Key": "hidden" }, "headers has X-Api-Key, which the client sets itself"],
      [{ "X-A": "hidden\n" }, "headers has X-A, which begins or ends with a blank"],
      [{ "hidden: a": "b" }, "headers has a name that is not valid for a header"],
    ];
    for (const [headers, problem] of wrong)
      expect(() => construct(headers))
        .to.throw(problem)
        .with.property("message")
        .that.does.not.contain("hidden");
    const basic = { Authorization: "Basic YTpi" };
    construct(basic);
    expect(() => construct(basic, { apiKey: undefined, bearerToken: "t" })).to.throw(
      "Authorization",
    );
  });

  it("wants a key or a token, and a workspace: without one it would be the key's default", () => {
    const keys = "set either apiKey or bearerToken";
    const workspace = "workspaceId must be a non-empty string";
    const wrong: [object, string][] = [
      [{ apiKey: undefined }, keys],
      [{ bearerToken: "token" }, keys],
      ...[undefined, null, ""].map((id): [object, string] => [{ workspaceId: id }, workspace]),
    ];
    for (const [more, problem] of wrong)
      expect(() => clientOf({ url: "https://a.example.com" }, more)).to.throw(TypeError, problem);
  });

  it("gives a request that is never repeated a connection of its own, and keeps those of others", async () => {
    const server = await serve(always(200, aDeployment()));
    await clientOf(server).deployments.get(ID);
    await clientOf(server).deployments.update(ID, {});
    const connections = server.received.map(({ headers }) => headers.connection);
    expect(connections).to.deep.equal(["keep-alive", "close"]);
  });

  it("encodes what stands in a path, and refuses what would be another path", async () => {
    const server = await serve(always(200, aDeployment()));
    await clientOf(server).deployments.get("a/b?c");
    expect(server.received[0]?.url).to.equal("/v2/deployments/a%2Fb%3Fc");
    for (const id of ["..", "\ud800"])
      expect(() => clientOf(server).deployments.get(id)).to.throw(TypeError, `'${id}'`);
  });

  const classes = [
    [400, sdk.BadRequest],
    [401, sdk.Unauthorized],
    [403, sdk.Forbidden],
    [404, sdk.NotFound],
    [409, sdk.Conflict],
    [429, sdk.RateLimited],
    [501, sdk.ServerError],
    [418, sdk.StatusError],
  ] as const;
  for (const [status, type] of classes)
    it(`makes of a ${status} a ${type.name} with the server's words`, async () => {
      const server = await serve(always(status, { detail: "these words" }));
      const error = await rejection(clientOf(server, { clock: aClock() }).deployments.get(ID));
      expect(error.constructor).to.equal(type);
      expect(error.message).to.equal(`get deployment '${ID}': ${status} these words`);
    });

  const missing: [string, number, string][] = [
    ["a web framework's own 404", 404, '{"detail":"Not Found"}'],
    ["a web framework's own 405", 405, '{"detail":"Method Not Allowed"}'],
    ["a page that says 404", 404, "<h1>404 page not found</h1>"],
    ["an empty 404", 404, ""],
    ["a gateway's 404", 404, '{"message":"no Route matched"}'],
    ["a page that says 410", 410, "<h1>410 Gone</h1>"],
  ];
  for (const [what, status, body] of missing)
    it(`takes ${what} for an endpoint that is not offered, never for a thing that is gone`, async () => {
      const server = await serve(always(status, body));
      const error = await rejection(clientOf(server).deployments.get(ID));
      expect(error).to.be.instanceOf(sdk.NotOfferedError).and.not.instanceOf(sdk.NotFound);
      expect(error.message).to.contain("or the base URL is wrong");
    });

  it("follows no redirect, so that the key reaches no other host", async () => {
    const other = await serve(always(200, aDeployment()));
    const server = await serve((_request, response) =>
      response.writeHead(307, { location: other.url }).end(),
    );
    const error = await rejection(clientOf(server).deployments.get(ID));
    expect(error.message).to.contain(`a redirect to ${other.url}`);
    expect(other.received).to.be.empty;
  });

  const MINUTE = 60_000;
  const date = "Thu, 01 Jan 2026 10:00:00 GMT";
  const inFiveSeconds = "Thu, 01 Jan 2026 10:00:05 GMT";
  const pauses: [string, number, Record<string, string>, number, number[]][] = [
    ["as Retry-After asks", 503, { "retry-after": "7" }, 2, [7_000, 7_000]],
    ["no longer than a minute", 429, { "retry-after": "9999" }, 1, [MINUTE]],
    ["by the server's clock", 503, { date, "retry-after": inFiveSeconds }, 1, [5_000]],
    ["that are over by its clock", 503, { date: inFiveSeconds, "retry-after": date }, 1, [0]],
    ["by itself after an unreadable one", 503, { "retry-after": "soon" }, 1, [250]],
    ["by itself after an empty one", 503, { "retry-after": " " }, 1, [250]],
    ["by itself after a timeout of the server", 408, {}, 1, [250]],
    ["by itself after a timeout of a gateway", 504, {}, 1, [250]],
    ["by itself after what a gateway alone answers", 524, {}, 1, [250]],
    ["by itself after it came too early for a gateway", 425, {}, 1, [250]],
    ["never after what the server does not have", 501, {}, Infinity, []],
    ["never after a version of HTTP that the server does not speak", 505, {}, Infinity, []],
    ["as often as Retry-After asks", 503, { "retry-after": "7" }, 6, Array(6).fill(7_000)],
    ["for two minutes at most", 429, { "retry-after": "60" }, Infinity, [MINUTE, MINUTE]],
    ["four times at most, each longer", 500, {}, Infinity, [250, 500, 1_000, 2_000]],
  ];
  for (const [how, status, headers, refusals, expected] of pauses)
    it(`repeats a GET after pauses ${how}`, async () => {
      const clock = aClock();
      const onOtherPort = await serve(always(200, aDeployment()));
      const server = await serve((_request, response, count) =>
        count > refusals
          ? json(response, 200, aDeployment())
          : response.writeHead(status, headers).end('{"detail":"these words"}'),
      );
      const got = clientOf(server, { clock }).deployments.get(ID);
      if (Number.isFinite(refusals)) await got;
      else expect(await reasonOf(got)).to.contain(`${status} these words`);
      await clientOf(onOtherPort, { clock }).deployments.get(ID);
      expect(clock.pauses).to.deep.equal(expected);
      expect(server.received).to.have.length(expected.length + 1);
    });

  it("repeats a DELETE, an interruption, a POST that reads and a PATCH that only sets values, and none that creates a revision or a version", async () => {
    const server = await serve((_request, response) => response.writeHead(503).end());
    const clock = aClock();
    const { listeners, oauthProviders, deployments, revisions } = clientOf(server, { clock });
    const { threads, assistants, crons } = new sdk.AgentServer({ url: server.url, clock });
    const attemptsOf = async (request: Promise<unknown>): Promise<number> => {
      const before = server.received.length;
      await rejection(request);
      return server.received.length - before;
    };
    expect(await attemptsOf(deployments.delete(ID))).to.equal(5);
    expect(await attemptsOf(revisions.interrupt(ID, ID))).to.equal(5);
    for (const things of [threads, assistants, crons]) {
      expect(await attemptsOf(things.search())).to.equal(5);
      expect(await attemptsOf(things.count())).to.equal(5);
    }
    expect(await attemptsOf(threads.history(ID))).to.equal(5);
    expect(await attemptsOf(assistants.versions(ID))).to.equal(5);
    for (const setter of [listeners, oauthProviders, threads])
      expect(await attemptsOf(setter.update(ID, {}))).to.equal(5);
    for (const maker of [deployments, assistants, crons])
      expect(await attemptsOf(maker.update(ID, {}))).to.equal(1);
  });

  it("repeats a GET whose JSON is cut off, and quotes none of it: it may hold everybody's variables", async () => {
    const server = await serve(always(200, ' {"secrets":[{"name":"K","value":"CANARY"}],'));
    const error = await rejection(clientOf(server, { clock: aClock() }).deployments.get(ID));
    expect(error.message).to.contain("truncated or malformed JSON").and.not.contain("CANARY");
    expect(server.received).to.have.length(5);
  });

  it("throws the last error where the clock cuts its pause short", async () => {
    const server = await serve(always(503, { detail: "away" }));
    const clock = { ...aClock(), sleep: async () => Promise.reject(new Error("cut short")) };
    expect(await reasonOf(clientOf(server, { clock }).deployments.get(ID))).to.contain("away");
  });

  it("never repeats a POST that may have arrived, also after one that was refused with 429", async () => {
    const answers = [0, 503, 429, 0];
    const server = await serve((_request, response, count) => {
      const status = answers[count - 1] ?? 0;
      return status === 0 ? response.destroy() : json(response, status, {});
    });
    const create = () => clientOf(server, { clock: aClock() }).deployments.create(CREATE);
    const lost = await rejection(create());
    expect(lost).to.be.instanceOf(sdk.ConnectionError).with.property("neverSent", false);
    expect(await rejection(create())).to.be.instanceOf(sdk.ServerError);
    expect(await rejection(create())).to.be.instanceOf(sdk.ConnectionError);
    expect(server.received).to.have.length(4);
  });

  it("says that a request may have arrived by its first attempt, whatever ended the last one", async () => {
    const failure = async (...answers: readonly (number | "refused")[]) => {
      const server = await serve(async (_request, response, count) => {
        if (answers[count] === "refused") void server.close();
        const answer = Number(answers[count - 1]);
        return answer === 0 ? response.destroy() : json(response, answer, {});
      });
      return rejection(clientOf(server, { clock: aClock() }).deployments.get("id"));
    };
    for (const last of [401, 404, 422, "refused"] as const)
      expect(sdk.isAmbiguous(await failure(0, last)), String(last)).to.equal(true);
    for (const last of [401, 404, 422] as const)
      expect(sdk.isAmbiguous(await failure(429, last)), String(last)).to.equal(false);
  });

  it("repeats a POST that was refused a connection", async () => {
    const server = await startServer(() => undefined);
    await server.close();
    const clock = aClock();
    const error = await rejection(clientOf(server, { clock }).deployments.create(CREATE));
    expect(error).to.be.instanceOf(sdk.ConnectionError).with.property("neverSent", true);
    expect(error.message).to.contain(`no connection to ${server.url}`);
    expect(clock.pauses).to.have.length(4);
  });

  it("takes a host for away only where each of its addresses is, and a request for never sent where none was reached", async () => {
    const { lookup } = dns;
    const unreachable = "255.255.255.255";
    for (const [code, others, nothingThere] of [
      ["ECONNREFUSED", [], true],
      ["ECONNREFUSED", [unreachable], false],
      ["EAI_AGAIN", [], false],
    ] as const) {
      const failure = code === "EAI_AGAIN" ? Object.assign(new Error(code), { code }) : null;
      const addresses = ["127.0.0.1", ...others].map((address) => ({ address, family: 4 }));
      const all = (_host: string, _options: object, found: (...result: unknown[]) => void) =>
        setImmediate(found, failure, addresses);
      Reflect.set(dns, "lookup", all);
      const client = clientOf(
        { url: "http://two.example.test:9" },
        { clock: aClock(), allowInsecureHttp: true },
      );
      const error = await rejection(
        client.deployments.get(ID).finally(() => Reflect.set(dns, "lookup", lookup)),
      );
      expect(error).to.include({ code, neverSent: true, nothingThere });
    }
  });

  it("keeps the reason of an abort in the pause before a retry", async () => {
    const abort = new AbortController();
    const server = await serve((_request, response) =>
      response.writeHead(429, { "retry-after": "60" }).end("{}"),
    );
    const clock = {
      ...systemClock,
      sleep: (milliseconds: number, signal?: AbortSignal) => {
        const slept = systemClock.sleep(milliseconds, signal);
        abort.abort(new Error("enough"));
        return slept;
      },
    };
    const { deployments } = clientOf(server, { clock });
    expect(await reasonOf(deployments.get(ID, { signal: abort.signal }))).to.equal("enough");
  });

  it("keeps unknown statuses as text and drops unknown members", async () => {
    const server = await serve(
      always(200, { ...aDeployment({ status: "RESTING" }), later_member: 1 }),
    );
    const deployment = await clientOf(server).deployments.get(ID);
    expect(deployment.status).to.equal("RESTING");
    expect(deployment).not.to.have.property("later_member");
  });

  it("shows neither key nor secret value in anything of an error, however deep", async () => {
    const encoded = [KEY, `user:${KEY}`, "value-CANARY-2"].map((text) => btoa(text));
    const echo = `you sent ${KEY} and ${encodeURIComponent(KEY)} and value-CANARY-2 as ${encoded.join(" ")}`;
    const problem = { loc: ["body", echo], msg: echo, type: echo };
    const answers: ((response: ServerResponse) => unknown)[] = [
      (response) => json(response, 400, { detail: echo }),
      ...Array.from({ length: 3 }, () => (response: ServerResponse) => response.end(echo)),
      (response) => json(response, 422, { detail: [problem] }),
      (response) => response.destroy(),
    ];
    const server = await serve((_request, response, count) => void answers[count - 1]?.(response));
    const { deployments, oauthProviders, revisions } = clientOf(server);
    const { secrets } = CREATE;
    const provider = anOAuthProvider({ client_secret: "value-CANARY-2" });
    for (const [words, send] of [
      ["you sent [secret]", () => deployments.create(CREATE)],
      ["you sent [secret]", () => revisions.create(KEY, { secrets })],
      ["you sent [secret]", () => oauthProviders.create(provider)],
      ["you sent [secret]", () => oauthProviders.update(KEY, provider)],
      ["[secret]", () => deployments.update(KEY, { secrets })],
      ["no connection", () => deployments.create(CREATE)],
    ] as const) {
      const shown = inspect(await rejection(send()), { depth: 10, showHidden: true });
      expect(shown).to.contain(words).and.not.contain("CANARY");
      for (const text of shown.match(/[\w+/]{8,}/g) ?? [])
        expect(Buffer.from(text, "base64").toString()).not.to.contain("CANARY");
    }
  });

  const unsendable: [string, string, RegExp][] = [
    ["a blank at its end", `${KEY} `, /begins or ends with a blank/],
    ["a line break at its end", `${KEY}\n`, /begins or ends with a blank or a line break/],
    ["a byte order mark", `\ufeff${KEY}`, /begins or ends with a blank/],
    ["a control character", KEY.replace("-", "\x07"), /contains a control character/],
    ["a line break", KEY.replace("-", "\r\nx-other: "), /contains a control character/],
    ["a character outside Latin-1", KEY.replace("-", "☃"), /one outside ASCII/],
    ["a character outside ASCII", KEY.replace("-", "é"), /one outside ASCII/],
    ["nothing in it", "", /must be a non-empty string/],
  ];
  for (const [what, value, reason] of unsendable)
    it(`refuses a key, a token and a workspace with ${what}, and does not repeat it`, () => {
      const place = { url: "https://a.example.com" };
      const clients = {
        apiKey: () => clientOf(place, { apiKey: value }),
        bearerToken: () => clientOf(place, { apiKey: undefined, bearerToken: value }),
        workspaceId: () => clientOf(place, { workspaceId: value }),
      };
      for (const [name, create] of Object.entries(clients)) {
        expect(create, name).to.throw(TypeError, reason);
        expect(create, name).to.throw(new RegExp(`^${name} `));
        expect(create, name).not.to.throw(/CANARY/);
      }
      expect(() => new sdk.AgentServer({ ...place, apiKey: value })).to.throw(TypeError, reason);
    });

  const LONG = "x".repeat(4_900_000);
  const many = (length: number, item: object) => Array.from({ length }, () => item);
  const long: [string, number, unknown][] = [
    ["a reason", 400, { detail: LONG }],
    ["a problem", 422, { detail: [{ loc: ["body"], msg: LONG, type: "t" }] }],
    ["the place of a problem", 422, { detail: [{ loc: [LONG], msg: "m", type: "t" }] }],
    ["many problems", 422, { detail: many(100_000, { loc: [], msg: "wrong", type: "t" }) }],
    ["a success that is none", 200, { detail: LONG }],
    ["many wrong members", 200, { ...aDeployment(), id: 7, secrets: many(50_000, {}) }],
  ];
  for (const [what, status, body] of long)
    it(`quotes the beginning of ${what} of five million characters, and counts the rest`, async () => {
      const server = await serve(always(status, body));
      const error = await rejection(clientOf(server).deployments.get(ID));
      expect(error.message).to.match(/ … \(\d+ more characters\)$/);
      expect(error.message.length).to.be.below(2_200);
      if (error instanceof sdk.StatusError) expect(error.detail.length).to.be.below(2_050);
      if (error instanceof sdk.Unprocessable)
        expect(JSON.stringify(error.problems[0]).length).to.be.below(2_200);
    });

  it("shows no half of a secret where a long reason is cut", async () => {
    const server = await serve(always(400, { detail: `${"x".repeat(1_995)}${KEY}${LONG}` }));
    const error = await rejection(clientOf(server).deployments.get(ID));
    expect(error.message).not.to.contain(KEY.slice(0, 3));
  });

  it("retries a request before it begins with those that wait for the limit", async () => {
    const server = await serve((_request, response, count) => {
      if (count === 1) response.setHeader("retry-after", "1");
      json(response, count === 1 ? 429 : 200, count === 1 ? {} : aDeployment());
    });
    const client = clientOf(server, { clock: aClock(), maxConcurrentRequests: 1 });
    await Promise.all(["first", "second"].map((id) => client.deployments.get(id)));
    const ids = server.received.map(({ url }) => url.split("/").at(-1));
    expect(ids).to.deep.equal(["first", "first", "second"]);
  });

  it("sends no more requests at once than it may", async () => {
    const held: ServerResponse[] = [];
    let holding = true;
    const server = await serve(({ url }, response) => {
      if (holding && url.endsWith(ID)) held.push(response);
      else json(response, 200, aDeployment());
    });
    const client = clientOf(server, { maxConcurrentRequests: 2 });
    const all = Promise.all(Array.from({ length: 6 }, () => client.deployments.get(ID)));
    // By the time that another client's requests are through, a third one of the first would be there.
    for (let probe = 0; probe < 20 || held.length < 2; probe += 1)
      await clientOf(server).deployments.get("probe");
    expect(held).to.have.length(2);
    holding = false;
    held.forEach((response) => json(response, 200, aDeployment()));
    expect(await all).to.have.length(6);
  });

  it("ends a request that waits for the limit with its signal, before as after it was aborted", async () => {
    const server = await serve(() => undefined);
    const client = clientOf(server, { maxConcurrentRequests: 1 });
    const held = new AbortController();
    const first = rejection(client.deployments.get(ID, { signal: held.signal }));
    for (const signal of [AbortSignal.timeout(20), AbortSignal.abort()])
      expect(await rejection(client.deployments.get(ID, { signal }))).to.equal(signal.reason);
    held.abort();
    expect(await first).to.equal(held.signal.reason);
    expect(server.received.length).to.be.below(2);
  });

  it("has the time of the server's clock, and its own before it was told one", async () => {
    const server = await serve((_request, response, count) => {
      response.sendDate = false;
      if (count > 1) response.setHeader("date", "Thu, 01 Jan 2026 10:00:00 GMT");
      json(response, 200, aDeployment());
    });
    const clock = aClock();
    const client = clientOf(server, { clock });
    await client.deployments.get(ID);
    expect(client.serverTime()).to.equal(undefined);
    expect(client.serverNow().getTime()).to.equal(clock.time);
    await client.deployments.get(ID);
    clock.time += 1_500;
    expect(client.serverNow().toISOString()).to.equal("2026-01-01T10:00:01.500Z");
    const agentServer = new sdk.AgentServer({ url: server.url, clock });
    await agentServer.info();
    expect(agentServer.serverTime()?.toISOString()).to.equal("2026-01-01T10:00:00.000Z");
  });
});

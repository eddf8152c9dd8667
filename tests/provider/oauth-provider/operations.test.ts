import { expect } from "chai";
import type { ServerResponse } from "node:http";
import { oauthProviderLifecycle as lifecycle } from "../../../provider/oauth-provider/operations";
import { type Props, UNKNOWN } from "../../../provider/arguments/props";
import { OAuthProvider, OAuthProvidersList } from "../../../sdk/schema";
import { messageOf } from "../../../shared/errors";
import { anOAuthProvider } from "../../support/builders";
import { impatientClock } from "../../support/clock";
import { always, json, type Received, startServer, type TestServer } from "../../support/http";
import { EVERY_OAUTH_INPUT, OAUTH_INPUTS } from "../../support/inputs";
import { afterKill, contextOf } from "../../support/lifecycle";
import { useFreshPlatform } from "../../support/platform";
import { reasonOf, rejection } from "../../support/rejection";
import { parsed } from "../../support/values";

const PROVIDERS = "/v2/auth/providers";
const SLUG = `${PROVIDERS}/tracker`;
const SECRET = "secret-CANARY";
const AT = "2026-01-01T00:00:00.000Z";

const inputs = (more: Props = {}): Props => ({ ...OAUTH_INPUTS, clientSecret: SECRET, ...more });
const theirs = anOAuthProvider({ name: "Theirs", client_id: "theirs" });
const UNDECLARED = {
  usesPkce: null,
  codeChallengeMethod: null,
  providerType: null,
  tokenEndpointAuthMethod: null,
  adoptExisting: null,
};

describe("an OAuth provider's lifecycle against a control plane", () => {
  const test = useFreshPlatform();

  const context = (config: Record<string, string> = {}) => ({
    ...contextOf(test.platform, [], config),
    clock: impatientClock(),
  });
  const create = (more: Props = {}) => lifecycle.create(inputs(more), context());
  const live = async () => parsed(OAuthProvidersList, (await test.request("GET", PROVIDERS)).body);
  const get = async () => parsed(OAuthProvider, (await test.request("GET", SLUG)).body);
  const sent = (method: string) =>
    Object.entries(test.platform.admin.requests()).filter(([name]) => name.startsWith(method));
  const update = (outs: Props, news: Props) => lifecycle.update("tracker", outs, news, context());

  it("creates a provider whose id is its slug, and gives every output", async () => {
    const { id, outs } = await create();
    const { created_at: createdAt, updated_at: updatedAt } = await get();
    const { url: baseUrl, workspaceId: tenantId } = test.platform;
    expect(id).to.equal("tracker");
    expect(outs).to.deep.equal({
      ...UNDECLARED,
      ...inputs(),
      tenantId,
      baseUrl,
      organizationId: tenantId,
      mcpServerUrl: null,
      isDynamicClient: false,
      createdAt,
      updatedAt,
    });
  });

  it("sends every argument, and null for absence", async () => {
    await create(EVERY_OAUTH_INPUT);
    const { uses_pkce, code_challenge_method, provider_type, ...others } = await get();
    expect([uses_pkce, code_challenge_method, provider_type]).to.eql([true, "plain", "slack"]);
    expect(others).to.have.property("token_endpoint_auth_method", "client_secret_basic");
    await lifecycle.create(inputs({ ...UNDECLARED, providerId: "least" }), context());
    expect(await live()).to.have.length(2);
  });

  it("adopts with adoptExisting, and sends nothing but a client secret that is set", async () => {
    await create();
    const { clientSecret, ...shown } = inputs();
    const adopting = { ...shown, adoptExisting: true };
    const { id, outs } = await lifecycle.create(adopting, context());
    expect(id).to.equal("tracker");
    expect(outs).to.include({ clientSecret: null, adoptExisting: true });
    expect(sent("PATCH")).to.be.empty;
    await lifecycle.create({ ...adopting, clientSecret }, context());
    expect(sent("PATCH")).to.deep.equal([[`PATCH ${PROVIDERS}/{provider_id}`, 1]]);
  });

  it("adopts what an interrupted create of the state made, and sends what has changed and what it can't compare", async () => {
    await create();
    const news = inputs({ name: "Renamed" });
    const recorded = inputs({ clientSecret: UNKNOWN });
    const made = await lifecycle.create(news, afterKill(context(), news, recorded));
    expect(made.id).to.equal("tracker");
    expect(await get()).to.include({ name: "Renamed" });
    const other = inputs({ clientId: "theirs", clientSecret: UNKNOWN });
    const refused = await rejection(lifecycle.create(news, afterKill(context(), news, other)));
    expect(refused.message).to.contain("not what the interrupted create of this resource");
  });

  it("refuses at the preview what an update cannot clear, and again where no check has seen it", async () => {
    const { outs } = await create();
    const news = inputs({ clientSecret: undefined });
    const { failures } = await lifecycle.check(inputs(), news, context());
    expect(failures?.map(({ property }) => property)).to.deep.equal(["clientSecret"]);
    const wrong = await lifecycle.check(inputs(), inputs({ clientSecret: 5 }), context());
    expect(wrong.failures?.map(({ reason }) => reason)).to.deep.equal(["must be a string"]);
    const replaced = { ...news, __replaceOnChanges: ["clientSecret"] };
    expect((await lifecycle.check(inputs(), replaced, context())).failures).to.be.empty;
    expect(await reasonOf(update(outs, news))).to.match(
      /^update OAuth provider 'tracker': clientSecret: can't be removed/,
    );
    expect(sent("PATCH")).to.be.empty;
  });

  it("reads every argument of a provider that others manage but the secret and what the service takes by default, and fails when there is none", async () => {
    await create({ usesPkce: true });
    const { inputs: read, props } = await lifecycle.read("tracker", { __urn: "urn" }, context());
    const { clientSecret: _, ...visible } = inputs();
    expect(read).to.deep.equal({ ...visible, usesPkce: true, __urn: "urn" });
    expect(props).to.include({ clientSecret: null, baseUrl: test.platform.url });
    const { message } = await rejection(lifecycle.read("nobody", {}, context()));
    expect(message).to.match(/^get OAuth provider 'nobody': .*does not exist in workspace/);
  });

  it("leaves a provider alone that another workspace has under the same slug", async () => {
    const { id, outs } = await create();
    const { workspaceId, apiKey } = test.platform.admin.addWorkspace("other");
    const config = { "agentserver:workspaceId": workspaceId, "agentserver:apiKey": apiKey };
    await lifecycle.create(inputs({ name: "Theirs" }), context(config));
    for (const attempt of [
      lifecycle.read(id, outs, context(config)),
      lifecycle.update(id, outs, inputs({ name: "New" }), context(config)),
      lifecycle.delete(id, outs, context(config)),
    ])
      expect(await reasonOf(attempt)).to.contain("nothing was changed");
    const keys = { "X-Api-Key": apiKey, "X-Tenant-Id": workspaceId };
    const { body } = await test.request("GET", SLUG, undefined, keys);
    expect(body).to.have.property("name", "Theirs");
  });

  it("treats one that was recreated under its slug as another one, and leaves it alone", async () => {
    const { outs } = await create();
    await test.request("DELETE", SLUG);
    await test.platform.admin.advanceClock(60);
    const { created_at: createdAt } = parsed(
      OAuthProvider,
      (await test.request("POST", PROVIDERS, theirs)).body,
    );
    expect(await lifecycle.read("tracker", outs, context())).to.deep.equal({ id: "", props: {} });
    const error = await rejection(update(outs, inputs({ name: "Changed" })));
    expect(error.message).to.include("tracker no longer exists; run `pulumi refresh`");
    await lifecycle.delete("tracker", outs, context());
    expect(await get()).to.include({ name: theirs.name, created_at: createdAt });
  });

  it("deletes a provider, also when the response is lost, and is content when it is gone already", async () => {
    for (const action of ["drop-after", "drop-before"] as const) {
      const { id, outs } = await create();
      test.platform.admin.addFault({ match: { method: "DELETE" }, times: 1, action });
      await lifecycle.delete(id, outs, context());
      expect(await live()).to.be.empty;
      await lifecycle.delete(id, outs, context());
    }
  });
});

describe("an OAuth provider's lifecycle against a service that behaves badly", () => {
  let server: TestServer;
  afterEach(() => server.close());

  type Respond = (request: Received, response: ServerResponse, count: number) => void;
  const serve = async (respond: Respond) => {
    server = await startServer(respond);
    const platform = { url: server.url, workspaceId: "mine", apiKey: "key-of-mine" };
    return { ...contextOf(platform), clock: impatientClock() };
  };
  const shown = { id: "p1", organization_id: "org", uses_pkce: false, code_challenge_method: null };
  const times = { created_at: AT, updated_at: AT };
  const provider = (changes: object = {}) => anOAuthProvider({ ...shown, ...times, ...changes });
  const state = (more: Props = {}): Props => ({
    ...inputs(more),
    baseUrl: server.url,
    tenantId: "mine",
  });

  it("sends the client secret when it changes and at no other time, since no response shows it", async () => {
    const context = await serve(always(200, provider()));
    const update = (news: Props) => lifecycle.update("tracker", state(), news, context);
    await update(inputs());
    await update(inputs({ clientSecret: "another" }));
    await update(inputs({ clientSecret: "another", name: "New" }));
    const patches = server.received.filter(({ method }) => method === "PATCH");
    const expected = [{ client_secret: "another" }, { name: "New", client_secret: "another" }];
    expect(patches.map(({ body }): unknown => JSON.parse(body))).to.deep.equal(expected);
  });

  const REFUSED = /^get OAuth provider 'tracker': .*does not offer this/;
  const ANOTHER = provider({ provider_id: "other" });
  for (const [what, listed, found] of [
    ["no list is offered either", undefined, REFUSED],
    ["the list has it", [ANOTHER, provider({ name: "Listed" })], /^Listed$/],
    ["the list lacks it", [ANOTHER], /^gone$/],
  ] as const)
    it(`takes one that is not offered by itself for gone by the list alone: ${what}`, async () => {
      const context = await serve(({ url }, response) =>
        listed && url === PROVIDERS ? json(response, 200, listed) : json(response, 404, {}),
      );
      const read = lifecycle.read("tracker", state(), context);
      const outcome = await read.then(({ id, inputs: { name } = {} }) => id && name, messageOf);
      expect(outcome || "gone").to.match(found);
    });

  for (const status of [400, 401, 403, 409, 422, 500])
    it(`shows no client secret, old or new, that a ${status} quotes`, async () => {
      const quoted = `refused: ${SECRET} and new-CANARY in ${encodeURIComponent(SECRET)}`;
      const detail = status === 422 ? [{ loc: ["body", "name"], msg: quoted, type: "t" }] : quoted;
      const refusing = await serve(always(status, { detail }));
      const news = inputs({ clientSecret: "new-CANARY" });
      const messages = [
        rejection(lifecycle.create(inputs(), refusing)),
        rejection(lifecycle.read("tracker", state(), refusing)),
        rejection(lifecycle.update("tracker", state(), news, refusing)),
        rejection(lifecycle.delete("tracker", state(), refusing)),
      ].map(async (attempt) => (await attempt).message);
      const [created = "", read = "", updated = "", deleted = ""] = await Promise.all(messages);
      for (const message of [created, read, updated, deleted])
        expect(message).to.contain("refused: [secret]").and.not.contain(SECRET);
      expect(updated).not.to.contain("CANARY");
    });
});

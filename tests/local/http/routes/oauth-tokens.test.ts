import { expect } from "chai";
import { mock } from "node:test";
import { formsOf } from "../../../../lab/faults/leaks";
import { ControlPlane } from "../../../../sdk";
import { until } from "../../children";
import { startAuthorizationServer } from "../../../support/authorization-server";
import { startEndless } from "../../front";
import { useServers } from "../../../support/http";
import { rejection } from "../../../support/rejection";
import { usePlatform } from "../../../support/platform";

const CANARIES = ["CANARY", "two%2Dwords", ...formsOf("CANARY")];
const showsSecret = (text: string): boolean => CANARIES.some((form) => text.includes(form));

/** What is written to standard error meanwhile. */
async function printedBy(work: () => Promise<unknown>): Promise<string> {
  let printed = "";
  const write = (text: unknown) => Boolean((printed += String(text)));
  const { mock: spy } = mock.method(process.stderr, "write", write);
  await work().finally(() => spy.restore());
  return printed;
}

const SECRET = "hidden-client-secret";
const SCOPES = ["repo"];
const WAIT = "GET /v2/auth/wait/{auth_id}";

describe("local/http/routes/oauth-tokens", () => {
  const t = usePlatform();
  const serve = useServers();
  let server: Awaited<ReturnType<typeof startAuthorizationServer>>;
  let client: ControlPlane;
  before(async () => {
    server = await startAuthorizationServer(SECRET);
    client = clientOf(t.platform);
  });
  after(() => server.close());

  const clientOf = (
    { apiKey, workspaceId }: { apiKey: string; workspaceId: string },
    limits: { requestTimeoutSeconds?: number } = {},
  ) => new ControlPlane({ baseUrl: t.platform.url, apiKey, workspaceId, ...limits });
  const declare = (provider_id: string, changes: object = {}) =>
    client.oauthProviders.create({
      provider_id,
      name: "Acme",
      client_id: "client",
      client_secret: SECRET,
      auth_url: `${server.url}/authorize?prompt=none`,
      token_url: `${server.url}/token`,
      uses_pkce: true,
      ...changes,
    });
  const start = (provider: string, changes: object = {}) =>
    client.oauthTokens.authenticate({ provider, scopes: SCOPES, ...changes });
  /** The page that the browser reads when the user has agreed, and something before it has asked with HEAD. */
  const agree = async (url: string | null | undefined) => {
    const back = server.agree(url ?? "");
    expect((await fetch(back, { method: "HEAD" })).status).to.equal(200);
    const answer = await fetch(back);
    return { status: answer.status, body: await answer.text() };
  };
  /** A token, by the whole way. */
  const authenticate = async (provider: string, changes: object = {}) => {
    const { auth_id, url } = await start(provider, { force_new: true, ...changes });
    expect(await agree(url)).to.have.property("status", 200);
    return client.oauthTokens.wait(auth_id ?? "");
  };

  for (const method of ["client_secret_basic", "client_secret_post"] as const)
    it(`makes a token of the code that a user brings back, with ${method}, and keeps it; a HEAD before uses nothing up`, async () => {
      await declare(method, { token_endpoint_auth_method: method });
      await client.oauthProviders.update(method, { name: "Renamed, with the secret that it has" });
      const started = await start(method);
      expect(started).to.include({ status: "pending", token: null });
      expect(started.url).to.contain(`${server.url}/authorize?prompt=none&response_type=code`);
      const waiting = client.oauthTokens.wait(started.auth_id ?? "");
      await agree(started.url);
      const { status, token } = await waiting;
      expect(status).to.equal("completed");
      expect(token).to.match(/^token-of-.*-for-repo$/);
      expect(await start(method)).to.include({ status: "completed", token, url: null });
      await t.restart();
      expect(await start(method)).to.include({ status: "completed", token });
    });

  it("waits for the user as long as it is asked to, by the platform's clock; asks again for more scopes, for a new token on demand, and when the token has expired", async () => {
    await declare("waiting");
    const { auth_id, url } = await start("waiting");
    // A request that waits is given its time whatever other requests have.
    const impatient = clientOf(t.platform, { requestTimeoutSeconds: 0.001 });
    const look = impatient.oauthTokens.wait(auth_id ?? "", { timeoutSeconds: 0 });
    expect(await look).to.have.property("status", "timeout");
    for (const [status, advanced] of Object.entries({ timeout: 31, completed: 20 })) {
      t.platform.admin.clearRequests();
      const waiting = client.oauthTokens.wait(auth_id ?? "", { timeoutSeconds: 30 });
      await until("the request", () => t.platform.admin.requests()[WAIT] === 1);
      await t.platform.admin.advanceClock(advanced);
      if (status === "completed") await agree(url);
      expect(await waiting).to.have.property("status", status);
    }
    await declare("again");
    await authenticate("again");
    for (const [changes, status, passes] of [
      [{}, "completed", 0],
      [{ scopes: ["repo", "admin"] }, "pending", 0],
      [{ force_new: true }, "pending", 0],
      [{}, "completed", 3500],
      [{}, "pending", 101],
    ] as const) {
      await t.platform.admin.advanceClock(passes);
      expect(await start("again", changes)).to.have.property("status", status);
    }
  });

  it("proves itself by a plain challenge or by none, and sends no secret, as the provider declares; keeps the scopes that it granted, which may be none, without an end where it names none", async () => {
    await declare("plain", { code_challenge_method: "plain" });
    await declare("unproven", { uses_pkce: false });
    const secretless = { token_endpoint_auth_method: "none" };
    await declare("public", { ...secretless, auth_url: `${server.url}/authorize?public=yes` });
    const granted = encodeURIComponent("user,read:org mail");
    await declare("granting", { auth_url: `${server.url}/authorize?granted=${granted}` });
    for (const provider of ["plain", "unproven", "public", "granting"])
      await authenticate(provider);
    const tokens = await Array.fromAsync(client.oauthTokens.list({ providerId: "granting" }));
    const scopes = ["user", "read:org", "mail"];
    expect(tokens.map((token) => [token.scopes, token.expires_at])).to.deep.equal([[scopes, null]]);
    expect(await start("granting", { scopes: ["mail"] })).to.have.property("status", "completed");
    await declare("scopeless", { auth_url: `${server.url}/authorize?granted=` });
    for (const [asked, status] of [
      [[], "completed"],
      [["mail"], "pending"],
    ] as const) {
      await authenticate("scopeless", { scopes: asked });
      expect(await start("scopeless", { scopes: asked })).to.have.property("status", status);
    }
  });

  it("reports the words of a provider that refuses a code with 200", async () => {
    await declare("refusing");
    const { url } = await start("refusing");
    const back = server.agree(url ?? "").replace(/code=/, "code=other-");
    const printed = await printedBy(async () => expect((await fetch(back)).status).to.equal(502));
    expect(printed).to.contain('its code: 200 {"error":"bad_verification_code"}');
  });

  it("uses another token of the user where the default one has expired", async () => {
    await declare("aged");
    await authenticate("aged");
    await t.platform.admin.advanceClock(3500);
    const { token } = await authenticate("aged");
    const tokens = await Array.fromAsync(client.oauthTokens.list({ providerId: "aged" }));
    const oldest = tokens.find(({ is_default }) => !is_default)?.id ?? "";
    await client.oauthTokens.update(oldest, { is_default: true });
    expect((await start("aged")).token).not.to.equal(token);
    await t.platform.admin.advanceClock(200);
    expect(await start("aged")).to.include({ status: "completed", token });
  });

  it("lists tokens without their values, labels them, and has one default of a provider", async () => {
    await declare("listed");
    const list = (providerId = "listed") =>
      Array.fromAsync(client.oauthTokens.list({ providerId }));
    const defaults = async (of?: string) => (await list(of)).map(({ is_default }) => is_default);
    await declare("other");
    await authenticate("other");
    expect(await client.oauthTokens.exists("listed")).to.equal(false);
    const values: unknown[] = [];
    for (const _ of ["first", "second"]) values.push((await authenticate("listed")).token);
    const [first, ...more] = await list();
    expect(JSON.stringify([first, ...more])).to.not.contain("token-of");
    expect(await defaults()).to.deep.equal([false, true]);
    const changes = { provider_account_label: "bot", is_default: true };
    expect(await client.oauthTokens.update(first?.id ?? "", changes)).to.include(changes);
    expect(await defaults()).to.deep.equal([true, false]);
    expect(await defaults("other")).to.deep.equal([true]);
    await client.oauthTokens.update(first?.id ?? "", { provider_account_label: "robot" });
    await client.oauthTokens.update(first?.id ?? "", {});
    expect((await list())[0]).to.include({ provider_account_label: "robot", is_default: true });
    const chosen = [await start("listed"), await start("listed", { token_id: more[0]?.id })];
    expect(chosen.map(({ token }) => token)).to.deep.equal(values);
    await client.oauthTokens.delete(first?.id ?? "");
    expect(await list()).to.have.lengthOf(1);
    await client.oauthTokens.deleteAll("listed");
    expect(await client.oauthTokens.exists("listed")).to.equal(false);
    expect(await client.oauthTokens.exists("other")).to.equal(true);
  });

  it("refuses a state that nobody waits for, one that was used, what has no code, and what comes to another provider, too late or after its deletion; ends the wait", async () => {
    const refusal = async (back: string, detail: string) => {
      const answer = await fetch(back);
      expect([answer.status, await answer.json()]).to.deep.equal([400, { detail }]);
    };
    const nobody = "no authentication at 'refused' waits for this state; start it again";
    await declare("refused");
    await refusal(`${t.platform.url}/v2/auth/callback/refused?code=c&state=forged`, nobody);
    for (const [words, why] of [
      ["error=access_denied", "access_denied"],
      ["error=denied&error_description=no", "denied: no"],
      ["", "no reason given"],
    ] as const) {
      const { auth_id, url } = await start("refused");
      const back = server.agree(url ?? "").replace(/code=[^&]*/, words);
      await refusal(back, `'refused' gave no code: ${why}`);
      expect(await client.oauthTokens.wait(auth_id ?? "")).to.have.property("status", "not_found");
      await refusal(server.agree(url ?? ""), nobody);
    }
    const old = await start("refused");
    const late = server.agree(old.url ?? "");
    await refusal(late.replace("/refused?", "/else?"), nobody.replace("refused", "else"));
    await t.platform.admin.advanceClock(601);
    const look = client.oauthTokens.wait(old.auth_id ?? "", { timeoutSeconds: 0 });
    expect(await look).to.have.property("status", "not_found");
    await refusal(late, nobody);
    const { auth_id, url } = await start("refused");
    await client.oauthProviders.delete("refused");
    await refusal(server.agree(url ?? ""), "OAuth provider 'refused' has been deleted");
    expect(await client.oauthTokens.wait(auth_id ?? "")).to.have.property("status", "not_found");
  });

  for (const method of ["client_secret_basic", "client_secret_post"])
    it(`shows a browser nothing of what the provider answers to ${method} when it gives no token, and its terminal all but secrets`, async () => {
      const client_secret = "CANARY two-words";
      await declare(`wrong_${method}`, { client_secret, token_endpoint_auth_method: method });
      const { url } = await start(`wrong_${method}`);
      const detail = `'wrong_${method}' gave no token for its code; the standard error of the local platform says why`;
      const printed = await printedBy(async () =>
        expect(await agree(url)).to.deep.equal({ status: 502, body: JSON.stringify({ detail }) }),
      );
      expect(printed).to.contain(`error: 'wrong_${method}' gave no token for its code: 401`);
      expect(printed).to.contain("invalid_client").and.contain("[secret]");
      expect(showsSecret(printed), printed).to.equal(false);
    });

  it("reads no more than 1 MiB of what the provider answers", async () => {
    const endless = await startEndless(serve);
    await declare("endless", { token_url: `${endless.url}/token` });
    const { url } = await start("endless");
    const printed = await printedBy(async () =>
      expect(await agree(url)).to.have.property("status", 502),
    );
    expect(printed).to.contain("its response exceeds 1048576 bytes").and.not.contain("xxx");
    await endless.ended;
  });

  it("shows nothing of one workspace to another, and forgets the tokens of a deleted provider", async () => {
    await declare("shared");
    const { auth_id, url } = await start("shared");
    await agree(url);
    const others = clientOf(t.platform.admin.addWorkspace("other"));
    expect(await others.oauthTokens.wait(auth_id ?? "")).to.have.property("status", "not_found");
    expect(await Array.fromAsync(others.oauthTokens.list())).to.deep.equal([]);
    for await (const { id } of client.oauthTokens.list({ providerId: "shared" })) {
      const refused = await rejection(others.oauthTokens.delete(id));
      expect(refused.message).to.contain(`OAuth token ${id} not found`);
    }
    await client.oauthProviders.delete("shared");
    expect(await client.oauthTokens.exists("shared")).to.equal(false);
  });
});

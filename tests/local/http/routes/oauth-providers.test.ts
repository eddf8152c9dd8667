import { expect } from "chai";
import { inspect } from "node:util";
import { OAuthProvider } from "../../../../sdk/schema";
import { anOAuthProvider } from "../../../support/builders";
import { usePlatform } from "../../../support/platform";

const LIST = "/v2/auth/providers";
const SECRET = "hidden-client-secret";

describe("local/http/routes/oauth-providers", () => {
  const t = usePlatform();

  const bodyOf = (provider_id: string, changes: object = {}) =>
    anOAuthProvider({ provider_id, client_secret: SECRET, ...changes });
  /** Every answer of this file goes through here: none may hold the secret. */
  const send = async (method: string, path: string, body?: unknown, keys = {}) => {
    const answer = await t.request(method, path, body, keys);
    const text = inspect(answer, { depth: 10 });
    expect(text).to.not.contain(SECRET);
    expect(text).to.not.contain("client_secret:");
    return answer;
  };
  const create = async (provider_id: string, changes: object = {}) => {
    const answer = await send("POST", LIST, bodyOf(provider_id, changes));
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    return OAuthProvider.parse(answer.body);
  };

  it("creates a provider with the service's defaults, and changes what is given and not null; both are read back as answered", async () => {
    const provider = await create("plain");
    const token = {
      code_challenge_method: "S256",
      token_endpoint_auth_method: "client_secret_post",
    };
    const none = { uses_pkce: false, provider_type: null, mcp_server_url: null };
    const own = { provider_id: "plain", organization_id: t.platform.workspaceId };
    expect(provider).to.include({ ...own, ...token, ...none, is_dynamic_client: false });
    expect((await send("GET", `${LIST}/plain`)).body).to.deep.equal(provider);
    const changes = { name: "New", uses_pkce: true, auth_url: null, client_secret: `${SECRET}-2` };
    const answer = await send("PATCH", `${LIST}/plain`, changes);
    expect(answer.status).to.equal(200);
    const { updated_at, ...rest } = OAuthProvider.parse(answer.body);
    expect({ ...provider, name: "New", uses_pkce: true }).to.deep.include(rest);
    expect(updated_at > provider.updated_at).to.equal(true);
    expect((await send("GET", `${LIST}/plain`)).body).to.deep.equal(answer.body);
    const urls = { auth_url: "https://a.example.com/", token_url: "https://t.example.com/" };
    const others = { client_id: "other", uses_pkce: false, code_challenge_method: "plain" };
    const { body } = await send("PATCH", `${LIST}/plain`, { ...urls, ...others });
    expect(body).to.include({ name: "New", ...urls, ...others });
  });

  it("deletes a provider with 200 and an empty object; then its slug is free; answers 409 to one that is taken, and 422 to what is none", async () => {
    await create("deleted");
    const { status, body } = await send("DELETE", `${LIST}/deleted`);
    expect([status, body]).to.deep.equal([200, {}]);
    for (const method of ["GET", "DELETE"]) {
      const lost = await send(method, `${LIST}/deleted`);
      const detail = "OAuth provider deleted not found";
      expect([lost.status, lost.body]).to.deep.equal([404, { detail }]);
    }
    await create("deleted");
    await create("taken");
    const taken = await send("POST", LIST, bodyOf("taken"));
    const detail = "an OAuth provider 'taken' exists already";
    expect([taken.status, taken.body]).to.deep.equal([409, { detail }]);
    const refused = await send("POST", LIST, bodyOf("no slug", { auth_url: "no URL" }));
    expect(refused.status).to.equal(422);
    expect(refused.body).to.have.nested.property("detail[0].loc[1]", "provider_id");
    expect(refused.body).to.have.nested.property("detail[1].loc[1]", "auth_url");
  });

  it("shows nothing of one workspace to another, where the same slug is free; keeps them over a restart, and lists them in the order they were made, as a bare array", async () => {
    await create("shared");
    const other = t.platform.admin.addWorkspace("other");
    const keys = { "X-Api-Key": other.apiKey, "X-Tenant-Id": other.workspaceId };
    expect((await send("GET", LIST, undefined, keys)).body).to.deep.equal([]);
    for (const method of ["GET", "PATCH", "DELETE"]) {
      const body = method === "PATCH" ? { name: "Mine now" } : undefined;
      expect((await send(method, `${LIST}/shared`, body, keys)).status, method).to.equal(404);
    }
    const theirs = await send("POST", LIST, bodyOf("shared", { name: "Theirs" }), keys);
    expect(theirs.status).to.equal(200);
    expect((await send("GET", `${LIST}/shared`)).body).to.have.property("name", "Tracker");
    const made = [await create("z-first"), await create("a-second")];
    await t.restart();
    const { body } = await send("GET", LIST);
    expect(OAuthProvider.array().parse(body).slice(-2)).to.deep.equal(made);
  });
});

import { type Input, output, secret } from "@pulumi/pulumi";
import { expect } from "chai";
import { OAuthProvider, type OAuthProviderArgs } from "pulumi-agentserver";
import { OAuthProvider as Answer, OAuthProvidersList } from "../../sdk/schema";
import { settingsFor, TestStack } from "../support/engine";
import { startTestPlatform, type TestPlatform } from "../support/platform";
import type { Run } from "../support/run";
import { parsed } from "../support/values";
import { describeNightly } from "../support/tiers";

const PROVIDERS = "/v2/auth/providers";
const SECRET = "value-CANARY-of-a-secret";

describeNightly("an OAuth provider, on the real engine", () => {
  let test: TestPlatform;
  let stack: TestStack;
  const seen: Run[] = [];

  const argsOf = (clientSecret?: Input<string>): OAuthProviderArgs => ({
    providerId: "tracker",
    name: "Tracker",
    clientId: "client",
    clientSecret,
    authUrl: "https://id.example.com/authorize",
    tokenUrl: "https://id.example.com/token",
  });
  const declare = (clientSecret: Input<string>, changes: Partial<OAuthProviderArgs> = {}) => {
    stack.program = async () => {
      const { id, clientSecret: shown } = new OAuthProvider("tracker", {
        ...argsOf(clientSecret),
        ...changes,
      });
      return { id, shown };
    };
  };
  /** Every run of this file goes through here: all that it prints is searched at the end. */
  const run = async (running: Promise<Run>): Promise<Run> => {
    const done = await running;
    seen.push(done);
    return done;
  };
  const up = async (): Promise<Run> => {
    const done = await run(stack.up());
    expect(done.ok, done.text).to.equal(true);
    return done;
  };
  const live = async () => parsed(OAuthProvidersList, (await test.request("GET", PROVIDERS)).body);
  const get = async (slug = "tracker") =>
    parsed(Answer, (await test.request("GET", `${PROVIDERS}/${slug}`)).body);
  const refuseUpdate = () =>
    test.platform.admin.addFault({
      match: { method: "PATCH", path: `${PROVIDERS}/tracker` },
      times: 1,
      action: "status",
      status: 409,
      body: { detail: `cannot take ${SECRET} nor ${SECRET}-2` },
      headers: { "content-type": "application/json" },
    });

  before(async () => {
    test = await startTestPlatform();
    stack = await TestStack.create(settingsFor(test.platform), async () => undefined);
    declare(SECRET);
  });
  after(async () => {
    await stack.remove();
    await test.close();
  });

  it("creates one provider though the response to its POST is lost", async () => {
    const match = { method: "POST", path: PROVIDERS };
    test.platform.admin.clearRequests();
    test.platform.admin.addFault({ match, times: 1, action: "drop-after" });
    await up();
    expect(test.platform.admin.requests()).to.include({ [`POST ${PROVIDERS}`]: 1 });
    expect(await live()).to.have.length(1);
  });

  it("previews nothing when nothing changed, and asks nobody", async () => {
    test.platform.admin.clearRequests();
    expect((await run(stack.preview())).changes).to.deep.equal({ same: 2 });
    expect(test.platform.admin.requests()).to.be.empty;
  });

  it("changes values and the secret in place, the secret also inside an output", async () => {
    declare(
      output(SECRET).apply((value) => `${value}-2`),
      { name: "New" },
    );
    const { steps: previewed, text } = await run(stack.preview({ diff: true }));
    expect(previewed).to.deep.equal({ tracker: "update" });
    expect(text).to.contain("clientSecret").and.contain("[secret] => [secret]");
    refuseUpdate();
    const { ok, messages } = await run(stack.up());
    expect(ok).to.equal(false);
    expect(messages.join("\n")).to.contain("cannot take [secret] nor [secret]");
    test.platform.admin.clearRequests();
    const { steps } = await up();
    expect(steps).to.deep.equal({ tracker: "update" });
    expect(test.platform.admin.requests()).to.include({ [`PATCH ${PROVIDERS}/{provider_id}`]: 1 });
    expect(await get()).to.include({ name: "New" });
    expect((await run(stack.preview())).changes).to.deep.equal({ same: 2 });
  });

  it("refuses at the preview what the service cannot clear", async () => {
    stack.program = async () => void new OAuthProvider("tracker", argsOf());
    const { ok, messages } = await run(stack.preview());
    expect(ok).to.equal(false);
    expect(messages.join("\n")).to.contain("clientSecret can't be removed");
  });

  it("shows drift at a refresh and corrects it at the next up; the secret's drift is invisible", async () => {
    declare(secret(`${SECRET}-2`));
    await up();
    await test.request("PATCH", `${PROVIDERS}/tracker`, {
      name: "Theirs",
      client_secret: "theirs",
    });
    expect((await run(stack.refresh())).steps).to.deep.equal({ tracker: "update" });
    test.platform.admin.clearRequests();
    expect((await up()).steps).to.deep.equal({ tracker: "update" });
    expect(await get()).to.include({ name: "Tracker" });
    expect((await run(stack.refresh())).changes).to.deep.equal({ same: 2 });
  });

  it("replaces: with another provider id the new one is created first, with the same the old one is deleted first", async () => {
    declare(SECRET, { providerId: "issues" });
    const { messages } = await run(stack.preview());
    expect(messages.join("\n")).to.contain("the new provider is created first");
    expect((await up()).steps).to.deep.equal({ tracker: "replace" });
    expect((await live()).map((one) => one.provider_id)).to.deep.equal(["issues"]);
    const old = await get("issues");
    declare(SECRET, { providerId: "issues", providerType: "slack" });
    expect((await up()).steps).to.deep.equal({ tracker: "replace" });
    const [only, ...others] = await live();
    expect(others).to.be.empty;
    expect(only).to.include({ provider_id: "issues", provider_type: "slack" });
    expect(only).not.to.include({ id: old.id });
  });

  it("reads one that others manage, without its secret", async () => {
    stack.program = async () => {
      const { name, clientSecret, codeChallengeMethod } = OAuthProvider.get("theirs", "issues");
      new OAuthProvider("tracker", {
        ...argsOf(SECRET),
        providerId: "issues",
        providerType: "slack",
      });
      return { name, clientSecret, codeChallengeMethod };
    };
    await up();
    const outputs = await stack.outputs();
    expect(outputs["name"]?.value).to.equal("Tracker");
    expect(outputs["codeChallengeMethod"]?.value).to.equal("S256");
    expect(outputs["clientSecret"]).to.include({ value: null });
  });

  it("destroys it", async () => {
    const { ok, text } = await run(stack.destroy());
    expect(ok, text).to.equal(true);
    expect(await live()).to.be.empty;
  });

  it("has shown the secret in no output, message or state file", async () => {
    for (const { text, messages } of seen)
      expect([text, ...messages].join("\n")).not.to.contain("CANARY");
    expect(await stack.stateFiles()).not.to.contain("CANARY");
  });
});

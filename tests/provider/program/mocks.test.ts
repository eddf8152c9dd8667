import { createHash } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import * as agentserver from "pulumi-agentserver";

import * as native from "pulumi-agentserver/native";
import { hiddenOf } from "../../../provider/arguments/props";
import { withSecrets } from "../../../provider/arguments/secrets";
import { settingsKeptBy } from "../../../provider/program/provider";
import { providerText } from "../../../shared/provider-text";
import { untyped } from "../../support/values";

const STACK = "urn:pulumi:test::shop::";
const TYPE = "pulumi-nodejs:dynamic/agentserver:Deployment";
const TEXT = providerText("deployment");

/** The value of an output; undefined while it is unknown. */
async function valueOf<Value>(of: pulumi.Output<Value>): Promise<unknown> {
  const value: unknown = await pulumi.runtime.serializeProperty("", of);
  return value === pulumi.runtime.unknownValue ? undefined : value;
}

describe("a program under pulumi.runtime.setMocks", () => {
  const resources: pulumi.runtime.MockResourceArgs[] = [];
  const calls: pulumi.runtime.MockCallArgs[] = [];

  const mock = async (preview: boolean) => {
    resources.length = 0;
    calls.length = 0;
    await pulumi.runtime.setMocks(
      {
        newResource: (args) => {
          resources.push(args);
          const url = `https://${args.name}.example.com`;
          return { id: `id-of-${args.name}`, state: { ...args.inputs, url, threadId: "thread-1" } };
        },
        call: (args) => {
          calls.push(args);
          const isList = /:(list|search|getThreadHistory)/.test(args.token);
          return isList ? [{ id: "1" }, { id: "2" }] : { id: "only", url: null, ...args.inputs };
        },
      },
      "shop",
      "test",
      preview,
    );
  };
  beforeEach(() => mock(false));
  // The mocks are the process's, and other tests run in it.
  after(() => pulumi.runtime.resetOptions("project", "stack", -1, "", "", false, ""));

  it("compares redeployOn by its content", async () => {
    const { id } = new agentserver.Deployment("support", {
      source: "internal_container",
      redeployOn: [new pulumi.asset.StringAsset("a")],
    });
    await valueOf(id);
    const { redeployOn, ...inputs } = resources[0]?.inputs ?? {};
    expect(hiddenOf(inputs)).to.deep.equal({ __provider: TEXT, __urn: `${STACK}${TYPE}::support` });
    expect(redeployOn).to.deep.equal([createHash("sha256").update("a").digest("hex")]);
  });

  it("registers variables that are not an object as they are, for the process to refuse", async () => {
    const env = untyped(pulumi.output("A=1"));
    const { id } = new agentserver.Deployment("support", { source: "internal_container", env });
    await valueOf(id);
    expect(resources[0]?.inputs["env"]).to.equal("A=1");
  });

  it("is refused what Pulumi would send an agent server without its value", async () => {
    const at = new Date();
    const input = { runs: [{ input: { at }, expect: {} }] };
    const smokeCheck = { ...input, apiKey: "k" };
    const least = { deploymentUrl: "https://support.example.com", graphId: "agent" };
    const LEAST = {
      Deployment: { source: "internal_container" },
      Thread: least,
      Assistant: least,
      Cron: { ...least, schedule: "0 8 * * *" },
    };
    const asset = new pulumi.asset.StringAsset("a");
    for (const [refusal, kind, args] of [
      ["redeployOn.at: a Date", "Deployment", { redeployOn: { at } }],
      ["smokeCheck.runs[0].input.at: a Date", "Deployment", { smokeCheck }],
      ["metadata.at: a Date", "Thread", { metadata: { at } }],
      ["supersteps[0].a: a Set", "Thread", { supersteps: [{ a: new Set() }] }],
      ["context.tools: a Map", "Assistant", { context: { tools: new Map() } }],
      ["config.tags[0]: a RegExp", "Assistant", { config: { tags: [/a/] } }],
      ["metadata.a: a Pulumi asset", "Assistant", { metadata: { a: asset } }],
      ["gate.runs[0].input.at: a Date", "Assistant", { gate: input }],
      ["input.at: a Date", "Cron", { input: { at } }],
      ["config.at: a Date", "Cron", { config: { at } }],
      ["context.at: a Date", "Cron", { context: { at } }],
      ["metadata.at: a Date", "Cron", { metadata: { at } }],
    ] as const)
      expect(() => new agentserver[kind]("wrong", untyped({ ...LEAST[kind], ...args }))).to.throw(
        `${refusal} cannot be compared`,
      );
  });

  it("gets the outputs of every resource that its mock gives, also in a component", async () => {
    const baseUrl = "https://eu.example.com";
    const providers = [new agentserver.Provider("eu", { baseUrl, apiKey: "key-1" })];
    const parent = new pulumi.ComponentResource("shop:index:Team", "team", {}, { providers });
    const compute = { computeType: "k8s", computeId: "c", computeConfig: {} };
    const listener = new agentserver.Listener("cluster", compute, { parent });
    const support = new agentserver.Deployment(
      "support",
      {
        source: "external_container",
        sourceConfig: { listenerId: listener.id },
        sourceRevisionConfig: { imageUri: "registry.example.com/support:1" },
        secrets: { KEY: "value" },
      },
      { parent },
    );
    const thread = new agentserver.Thread("fixture", { deploymentUrl: support.url }, { parent });
    // The workspace of its own provider has no such deployment.
    const elsewhere = new agentserver.Thread("elsewhere", { deploymentUrl: support.url });
    expect(await valueOf(elsewhere.threadId)).to.equal("thread-1");
    expect(await valueOf(support.url)).to.equal("https://support.example.com");
    expect(await valueOf(thread.threadId)).to.equal("thread-1");
    const sent = (name: string) => resources.find((resource) => resource.name === name);
    expect(sent("support")?.inputs["__urn"]).to.equal(`${STACK}shop:index:Team$${TYPE}::support`);
    expect(sent("support")?.inputs["sourceConfig"]).to.deep.equal({ listenerId: "id-of-cluster" });
    expect(sent("fixture")?.inputs).to.include({
      deploymentUrl: "https://support.example.com",
      deploymentId: "id-of-support",
    });
    expect(sent("elsewhere")?.inputs).not.to.have.property("deploymentId");
    expect(sent("fixture")?.type).to.equal("pulumi-nodejs:dynamic/agentserver:Thread");
    expect(sent("support")?.provider).to.contain("::eu::id-of-eu");
  });

  it("registers the settings of a provider as texts, its credentials as secrets, and its functions have the same", async () => {
    const texts = {
      baseUrl: "https://eu.example.com",
      apiKey: "key-1",
      headers: '{"X-Token":"token-1"}',
      selfHosted: "true",
    };
    for (const [{ Provider: EitherProvider }, prefix, more] of [
      [agentserver, "agentserver:", { "agentserver:explicit": "true" }],
      [native, "", {}],
    ] as const) {
      const later = {
        baseUrl: Promise.resolve(texts.baseUrl),
        apiKey: pulumi.secret(texts.apiKey),
        headers: { "X-Token": Promise.resolve("token-1") },
        selfHosted: pulumi.output(true),
      };
      const kept = settingsKeptBy(new EitherProvider("eu", { ...later, workspaceId: undefined }));
      const prefixed = (before: string) =>
        Object.fromEntries(Object.entries(texts).map(([name, text]) => [before + name, text]));
      expect(await pulumi.isSecret(kept)).to.equal(true);
      expect(await valueOf(pulumi.unsecret(kept))).to.deep.equal({
        ...prefixed("agentserver:"),
        "agentserver:explicit": "true",
      });
      expect(resources.at(-1)?.inputs).to.deep.equal({
        ...withSecrets(prefixed(prefix), [`${prefix}apiKey`, `${prefix}headers`]),
        ...more,
      });
    }
    const empty = settingsKeptBy(new native.Provider("of the environment"));
    expect(await valueOf(empty)).to.deep.equal({ "agentserver:explicit": "true" });
    expect(() =>
      settingsKeptBy(new (class extends pulumi.ProviderResource {})("random", "other")),
    ).to.throw(
      pulumi.RunError,
      "the option `provider` of a function must be a Provider of pulumi-agentserver",
    );
  });

  it("registers no setting whose output is null or undefined, as that of another stack may be", async () => {
    for (const { Provider: EitherProvider } of [agentserver, native]) {
      const [absent, none] = [pulumi.output(undefined), pulumi.output(null)];
      const args = { apiKey: absent, bearerToken: none, workspaceId: absent, headers: none };
      const kept = settingsKeptBy(new EitherProvider("eu", untyped({ baseUrl: "x", ...args })));
      const expected = ["x", "true"];
      expect(Object.values((await valueOf(kept)) ?? {}).filter(Boolean)).to.have.members(expected);
      expect(Object.keys(resources.at(-1)?.inputs ?? {}).join()).not.to.match(
        /apiKey|Token|workspace|headers/,
      );
    }
  });

  it("registers an argument that no Provider has too, for the process to refuse", async () => {
    for (const [{ Provider: EitherProvider }, prefix] of [
      [agentserver, "agentserver:"],
      [native, ""],
    ] as const) {
      await valueOf(new EitherProvider("eu", untyped({ baseURL: "x" })).id);
      expect(resources.at(-1)?.inputs).to.have.property(`${prefix}baseURL`, "x");
    }
  });

  it("refuses the provider of the other front end, and says what to import", async () => {
    const settings = { baseUrl: "https://a.example.com", apiKey: "k", workspaceId: "w" };
    const args = {
      source: "external_container" as const,
      sourceRevisionConfig: { imageUri: "registry.example.com/support:1" },
    };
    const dynamicProvider = new agentserver.Provider("dynamic", settings);
    const nativeProvider = new native.Provider("native", settings);
    expect(
      () => new agentserver.Deployment("support", args, { provider: nativeProvider }),
    ).to.throw(
      "Deployment 'support' is imported from pulumi-agentserver, and its provider from pulumi-agentserver/native",
    );
    expect(() => new native.Deployment("support", args, { provider: dynamicProvider })).to.throw(
      "imported from pulumi-agentserver/native, and its provider from pulumi-agentserver:",
    );
    const inner = (...providers: pulumi.ProviderResource[]) => {
      const name = `team-${providers.length}`;
      const parent = new pulumi.ComponentResource("shop:index:Team", name, {}, { providers });
      return new agentserver.Deployment("inner", args, { parent });
    };
    expect(() => inner(nativeProvider)).to.throw(
      "imported from pulumi-agentserver, and its provider from pulumi-agentserver/native",
    );
    inner(nativeProvider, dynamicProvider);
    new agentserver.Deployment("support", args, { provider: dynamicProvider });
    new native.Deployment("other", args, { provider: nativeProvider });
  });

  it("gets undefined for a member of an output that is null", async () => {
    const { Deployment, Listener, OAuthProvider, Thread } = agentserver;
    const names = ["sourceConfig", "env", "failedRevision", "lastGoodRevision", "metadata"];
    const state = { ...Object.fromEntries(names.map((name) => [name, null])), createdAt: "then" };
    const newResource = ({ id = "new" }: pulumi.runtime.MockResourceArgs) => ({ id, state });
    await pulumi.runtime.setMocks({ newResource, call: () => ({}) });
    const { sourceConfig, env, failedRevision, lastGoodRevision } = Deployment.get("support", "1");
    const thread = Thread.get("fixture", "1", { deploymentUrl: "https://a.example.com" });
    expect(await valueOf(thread.id)).to.equal("1");
    for (const { id: read, createdAt } of [Listener.get("a", "1"), OAuthProvider.get("b", "1")])
      expect([await valueOf(read), await valueOf(createdAt)]).to.deep.equal(["1", "then"]);
    const members = [sourceConfig.repoUrl, env["A"], failedRevision.id, lastGoodRevision.id];
    for (const member of [...members, thread.metadata["team"]])
      expect(await valueOf(pulumi.output(member))).to.equal(undefined);
    expect(await valueOf(sourceConfig.apply((config) => config === null))).to.equal(true);
  });

  const id = "44444444-4444-4444-8444-444444444444";
  const FUNCTIONS = Object.keys(agentserver).filter((name) =>
    /^(get|list|search).*(?<!Output)$/.test(name),
  );
  for (const name of FUNCTIONS)
    it(`${name} is answered by the mock of its token, in both forms`, async () => {
      const ask = (form: string): unknown =>
        Reflect.apply(Reflect.get(agentserver, form), undefined, [{ id }]);
      const answer = await ask(name);
      expect(await valueOf(pulumi.output(ask(`${name}Output`)))).to.deep.equal(answer);
      const token = `agentserver:index:${name}`;
      expect(calls.map((call) => call.token)).to.deep.equal([token, token]);
      if (Array.isArray(answer)) expect(answer).to.deep.equal([{ id: "1" }, { id: "2" }]);
      else expect(answer).to.include({ id, url: null });
    });

  it("shows the mock a function's arguments by the names that the program gives them, and the provider", async () => {
    const provider = new agentserver.Provider("eu", { baseUrl: "https://eu.example.com" });
    const args = { nameContains: "a", deploymentIds: [id] };
    await agentserver.listDeployments(args, { provider });
    await valueOf(agentserver.listDeploymentsOutput(args, { provider }));
    expect(calls.map(({ inputs }) => inputs)).to.deep.equal([args, args]);
    for (const call of calls) expect(call.provider).to.contain("::eu::id-of-eu");
  });

  it("may give a list in one member, and one of one or of none", async () => {
    const one = [{ id: "1" }];
    const lists: object[] = [{ deployments: one }, { deployments: [] }, one, []];
    for (const list of lists) {
      await pulumi.runtime.setMocks({
        newResource: () => ({ id: "", state: {} }),
        call: () => list,
      });
      const found = Array.isArray(list) ? list : Object.values(list)[0];
      expect(await agentserver.listDeployments()).to.deep.equal(found);
    }
  });

  it("rejects with the error of the mock", async () => {
    // Of a mock's error Pulumi shows what gRPC calls its details.
    const call = () => {
      throw Object.assign(new Error(), { details: "no such deployment" });
    };
    await pulumi.runtime.setMocks({ newResource: () => ({ id: "", state: {} }), call });
    expect(
      await agentserver.getDeployment({ name: "a" }).catch((error: unknown) => String(error)),
    ).to.contain("no such deployment");
  });

  it("is known in a preview, which keeps an answer unknown while an argument is, and secret by a secret one", async () => {
    const hidden = agentserver.getDeploymentOutput({ name: pulumi.secret("support") });
    expect(await pulumi.isSecret(hidden)).to.equal(true);
    await mock(true);
    const marked = new agentserver.Deployment("a", {
      source: "internal_container",
      name: pulumi.secret("n"),
    });
    await valueOf(marked.urn);
    expect(resources[0]?.inputs).to.deep.include({ __preview: null, __secrets: ["name"] });
    const unknown: pulumi.Output<string> = pulumi.output(pulumi.runtime.unknownValue);
    expect(await valueOf(agentserver.getDeploymentOutput({ id: unknown }).url)).to.equal(undefined);
  });
});

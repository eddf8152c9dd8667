import { expect } from "chai";
import type { Props } from "../../../provider/arguments/props";
import { deploymentLifecycle as lifecycle } from "../../../provider/deployment/lifecycle";
import { redactSecrets } from "../../../provider/deployment/service/redaction";
import type { Deployment } from "../../../sdk";
import type { DialectName } from "../../../sdk/dialect";
import { isRecord, recordOf } from "../../../shared/records";
import { aDeployment } from "../../support/builders";
import { aTarget, observedInputs } from "../../support/deployment";
import { json, type TestServer } from "../../support/http";
import { GIT_INPUTS } from "../../support/inputs";
import { contextOf } from "../../support/lifecycle";
import { anOperation } from "../../support/operation";
import { startTestPlatform, type TestPlatform } from "../../support/platform";
import { gitArgs } from "../../support/program";
import { rejection } from "../../support/rejection";
import { startRelay } from "../../support/relay";

type Variables = NonNullable<Deployment["secrets"]>;

/** What services answer in the place of a variable. */
const FORMS: Readonly<Record<string, (name: string) => Variables[number]>> = {
  asterisks: (name) => ({ name, value: "****" }),
  bullets: (name) => ({ name, value: "••••••••" }),
  "a word for it": (name) => ({ name, value: "[REDACTED]" }),
  "empty strings": (name) => ({ name, value: "" }),
  "items without a value": (name) => ({ name }),
  "items with null": (name) => ({ name, value: null }),
};

describe("variables whose values a control plane does not show", () => {
  const inputs = { ...GIT_INPUTS, env: { A: "1" }, secrets: { KEY: "recorded" } };
  const observed = (secrets: Variables) => {
    const { repo_ref, graph_config_path } = {
      repo_ref: "main",
      graph_config_path: "langgraph.json",
    };
    const source_revision_config = { repo_ref, graph_config_path };
    const { env, secrets: others } = observedInputs(
      inputs,
      aDeployment({ source_revision_config, secrets }),
    );
    return { env, secrets: others };
  };

  for (const [form, masked] of Object.entries(FORMS))
    it(`are compared by their names, and keep the recorded values: ${form}`, () => {
      const { env, secrets } = inputs;
      expect(observed(["A", "KEY"].map(masked))).to.deep.equal({ env, secrets });
      expect(observed([masked("A")]), "gone").to.deep.equal({ env, secrets: {} });
      expect(observed(["A", "KEY", "NEW"].map(masked)), "added").to.deep.equal({
        env,
        secrets: { ...secrets, NEW: "" },
      });
    });

  it("are those alone: others are read, also empty ones and a single asterisk", () => {
    const others = [
      { name: "A", value: "" },
      { name: "NEW", value: "*" },
    ];
    expect(observed([...others, { name: "KEY", value: "****" }])).to.deep.equal({
      env: { A: "" },
      secrets: { NEW: "*", KEY: "recorded" },
    });
  });

  it("make no mask a secret that texts are searched for", () => {
    const { settings } = anOperation("http://localhost");
    const there = aDeployment({ secrets: [{ name: "KEY", value: "****" }] });
    expect(redactSecrets("**** KEY", settings, aTarget(GIT_INPUTS), there)).to.equal("**** KEY");
  });
});

describe("a control plane that masks variables", () => {
  let test: TestPlatform;
  let relay: TestServer;
  let mask: (secrets: Variables) => Variables = (secrets) => secrets;
  const start = async (dialect: DialectName) => {
    test = await startTestPlatform({ dialect });
    relay = await startRelay(
      test.platform.url,
      async ({ method, url, headers, body }, response) => {
        const workspace = { "X-Tenant-Id": String(headers["x-tenant-id"]) };
        const answer = await test.request(method, url, body === "" ? undefined : body, workspace);
        return json(response, answer.status, masked(answer.body));
      },
    );
  };
  afterEach(async () => {
    mask = (secrets) => secrets;
    await relay.close();
    await test.close();
  });
  const masked = (body: unknown): unknown => {
    if (!isRecord(body)) return body;
    const { secrets, resources } = body;
    return {
      ...body,
      ...(Array.isArray(secrets) && { secrets: mask(secrets) }),
      ...(Array.isArray(resources) && { resources: resources.map(masked) }),
    };
  };
  const context = (dialect: DialectName = "agentserver") =>
    contextOf({ ...test.platform, url: relay.url }, [], { "agentserver:dialect": dialect });
  const checked = async (more: object): Promise<Props> =>
    (await lifecycle.check({}, { ...gitArgs(test), ...more }, context())).inputs ?? {};
  const patches = () => relay.received.filter(({ method }) => method === "PATCH");

  for (const [form, of] of Object.entries(FORMS))
    it(`stores and sends none of ${form}`, async () => {
      await start("agentserver");
      mask = (secrets) => secrets.map(({ name }) => of(name));
      const variables = { env: { A: "1" }, secrets: { KEY: "ours" } };
      const { id, outs } = await lifecycle.create(await checked(variables), context());
      const { props = {}, inputs } = await lifecycle.read(id, outs, context());
      expect(inputs).to.deep.include({ env: { A: "1" } });
      expect(recordOf(props["secrets"]), "a refresh keeps it").to.deep.equal({ KEY: "ours" });
      const same = await checked(variables);
      await lifecycle.update(id, props, { ...same, wait: { timeoutSeconds: 99 } }, context());
      expect(patches(), "no needless change").to.be.empty;
      const news = await checked({ ...variables, env: { A: "2" } });
      await lifecycle.update(id, props, news, context());
      expect((await test.get(id)).secrets).to.deep.equal([
        { name: "A", value: "2" },
        { name: "KEY", value: "ours" },
      ]);
      expect(await test.revisions(id)).to.have.length(2);
    });

  it("has no mask imported, nor some of the variables without the others", async () => {
    await start("agentserver");
    const { id } = await test.create({ secrets: ["A", "B"].map((name) => ({ name, value: "1" })) });
    mask = ([first, ...others]) => [
      ...(first ? [first] : []),
      ...others.map(({ name }) => ({ name, value: "***" })),
    ];
    const { inputs } = await lifecycle.read(id, {}, { ...context(), canImport: true });
    expect(inputs).to.have.property("source");
    expect(inputs).not.to.have.property("secrets");
  });

  for (const [dialect, left] of [
    ["agentserver", {}],
    ["langsmith", { KEY: "ours" }],
  ] as const)
    it(`and answers an empty list of them has ${dialect === "langsmith" ? "hidden" : "lost"} them in the dialect ${dialect}`, async () => {
      await start(dialect);
      const { id, outs } = await lifecycle.create(
        await checked({ secrets: { KEY: "ours" } }),
        context(dialect),
      );
      mask = () => [];
      const { props } = await lifecycle.read(id, outs, context(dialect));
      expect(recordOf(props?.["secrets"])).to.deep.equal(left);
    });

  it("and of which a program ignores one is not updated where all variables are sent, and is sent nothing", async () => {
    await start("agentserver");
    const ignoring = { __ignored: ["secrets.KEY"] };
    const variables = { ...ignoring, env: { A: "1" }, secrets: { KEY: "ours" } };
    const { id, outs } = await lifecycle.create(await checked(variables), context());
    mask = (secrets) => secrets.map(({ name }) => ({ name, value: "****" }));
    const news = await checked({ ...variables, env: { A: "2" } });
    const { message } = await rejection(lifecycle.update(id, outs, news, context()));
    expect(message).to.match(/this change sends variable KEY too, .* remove it from ignoreChanges/);
    expect(patches()).to.be.empty;
    mask = (secrets) => secrets;
    const rotated = [
      { name: "A", value: "1" },
      { name: "KEY", value: "rotated" },
    ];
    await test.request("PATCH", `/v2/deployments/${id}`, { secrets: rotated });
    await lifecycle.update(id, outs, news, context());
    expect((await test.get(id)).secrets).to.deep.equal([
      { name: "A", value: "2" },
      { name: "KEY", value: "rotated" },
    ]);
  });
});

import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import { join } from "node:path";
import { expect } from "chai";
import { REPOSITORY } from "../../../scripts/project";
import { codeCheck, configurationCheck } from "../../../cli/doctor/state";
import { providerText } from "../../../shared/provider-text";
import { diagnose, type DoctorOptions } from "../../../cli/doctor/doctor";
import type { Check } from "../../../cli/doctor/checks";
import { CommandFailure } from "../../../cli/failure";
import { json, portOf, useServers } from "../../support/http";
import { usePlatform } from "../../support/platform";
import { type Meddle, startRelay } from "../../support/relay";
import { testTerminal } from "../terminal";
import { INSTALLED } from "./installed";

const OTHER = "11111111-1111-4111-8111-111111111111";

describe("the command doctor", () => {
  const t = usePlatform();
  const serve = useServers();
  const environment = { ...process.env };
  /** Has a certificate that nobody trusts. */
  let untrusted: Server;
  before(async () => {
    const pem = readFileSync(join(REPOSITORY, "tests/fixtures/tls/self-signed.pem"));
    untrusted = createServer({ key: pem, cert: pem }).listen(0, "127.0.0.1");
    const { id } = await t.create({ name: "support" });
    await t.untilRevision(id, "DEPLOYED");
  });
  afterEach(() => (process.env = { ...environment }));
  after(() => void untrusted.close());

  const settings = (changes: Readonly<Record<string, string>> = {}): void => {
    Object.assign(process.env, {
      AGENTSERVER_BASE_URL: t.platform.url,
      AGENTSERVER_API_KEY: t.platform.apiKey,
      AGENTSERVER_WORKSPACE_ID: t.platform.workspaceId,
      ...changes,
    });
  };
  const relayed = async (meddle: Meddle) => (await startRelay(t.platform.url, meddle, serve)).url;
  /** Settings of a control plane that shows these members of a deployment. */
  const settingsShowing = async (
    seen: object | ((url: string) => object),
    more: Readonly<Record<string, string>> = {},
  ) => {
    const shown = (url: string) => (typeof seen === "function" ? seen(url) : seen);
    const meddle: Meddle = (_request, _response, pass) =>
      pass((body) =>
        JSON.parse(JSON.stringify(body), (_name, value) =>
          value?.source_config && value.url ? { ...value, ...shown(value.url) } : value,
        ),
      );
    settings({ AGENTSERVER_BASE_URL: await relayed(meddle), ...more });
  };
  /** Those of the control plane: what is installed differs from machine to machine. */
  const check = async (options: Partial<DoctorOptions> = {}) => {
    const terminal = testTerminal();
    const failure = await diagnose({ json: true, ...options }, terminal).catch((error: unknown) => {
      if (error instanceof CommandFailure) return error;
      throw error;
    });
    const [{ checks }]: [{ checks: Check[] }] = JSON.parse(`[${terminal.printed.out}]`);
    const of = (subject: string) => checks.find((one) => one.subject === subject);
    expect(terminal.printed.out).not.to.contain(t.platform.apiKey);
    return { of, failure, checks };
  };

  it("reaches a control plane behind a gateway that asks for a header, and shows none", async () => {
    const gateway: Meddle = ({ headers }, response, pass) =>
      headers["x-access-token"] === "of-the-gateway" ? pass() : response.writeHead(302).end();
    const AGENTSERVER_BASE_URL = await relayed(gateway);
    settings({ AGENTSERVER_BASE_URL });
    expect((await check()).of("reachable")).to.include({ state: "good" });
    expect((await check()).of("control plane")).to.include({ state: "bad" });
    const AGENTSERVER_HEADERS = '{"X-Access-Token":"of-the-gateway"}';
    settings({ AGENTSERVER_BASE_URL, AGENTSERVER_HEADERS });
    const { of, checks } = await check();
    expect(of("control plane")).to.include({ state: "good" });
    expect(of("setting headers")?.text).to.equal("set (AGENTSERVER_HEADERS)");
    expect(JSON.stringify(checks)).to.not.contain("of-the-gateway");
  });

  it("does not take a source of a newer version for another dialect", async () => {
    const newer: Meddle = (_request, _response, pass) =>
      pass((body) => JSON.parse(JSON.stringify(body).replaceAll("git_host", "internal_source")));
    settings({ AGENTSERVER_BASE_URL: await relayed(newer) });
    expect((await check()).of("dialect")).to.include({ state: "good", text: "agentserver" });
  });

  it("asks the agent server at the URL that older services show", async () => {
    await settingsShowing((custom_url: string) => ({ url: null, source_config: { custom_url } }));
    expect((await check()).of("agent server support")?.text).to.contain("501 the simulated driver");
  });

  it("asks an agent server with its own key, shows its flags and not the key, and says how to set another one", async () => {
    const { url } = await serve(({ headers }, response) => {
      const version = String(headers["x-api-key"]);
      const isKnown = version !== "other-key";
      json(response, isKnown ? 200 : 403, { version, flags: { crons: true, runs: false } });
    });
    const about = async (key: string) => {
      await settingsShowing({ url }, { AGENTSERVER_AGENT_API_KEY: key });
      return (await check()).of("agent server support");
    };
    const text = `answers at ${url}, version [secret], flags: crons`;
    expect(await about("agent-key")).to.include({ state: "good", text });
    const refused = await about("other-key");
    expect(refused?.state).to.equal("unknown");
    expect(refused?.advice).to.contain("AGENTSERVER_AGENT_API_KEY");
  });

  it("names the log that has lines of a deployment whose server does not answer, or whose URL cannot be used", async () => {
    const down = await serve((_request, response) => response.writeHead(503).end());
    for (const [active, url, option] of [
      [OTHER, down.url, " --type server"],
      [null, down.url, ""],
      [null, "agents.example.com", ""],
    ] as const) {
      await settingsShowing({ url, active_revision_id: active });
      const { state, advice } = (await check()).of("agent server support") ?? {};
      expect(state).to.equal("bad");
      expect(advice).to.equal(`see \`npx pulumi-agentserver logs support${option}\``);
    }
  });

  it("finds right settings good, names their origin, and sends GET requests only", async () => {
    settings();
    t.platform.admin.clearRequests();
    const { of } = await check();
    const good = ["reachable", "key", "workspace", "dialect", "clock", "revisions", "listeners"];
    for (const subject of [...good, "OAuth providers"])
      expect(of(subject), subject).to.include({ state: "good" });
    expect(of("setting baseUrl")?.text).to.equal(`${t.platform.url} (AGENTSERVER_BASE_URL)`);
    expect(of("setting apiKey")?.text).to.equal("set (AGENTSERVER_API_KEY)");
    expect(of("setting dialect")?.text).to.equal("agentserver (default)");
    expect(of("setting headers")).to.equal(undefined);
    t.answers({ path: "/v2/listeners" }, 403);
    // The deployment is deleted before its revisions are read.
    t.answers({ path: "/v2/deployments/*/revisions" }, 404, { detail: "not found" });
    const { of: given } = await check({ baseUrl: t.platform.url });
    expect(given("setting baseUrl")?.text).to.equal(`${t.platform.url} (option --base-url)`);
    expect(given("listeners")).to.include({ state: "bad" });
    expect(given("revisions")).to.include({ state: "good" });
    // The driver `simulated` runs none.
    expect(of("agent server support")).to.include({ state: "unknown" });
    expect(of("agent server support")?.text).to.contain("501 the simulated driver runs no agent");
    const sent = Object.keys(t.platform.admin.requests());
    expect(sent).to.include("GET /v2/deployments");
    expect(sent.filter((name) => !name.startsWith("GET "))).to.be.empty;
  });

  const nowhere = () => `${t.platform.url}/nothing`;
  const away = () => "http://127.0.0.1:1";
  const secured = () => `https://127.0.0.1:${portOf(untrusted.address())}`;
  const proxied = async () => {
    const page = "<html><title>Blocked</title></html>";
    return (await serve((_, response) => response.writeHead(403).end(page))).url;
  };
  const aDayLate = () =>
    relayed((_request, response, pass) => {
      response.setHeader("date", new Date(Date.now() - 86_400_000).toUTCString());
      return pass();
    });
  for (const [what, variable, value, subject, advice] of [
    ["a wrong key", "API_KEY", () => "wrong-key", "key", "check AGENTSERVER_API_KEY"],
    ["a wrong workspace", "WORKSPACE_ID", () => OTHER, "workspace", "--workspace-id or"],
    ["a wrong URL", "BASE_URL", nowhere, "control plane", "check --base-url or"],
    ["a server that is away", "BASE_URL", away, "reachable", "is running"],
    ["a proxy there", "BASE_URL", proxied, "control plane", "check --base-url or"],
    ["an untrusted certificate", "BASE_URL", secured, "reachable", "set NODE_EXTRA_CA_CERTS"],
    ["a clock that is not right", "BASE_URL", aDayLate, "clock", "set this machine's"],
    ["the other dialect", "DIALECT", () => "langsmith", "dialect", "DIALECT to agentserver"],
  ] as const)
    it(`says what to do with ${what}, and fails`, async () => {
      settings({ [`AGENTSERVER_${variable}`]: await value() });
      const { of, failure, checks } = await check();
      const bad = checks.filter((one) => one.state === "bad" && !INSTALLED.includes(one.subject));
      expect(
        bad.map((one) => one.subject).filter((one) => !one.startsWith("agent server")),
      ).to.deep.equal([subject]);
      expect(of(subject)?.advice).to.contain(advice);
      if (subject === "clock") expect(of(subject)?.text).to.contain("s behind this machine's");
      expect(failure?.message).to.match(/^checks that are bad: \d+ of \d+$/);
    });

  it("takes the local platform of a data folder, and prints a line for each check", async () => {
    const terminal = testTerminal();
    await diagnose({ json: false, dataDir: t.dataDir }, terminal).catch(() => undefined);
    expect(terminal.lines()).to.include(
      `✓ setting workspaceId: ${t.platform.workspaceId} (${t.dataDir}/platform.json)`,
    );
    expect(terminal.printed.out).not.to.contain(t.platform.apiKey);
  });

  for (const [status, subject, advice] of [
    [401, "key", "is for another local platform"],
    [404, "control plane", "another program has the port"],
  ] as const)
    it(`names no setting where the local platform of a data folder answers ${status}`, async () => {
      t.answers({}, status, {});
      const { of } = await check({ dataDir: t.dataDir });
      expect(of(subject)?.advice).to.contain(advice);
    });
});

describe("the check of a state's code", () => {
  const own = providerText("deployment");
  const stateWith = (code?: unknown, place = "outputs") => {
    const resource = { urn: "urn:x", inputs: {}, outputs: {}, [place]: { __provider: code } };
    return JSON.stringify({ deployment: { resources: [resource, { urn: "urn:stack" }] } });
  };

  it("is good where a state has none, or the one of this package", () => {
    for (const state of [stateWith(), stateWith(own), '{"deployment":{}}'])
      expect(codeCheck(state).state, state).to.equal("good");
  });

  it("names the resource that has another one, also around that of this package, or encrypted", () => {
    const around = own.replace("deployment;", "deployment; steal();");
    for (const code of [
      "exports.handler = () => ({})",
      around,
      `steal(); ${own}`,
      `${own}steal();`,
      { secret: "x" },
    ])
      for (const place of ["inputs", "outputs"])
        expect(codeCheck(stateWith(code, place)), JSON.stringify(code)).to.include({
          state: "bad",
          text: "code that is not of pulumi-agentserver: urn:x",
        });
  });
});

describe("the check of a stack's configuration", () => {
  for (const [configuration, state] of [
    ["{}", "good"],
    ['{"agentserver:baseUrl":{"value":"https://a.example.com"}}', "good"],
    ['{"agentserver:apiKey":{"secret":true}}', "good"],
    ['{"agentserver:apiKey":{"value":"CANARY","secret":false}}', "bad"],
    ['{"agentserver:headers":{"value":"CANARY"}}', "bad"],
  ] as const)
    it(`is ${state} for ${configuration}`, () => {
      const check = configurationCheck(configuration);
      expect(check).to.include({ state });
      expect(JSON.stringify(check)).not.to.contain("CANARY");
    });
});

import { expect } from "chai";
import { controlPlaneOf } from "../../provider/resource/operation";
import { newProcessCache } from "../../provider/resource/process-cache";
import { aClock } from "../support/builders";
import { readSettings, requestTimeoutIn, SettingsError } from "../../settings/settings";
import { agentKey, SET_AGENT_KEY } from "../../settings/agent-key";
import { namesIn } from "../../settings/source";

const CONFIG = {
  "agentserver:baseUrl": "https://Control.example.com/",
  "agentserver:apiKey": "key",
  "agentserver:workspaceId": "workspace",
};

const ENVIRONMENT = {
  AGENTSERVER_BASE_URL: "https://env.example.com",
  AGENTSERVER_API_KEY: "k",
  AGENTSERVER_WORKSPACE_ID: "w",
};
const EXPLICIT = { "agentserver:explicit": "true" };

function problemsOf(config: Record<string, string>, environment = {}): readonly string[] {
  try {
    readSettings(config, environment);
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
}

describe("settings", () => {
  it("have defaults for all but where and who", () =>
    expect(readSettings(CONFIG, {})).to.deep.equal({
      baseUrl: "https://control.example.com",
      isSelfHosted: false,
      apiKey: "key",
      workspaceId: "workspace",
      dialect: "agentserver",
      requestTimeoutSeconds: 30,
      waitTimeoutSeconds: 1800,
      maxConcurrentRequests: 16,
      allowInsecureHttp: false,
      source: "configuration",
    }));

  it("are known by where they stand, the environment being behind the stack's configuration", () => {
    const { AGENTSERVER_BASE_URL: _url, ...environment } = ENVIRONMENT;
    const { "agentserver:workspaceId": _, ...rest } = CONFIG;
    for (const config of [rest, { ...rest, "agentserver:workspaceId": "" }])
      expect(readSettings(config, environment)).to.deep.include({
        workspaceId: "w",
        fromEnvironment: ["workspaceId"],
      });
    expect(readSettings(CONFIG, environment)).not.to.have.property("fromEnvironment");
    const [problem] = problemsOf({ ...CONFIG, "agentserver:workspaceId": "a\nb" }, environment);
    expect(problem).to.match(/^agentserver:workspaceId /);
  });

  it("have the headers of a gateway as JSON, which problems do not repeat", () => {
    const headersOf = (text: string, environment = {}) =>
      readSettings({ ...CONFIG, ...(text && { "agentserver:headers": text }) }, environment)
        .headers;
    const theirs = { AGENTSERVER_HEADERS: '{"X-Token":"theirs"}' };
    expect(headersOf('{"X-Token":"ours"}', theirs)).to.deep.equal({ "X-Token": "ours" });
    expect(headersOf("", theirs)).to.deep.equal({ "X-Token": "theirs" });
    const elsewhere = { ...theirs, AGENTSERVER_BASE_URL: "https://other.example.com" };
    expect(headersOf("", elsewhere), "those of another host").to.equal(undefined);
    for (const text of ["hidden", '["hidden"]', '{"X":{"a":"hidden"}}', "{hidden"])
      expect(problemsOf({ ...CONFIG, "agentserver:headers": text })).to.deep.equal([
        'agentserver:headers must be a JSON object of strings, such as {"X-Access-Token": "…"}',
      ]);
    expect(problemsOf(CONFIG, { AGENTSERVER_HEADERS: '{"Host":"hidden"}' })).to.deep.equal([
      "AGENTSERVER_HEADERS has Host, which the client sets itself",
    ]);
  });

  it("know a self-hosted installation by the setting, and by its base URL", () => {
    const isSelfHosted = (more: object) => readSettings({ ...CONFIG, ...more }, {}).isSelfHosted;
    expect(isSelfHosted({ "agentserver:selfHosted": "true" })).to.equal(true);
    const baseUrl = "https://a.example.com/api-host/";
    expect(isSelfHosted({ "agentserver:baseUrl": baseUrl })).to.equal(true);
    expect(isSelfHosted({ "agentserver:selfHosted": "false" })).to.equal(false);
  });

  it("take the dialect of the environment only with the environment's control plane", () => {
    const alone = { AGENTSERVER_DIALECT: "langsmith" };
    const environment = { ...ENVIRONMENT, ...alone };
    expect(readSettings({}, environment).dialect).to.equal("langsmith");
    expect(readSettings(CONFIG, environment).dialect).to.equal("agentserver");
    expect(readSettings(CONFIG, alone).dialect).to.equal("agentserver");
    expect(readSettings(EXPLICIT, environment).dialect).to.equal("langsmith");
    const [problem] = problemsOf({}, { ...environment, AGENTSERVER_DIALECT: "other" });
    expect(problem).to.equal("AGENTSERVER_DIALECT must be one of agentserver, langsmith");
  });

  it("take the environment's permission of plain http for its own URL alone, and name the one to set", () => {
    const url = "http://a.example.com";
    const allowed = { AGENTSERVER_ALLOW_INSECURE_HTTP: "true" };
    const { AGENTSERVER_BASE_URL: _, ...known } = ENVIRONMENT;
    const environment = { ...known, AGENTSERVER_BASE_URL: url };
    expect(problemsOf({}, { ...environment, ...allowed })).to.be.empty;
    const given = { "agentserver:baseUrl": url };
    for (const [config, variables, origin, name] of [
      [{}, environment, "command", Object.keys(allowed).join()],
      [given, { ...known, ...allowed }, "command", "--allow-insecure-http"],
      [given, { ...known, ...allowed }, "configuration", "agentserver:allowInsecureHttp"],
    ] as const)
      expect(() => readSettings(config, variables, origin)).to.throw(`allow it with ${name}`);
  });

  it("of a provider in the program are named as its arguments, or as the variables that it takes", () => {
    const more = { "agentserver:requestTimeoutSeconds": "soon", "agentserver:baseURL": "x" };
    const { AGENTSERVER_WORKSPACE_ID: _, ...known } = ENVIRONMENT;
    const environment = { ...known, AGENTSERVER_BEARER_TOKEN: "t" };
    expect(problemsOf({ ...EXPLICIT, ...more }, environment)).to.deep.equal([
      "unknown Provider argument 'baseURL'; did you mean baseUrl?",
      "AGENTSERVER_API_KEY and AGENTSERVER_BEARER_TOKEN are both set; keep one",
      "AGENTSERVER_WORKSPACE_ID is missing: set it, or set its Provider's `baseUrl`, `apiKey` and `workspaceId`",
      "the argument `requestTimeoutSeconds` of its Provider must be a whole number from 1 to 604800",
    ]);
    expect(problemsOf({ ...CONFIG, ...EXPLICIT, "agentserver:bearerToken": "t" })).to.deep.equal([
      "the arguments `apiKey` and `bearerToken` of its Provider are both set; keep one",
    ]);
  });

  it("that are the same have one client, wherever they were given", () => {
    const own = readSettings({ ...CONFIG, ...EXPLICIT }, {});
    const process = { processCache: newProcessCache(), clock: aClock() };
    expect(controlPlaneOf(process, own)).to.equal(
      controlPlaneOf(process, readSettings(CONFIG, {})),
    );
  });

  it("name everything that is missing at once, and how to set it", () =>
    expect(problemsOf({}).join("\n")).to.match(
      /^agentserver:baseUrl is missing: .* `eval "\$\(npx pulumi-agentserver env\)"`.*AGENTSERVER_BASE_URL\nagentserver:apiKey is missing: run `pulumi config set --secret .*\nagentserver:workspaceId is missing: .*AGENTSERVER_WORKSPACE_ID$/,
    ));

  it("of a command are named as its options, and a credential as its variable alone", () => {
    const seconds = { "agentserver:waitTimeoutSeconds": "soon" };
    expect(() => readSettings(seconds, {}, "command")).to.throw(
      SettingsError,
      /^--base-url or AGENTSERVER_BASE_URL is missing: set it\nAGENTSERVER_API_KEY is missing: set it\n--workspace-id or .*\n--wait-timeout-seconds must be /,
    );
    const variables = "AGENTSERVER_API_KEY and AGENTSERVER_BEARER_TOKEN";
    expect(namesIn("command", "apiKey", "bearerToken")).to.equal(variables);
  });

  it("take a bearer token instead of a key, and not both", () => {
    const { "agentserver:apiKey": _, ...rest } = CONFIG;
    const token = { "agentserver:bearerToken": "t" };
    expect(readSettings({ ...rest, ...token }, {})).to.include({ bearerToken: "t" });
    const theirs = { AGENTSERVER_API_KEY: "theirs", AGENTSERVER_BEARER_TOKEN: "theirs" };
    expect(readSettings({ ...rest, ...token }, theirs)).not.to.have.property("apiKey");
    expect(readSettings(CONFIG, theirs)).not.to.have.property("bearerToken");
    expect(problemsOf({ ...CONFIG, ...token })).to.deep.equal([
      "agentserver:apiKey and agentserver:bearerToken are both set; keep one",
    ]);
  });

  it("refuse a name that is none and say which was meant", () =>
    expect(
      problemsOf({ ...CONFIG, "agentserver:baseURL": "x", "shop:baseURL": "y" }),
    ).to.deep.equal(["unknown setting 'agentserver:baseURL'; did you mean agentserver:baseUrl?"]));

  it("refuse numbers and flags that are none, all at once", () => {
    const [week, wrong] = [604_800, "must be a whole number from 1 to 604800"];
    const counts = (requestTimeout: unknown, waitTimeout: unknown) => ({
      ...CONFIG,
      "agentserver:requestTimeoutSeconds": String(requestTimeout),
      "agentserver:waitTimeoutSeconds": String(waitTimeout),
    });
    expect(problemsOf({ ...counts("soon", 0), "agentserver:selfHosted": "yes" })).to.deep.equal([
      "agentserver:selfHosted must be true or false",
      `agentserver:requestTimeoutSeconds ${wrong}`,
      `agentserver:waitTimeoutSeconds ${wrong}`,
    ]);
    expect(problemsOf({ ...CONFIG, "agentserver:maxConcurrentRequests": "1001" })).to.deep.equal([
      "agentserver:maxConcurrentRequests must be a whole number from 1 to 1000",
    ]);
    expect(problemsOf(counts(1, week))).to.be.empty;
    expect(problemsOf(counts(1.5, week + 1))).to.have.length(2);
  });

  it("limit requests to agent servers too, by the default where they are not complete", () => {
    const seconds = { "agentserver:requestTimeoutSeconds": "90" };
    expect(requestTimeoutIn(() => readSettings({ ...CONFIG, ...seconds }, {}))).to.equal(90);
    expect(requestTimeoutIn(() => readSettings(seconds, {}))).to.equal(30);
  });

  it("refuse a URL with a password, and what a header cannot carry, without repeating them", () => {
    const { "agentserver:apiKey": _, ...rest } = CONFIG;
    const environment = { ...ENVIRONMENT, AGENTSERVER_API_KEY: " CANARY" };
    for (const [config, problem] of [
      [{ ...CONFIG, "agentserver:apiKey": "CANARY\n" }, /^agentserver:apiKey begins or ends with/],
      [{ ...rest, "agentserver:bearerToken": "CAN\x07ARY" }, /^agentserver:bearerToken contains a/],
      [{ ...CONFIG, "agentserver:workspaceId": "CANÄRY" }, /^agentserver:workspaceId contains a/],
      [
        { ...CONFIG, "agentserver:baseUrl": "https://a:CANARY@b.c" },
        /^agentserver:baseUrl contains a/,
      ],
      [EXPLICIT, /^AGENTSERVER_API_KEY begins or ends with a blank/],
    ] as const) {
      const [found, ...others] = problemsOf(config, environment);
      expect(found).to.match(problem).and.not.match(/CAN/);
      expect(others).to.be.empty;
    }
  });
});

describe("the agent server's own key", () => {
  const VARIABLES = ["AGENT", "FROM", "TO"].map((side) => `AGENTSERVER_${side}_API_KEY`);
  const before = VARIABLES.map((name) => process.env[name] ?? "");
  const setKeys = (...keys: string[]) =>
    VARIABLES.forEach((name, index) => (process.env[name] = keys[index] ?? ""));
  const keyOf = (text: string) => {
    setKeys(text);
    return agentKey();
  };
  after(() => setKeys(...before));

  it("comes from its variable, and is refused without repeating it where a header cannot carry it", () => {
    expect(SET_AGENT_KEY).to.equal(
      "set AGENTSERVER_AGENT_API_KEY to the agent server's own key, `Bearer <token>` if the server reads the header Authorization",
    );
    expect([keyOf("key"), keyOf("")]).to.deep.equal(["key", undefined]);
    expect(() => keyOf("CANARY\n")).to.throw(
      /^AGENTSERVER_AGENT_API_KEY begins or ends with a blank or a line break, which HTTP drops; remove it$/,
    );
  });

  it("is that of a side of two agent servers, where its variable is set, else the one for both", () => {
    setKeys("both", "from");
    expect([agentKey("from"), agentKey("to"), agentKey()]).to.deep.equal(["from", "both", "both"]);
  });
});

import { expect } from "chai";
import {
  BadRequest,
  Conflict,
  ConnectionError,
  Forbidden,
  NotOfferedError,
  RateLimited,
  ServerError,
  TimeoutError,
  Unauthorized,
  Unprocessable,
} from "pulumi-agentserver/sdk";
import { agentServerAdvice, controlPlaneAdvice } from "../../../provider/resource/advice";
import { formatError } from "../../../provider/resource/errors";
import { readSettings } from "../../../settings/settings";

const PLACE = { "agentserver:baseUrl": "https://a.example.com", "agentserver:workspaceId": "mine" };
const KEY = { "agentserver:apiKey": "key" };
const TOKEN = { "agentserver:bearerToken": "t" };
const EXPLICIT = { "agentserver:explicit": "true" };
const LANGSMITH = { "agentserver:dialect": "langsmith" };
const ENVIRONMENT = {
  AGENTSERVER_BASE_URL: "https://a.example.com",
  AGENTSERVER_API_KEY: "key",
  AGENTSERVER_WORKSPACE_ID: "mine",
};
const failure = {
  action: "create deployment",
  subject: "support",
  method: "POST",
  url: "https://a.example.com/v2/deployments",
  reason: "401 no",
  secrets: [],
  status: 401,
  detail: "no",
};
const FAILED = "create deployment 'support': 401 no";
/** What is said after it. */
const advice = (error: Error, config: Record<string, string> = KEY, verb?: string) =>
  formatError(
    error,
    controlPlaneAdvice(readSettings({ ...PLACE, ...config }, {}), verb, "urn:x"),
  ).replace(FAILED, "");

describe("advice after an error", () => {
  const inEnvironment = (error: Error) =>
    formatError(error, controlPlaneAdvice(readSettings(EXPLICIT, ENVIRONMENT)));
  const inCommand = (error: Error) =>
    formatError(error, controlPlaneAdvice(readSettings({}, ENVIRONMENT, "command")));
  /** Of a stack whose configuration has none of them. */
  const behind = (error: Error) =>
    formatError(error, controlPlaneAdvice(readSettings({}, ENVIRONMENT)));
  const own = { ...KEY, ...EXPLICIT };
  const [unknown, forbidden] = [new Unauthorized(failure), new Forbidden(failure)];
  const [away, slow] = [new ConnectionError(failure), new TimeoutError(failure)];
  const rows: [string, RegExp][] = [
    [advice(unknown), /^; check agentserver:apiKey .* goes before AGENTSERVER_API_KEY\)$/],
    [advice(unknown, TOKEN), /bearerToken \(`.*, which goes before AGENTSERVER_BEARER_TOKEN\)$/],
    [advice(forbidden), /workspace mine \(agentserver:workspaceId\)/],
    [advice(new NotOfferedError(failure)), /^; check agentserver:baseUrl: .* POST https:\S+s$/],
    [advice(unknown, own), /check the argument `apiKey` of its Provider$/],
    [advice(unknown, { ...TOKEN, ...EXPLICIT }), /argument `bearerToken` of its Provider$/],
    [advice(forbidden, own), /mine \(the argument `workspaceId` of its Provider\)/],
    [advice(away, own), /argument `baseUrl` of its Provider is right/],
    [advice(slow, own), /argument `requestTimeoutSeconds` of its Provider/],
    [inEnvironment(unknown), /; check AGENTSERVER_API_KEY, or set its Provider's `baseUrl`/],
    [inEnvironment(forbidden), /\(AGENTSERVER_WORKSPACE_ID\)/],
    [inEnvironment(away), /AGENTSERVER_BASE_URL is right/],
    [behind(away), /running and AGENTSERVER_BASE_URL is right$/],
    [behind(forbidden), /\(AGENTSERVER_WORKSPACE_ID\)$/],
    [behind(slow), /agentserver:requestTimeoutSeconds$/],
    [inCommand(slow), /; the control plane is slow or unreachable; try again later$/],
  ];
  for (const [said, words] of rows) it(`names ${words}`, () => expect(said).to.match(words));

  it("names both hosts of the public service where one may be wrong, in its dialect alone", () => {
    const HOSTS = /https:\/\/api\.host\.langchain\.com.*https:\/\/api\.smith\.langchain\.com/;
    for (const error of [new NotOfferedError(failure), new ConnectionError(failure)]) {
      expect(advice(error, { ...KEY, ...LANGSMITH })).to.match(HOSTS);
      for (const more of [{}, { ...LANGSMITH, "agentserver:selfHosted": "true" }])
        expect(advice(error, { ...KEY, ...more })).to.not.contain("langchain.com");
    }
    expect(advice(new Forbidden(failure), { ...KEY, ...LANGSMITH })).to.not.contain("langchain");
  });

  it("says for a refresh and a destroy that they use the configuration of the last run, and what follows a new key", () => {
    const STORED = /; `pulumi refresh` and `pulumi destroy` use the configuration of the last run/;
    for (const type of [Unauthorized, Forbidden, NotOfferedError, TimeoutError]) {
      const error = new type(failure);
      for (const verb of ["get", "delete"]) expect(advice(error, KEY, verb)).to.match(STORED);
      const next = type === Unauthorized ? ", then run `pulumi up`" : "";
      for (const verb of ["create", "update"])
        expect(advice(error, KEY, verb)).to.equal(`${advice(error)}${next}`);
    }
    const settings = readSettings(PLACE, { AGENTSERVER_API_KEY: "key" });
    const ofEnvironment = controlPlaneAdvice(settings, "get");
    expect(formatError(new Unauthorized(failure), ofEnvironment))
      .to.match(/; check AGENTSERVER_API_KEY$/)
      .and.not.match(STORED);
    const byToken = readSettings(PLACE, { AGENTSERVER_BEARER_TOKEN: "t" });
    expect(formatError(unknown, controlPlaneAdvice(byToken, "get"))).to.match(
      /; check AGENTSERVER_BEARER_TOKEN$/,
    );
    expect(formatError(new Forbidden(failure), ofEnvironment)).to.match(STORED);
    expect(advice(new ServerError(failure), KEY, "get")).to.equal("; try again later");
  });

  it("says for an import what to set, since no state has it yet", () => {
    const said = advice(new Unauthorized(failure), KEY, "import");
    expect(said).to.equal(advice(new Unauthorized(failure)));
    expect(formatError(unknown, agentServerAdvice("import"))).to.match(
      /; set AGENTSERVER_AGENT_API_KEY to the agent server's own key/,
    );
  });

  it("says what to do where nothing responds any more, and where another operation is under way", () => {
    for (const verb of ["get", "delete"])
      expect(advice(new ConnectionError(failure), KEY, verb)).to.match(
        /baseUrl is right; if it is gone for good, .*`pulumi state delete 'urn:x'`$/,
      );
    expect(advice(new ConnectionError(failure), KEY, "update")).not.to.contain("state delete");
    for (const verb of ["update", "delete"])
      expect(
        advice(new Conflict({ ...failure, action: `${verb} deployment` }), KEY, verb),
      ).to.match(/; run the same command again when that has ended$/);
    expect(advice(new Conflict(failure), KEY, "create")).to.equal("");
  });

  it("lists the problems of a body by the places that the user wrote, up to a length", () => {
    const problem = { loc: ["body", "source_config", "repo_url"], msg: "is wrong", type: "t" };
    const message = (length: number) => {
      const problems = Array.from({ length }, () => problem);
      return advice(new Unprocessable({ ...failure, problems }));
    };
    expect(message(1)).to.equal("create deployment 'support': sourceConfig.repoUrl: is wrong");
    expect(message(100_000))
      .to.match(/ more characters\)$/)
      .and.have.length.below(2_100);
  });

  const server = (error: Error) => formatError(error, agentServerAdvice()).replace(FAILED, "");
  for (const [what, error, words] of [
    ["is not reached", away, /running and deploymentUrl is right, then run/],
    ["is slow", slow, /; try again later, or .* requestTimeoutSeconds$/],
    ["fails", new ServerError(failure), /^; try again later$/],
    ["is busy", new RateLimited(failure), /^; try again later$/],
    ["does not know the key", unknown, /check apiKey, .* the agent server's own key/],
    ["forbids it", forbidden, /check apiKey, which is the agent server's own key/],
    ["has words of its own", new BadRequest(failure), /^$/],
    ["never does it", new ServerError({ ...failure, status: 501 }), /^$/],
  ] as const)
    it(`says what to do about an agent server that ${what}`, () =>
      expect(server(error)).to.match(words));

  it("names the way out where an agent server may be gone for good", () => {
    const verbs = ["get", "delete", "update"];
    const named = (error: Error) =>
      verbs.filter((verb) =>
        formatError(error, agentServerAdvice(verb, "urn:x")).endsWith(
          "; if it is gone for good, remove the resource from the state with `pulumi state delete 'urn:x'`",
        ),
      );
    for (const error of [away, slow, new ServerError(failure)])
      expect(named(error)).to.deep.equal(["get", "delete"]);
    expect(named(new RateLimited(failure))).to.deep.equal([]);
    expect(formatError(away, agentServerAdvice("delete", "urn:it's"))).to.match(
      /`pulumi state delete 'urn:it'\\''s'`$/,
    );
  });
});

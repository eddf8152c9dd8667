import { expect } from "chai";
import {
  Conflict,
  ConnectionError,
  Forbidden,
  NotOfferedError,
  ServerError,
  TimeoutError,
  Unauthorized,
  Unprocessable,
} from "pulumi-agentserver/sdk";
import { controlPlaneAdvice } from "../../../provider/resource/advice";
import { formatError } from "../../../provider/resource/errors";
import { readSettings } from "../../../settings/settings";

const PLACE = {
  "agentserver:baseUrl": "https://a.example.com",
  "agentserver:workspaceId": "mine",
};
const KEY = { "agentserver:apiKey": "key" };
const EXPLICIT = { "agentserver:explicit": "true" };
const adviceFor = controlPlaneAdvice(readSettings({ ...PLACE, ...KEY }, {}));
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

describe("advice after an error", () => {
  it("names the setting of a key or a token that is not accepted, and its variable", () => {
    const advice = (credential: Record<string, string>) =>
      formatError(
        new Unauthorized(failure),
        controlPlaneAdvice(readSettings({ ...PLACE, ...credential }, {})),
      );
    const refused = "create deployment 'support': 401 no; check agentserver:";
    expect(advice(KEY)).to.equal(
      `${refused}apiKey (\`pulumi config set --secret agentserver:apiKey <key>\`, or AGENTSERVER_API_KEY)`,
    );
    expect(advice({ "agentserver:bearerToken": "t" })).to.equal(
      `${refused}bearerToken (or AGENTSERVER_BEARER_TOKEN)`,
    );
  });

  it("names the workspace that a key may not work in", () =>
    expect(formatError(new Forbidden(failure), adviceFor)).to.contain(
      "workspace mine (agentserver:workspaceId)",
    ));

  it("names the URL where the control plane does not offer an endpoint", () =>
    expect(formatError(new NotOfferedError(failure), adviceFor)).to.equal(
      "create deployment 'support': 401 no; check agentserver:baseUrl: the request was POST https://a.example.com/v2/deployments",
    ));

  it("names both hosts of the public service where one may be wrong, in its dialect alone", () => {
    const advice = (error: Error, more: Record<string, string>) =>
      formatError(error, controlPlaneAdvice(readSettings({ ...PLACE, ...KEY, ...more }, {})));
    const langsmith = { "agentserver:dialect": "langsmith" };
    for (const error of [new NotOfferedError(failure), new ConnectionError(failure)]) {
      expect(advice(error, langsmith))
        .to.contain("https://api.host.langchain.com")
        .and.contain("https://api.smith.langchain.com");
      for (const more of [{}, { ...langsmith, "agentserver:selfHosted": "true" }])
        expect(advice(error, more)).to.not.contain("langchain.com");
    }
    expect(advice(new Forbidden(failure), langsmith)).to.not.contain("langchain.com");
  });

  it("says for a refresh and a destroy that they use the configuration of the last run, and what follows a new key", () => {
    const settings = readSettings({ ...PLACE, ...KEY }, {});
    const stored =
      "; `pulumi refresh` and `pulumi destroy` use the configuration of the last run of the program: after a change run `pulumi up` first, or add --run-program";
    for (const error of [Unauthorized, Forbidden, NotOfferedError, TimeoutError]) {
      const advice = (verb?: string) =>
        formatError(new error(failure), controlPlaneAdvice(settings, verb));
      for (const verb of ["get", "delete"]) expect(advice(verb)).to.equal(`${advice()}${stored}`);
      const next = error === Unauthorized ? ", then run `pulumi up`" : "";
      for (const verb of ["create", "update"]) expect(advice(verb)).to.equal(`${advice()}${next}`);
    }
    const environment = { AGENTSERVER_API_KEY: "key" };
    const ofEnvironment = controlPlaneAdvice(readSettings(PLACE, environment), "get");
    expect(formatError(new Unauthorized(failure), ofEnvironment)).not.to.contain("last run");
    expect(formatError(new Forbidden(failure), ofEnvironment)).to.contain("last run");
    const busy = new ServerError(failure);
    expect(formatError(busy, controlPlaneAdvice(settings, "get"))).to.match(/; try again later$/);
  });

  it("says what to do where nothing responds any more, and where another operation is under way", () => {
    const settings = readSettings({ ...PLACE, ...KEY }, {});
    const advice = (error: Error, verb: string) =>
      formatError(error, controlPlaneAdvice(settings, verb, "urn:x"));
    for (const verb of ["get", "delete"])
      expect(advice(new ConnectionError(failure), verb)).to.match(
        /baseUrl is right; if it is gone for good, remove the resource from the state with `pulumi state delete 'urn:x'`$/,
      );
    expect(advice(new ConnectionError(failure), "update")).not.to.contain("state delete");
    const conflict = (action: string) => new Conflict({ ...failure, action, reason: "409 busy" });
    for (const verb of ["update", "delete"])
      expect(advice(conflict(`${verb} deployment`), verb)).to.match(
        /409 busy; run the same command again when that has ended$/,
      );
    expect(advice(conflict("create deployment"), "create")).to.match(/409 busy$/);
  });

  it("names the argument of a Provider that the program made, for no setting counts there", () => {
    const advice = (error: Error, credential: Record<string, string> = KEY) =>
      formatError(
        error,
        controlPlaneAdvice(readSettings({ ...PLACE, ...credential, ...EXPLICIT }, {})),
      );
    const refused = "create deployment 'support': 401 no; ";
    expect(advice(new Unauthorized(failure))).to.equal(
      `${refused}check the argument \`apiKey\` of its Provider`,
    );
    expect(advice(new Unauthorized(failure), { "agentserver:bearerToken": "t" })).to.equal(
      `${refused}check the argument \`bearerToken\` of its Provider`,
    );
    expect(advice(new Forbidden(failure))).to.contain(
      "has access to workspace mine (the argument `workspaceId` of its Provider)",
    );
    expect(advice(new ConnectionError(failure))).to.contain(
      "the argument `baseUrl` of its Provider is right",
    );
    expect(advice(new TimeoutError(failure))).to.contain(
      "increase the argument `requestTimeoutSeconds` of its Provider",
    );
  });

  it("names the variables for a Provider that takes its key from the environment", () => {
    const environment = {
      AGENTSERVER_BASE_URL: "https://a.example.com",
      AGENTSERVER_API_KEY: "key",
      AGENTSERVER_WORKSPACE_ID: "mine",
    };
    const advice = (error: Error) =>
      formatError(error, controlPlaneAdvice(readSettings(EXPLICIT, environment)));
    expect(advice(new Unauthorized(failure))).to.match(
      /; check AGENTSERVER_API_KEY, or set its Provider's `baseUrl`, `apiKey` and `workspaceId`$/,
    );
    const reading = controlPlaneAdvice(readSettings(EXPLICIT, environment), "get");
    expect(formatError(new Unauthorized(failure), reading)).to.equal(
      advice(new Unauthorized(failure)),
    );
    expect(advice(new Forbidden(failure))).to.contain("(AGENTSERVER_WORKSPACE_ID)");
    expect(advice(new ConnectionError(failure))).to.contain("AGENTSERVER_BASE_URL is right");
    expect(advice(new TimeoutError(failure))).to.contain(
      "the argument `requestTimeoutSeconds` of its Provider",
    );
  });

  it("lists the problems of a body up to a length", () => {
    const problem = () => ({ loc: ["body", "name"], msg: "is wrong", type: "t" });
    const problems = Array.from({ length: 100_000 }, problem);
    const message = formatError(new Unprocessable({ ...failure, problems }), adviceFor);
    expect(message)
      .to.match(/^create deployment 'support': name: is wrong; name: /)
      .and.match(/ more characters\)$/)
      .and.have.length.below(2_100);
  });

  it("says a field's place as the user writes it", () => {
    const problems = [{ loc: ["body", "source_config", "repo_url"], msg: "is wrong", type: "t" }];
    expect(formatError(new Unprocessable({ ...failure, problems }), adviceFor)).to.equal(
      "create deployment 'support': sourceConfig.repoUrl: is wrong",
    );
  });
});

import { expect } from "chai";
import { Forbidden, Unauthorized, Unprocessable } from "pulumi-agentserver/sdk";
import { explain } from "../../provider/advice";
import { readSettings } from "../../provider/settings";

const settings = readSettings(
  {
    "agentserver:baseUrl": "https://a.example.com",
    "agentserver:apiKey": "key",
    "agentserver:workspaceId": "mine",
  },
  {},
);
const failure = {
  action: "create deployment",
  subject: "support",
  method: "POST",
  url: "https://a.example.com/v2/deployments",
  words: "401 no",
  secrets: [],
  status: 401,
  detail: "no",
};

describe("advice after an error", () => {
  it("names the setting of a key that is not accepted", () =>
    expect(explain(new Unauthorized(failure), settings)).to.match(
      /^create deployment 'support': 401 no; check agentserver:apiKey/,
    ));

  it("names the workspace that a key may not work in", () =>
    expect(explain(new Forbidden(failure), settings)).to.contain(
      "workspace mine (agentserver:workspaceId)",
    ));

  it("says a field's place as the user writes it", () => {
    const problems = [{ loc: ["body", "source_config", "repo_url"], msg: "is wrong", type: "t" }];
    expect(explain(new Unprocessable({ ...failure, problems }), settings)).to.equal(
      "create deployment 'support': sourceConfig.repoUrl: is wrong",
    );
  });
});

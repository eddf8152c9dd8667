import { expect } from "chai";
import { dataDirOption } from "../../local/platform/identity-file";
import { writeFile } from "node:fs/promises";
import {
  type ConnectionOptions,
  findConnection,
  nextCommand,
  type Search,
} from "../../cli/connection";
import { CommandFailure } from "../../cli/failure";
import { rejection } from "../support/rejection";
import { useFolder } from "../local/children";

const OURS = {
  AGENTSERVER_BASE_URL: "https://ours.example.com",
  AGENTSERVER_API_KEY: "key-of-ours",
  AGENTSERVER_WORKSPACE_ID: "w",
};
const PLATFORM = {
  url: "http://127.0.0.1:8123",
  port: 8123,
  apiKey: "key-of-the-platform",
  workspaceId: "p",
  adminKey: "a",
  pid: 1,
  dialect: "langsmith",
};

describe("cli/connection", () => {
  const dataDir = useFolder();
  beforeEach(() => writeFile(dataDir("platform.json"), JSON.stringify(PLATFORM)));

  const find = (options: ConnectionOptions, environment: Search["environment"] = {}) =>
    findConnection(options, { environment });
  const problemOf = async (...search: Parameters<typeof find>): Promise<string> => {
    const error = await rejection((async () => find(...search))());
    expect(error).to.be.instanceOf(CommandFailure);
    return error.message;
  };

  it("is that of the options first, then the environment's, then the local platform's", () => {
    const { origin, settings } = find({ dataDir: dataDir() }, OURS);
    expect(origin).to.equal(dataDir("platform.json"));
    expect(settings).to.include({
      baseUrl: "http://127.0.0.1:8123",
      apiKey: "key-of-the-platform",
      workspaceId: "p",
      dialect: "langsmith",
    });
    expect(find({ dataDir: dataDir(), workspaceId: "q" }).settings.workspaceId).to.equal("q");
    expect(find({ dataDir: dataDir(), dialect: "agentserver" }).settings.dialect).to.equal(
      "agentserver",
    );
    expect(find({}, OURS)).to.nested.include({
      origin: "AGENTSERVER_BASE_URL",
      "settings.apiKey": "key-of-ours",
    });
    const options = { baseUrl: "https://ours.example.com/v", workspaceId: "other" };
    expect(find(options, OURS)).to.nested.include({
      origin: "--base-url",
      "settings.baseUrl": "https://ours.example.com/v",
      "settings.apiKey": "key-of-ours",
      "settings.workspaceId": "other",
    });
    const selfHosted = "https://ours.example.com/v/api-host";
    expect(find({ ...options, selfHosted: true }, OURS).settings.baseUrl).to.equal(selfHosted);
  });

  it("takes the plain http of a platform that listens on another address, which has no https", async () => {
    const url = "http://192.0.2.7:8123";
    await writeFile(dataDir("platform.json"), JSON.stringify({ ...PLATFORM, url }));
    expect(find({ dataDir: dataDir() }).settings.baseUrl).to.equal(url);
  });

  it("never sends the environment's key to a local platform, nor the platform's key elsewhere", async () => {
    expect(find({ dataDir: dataDir() }, OURS).settings.apiKey).to.equal("key-of-the-platform");
    const both = "--base-url and --data-dir both name a control plane; keep one";
    expect(await problemOf({ dataDir: dataDir(), baseUrl: "https://other.example.com" })).to.equal(
      both,
    );
    expect(await problemOf({ baseUrl: "http://127.0.0.1:8123" })).to.contain(
      "AGENTSERVER_API_KEY is missing",
    );
  });

  it("says what to do when no platform has run in the folder, whatever its name, or its file is damaged", async () => {
    const option = `--data-dir 'it'\\''s mine'`;
    expect(dataDirOption("it's mine").join(" ")).to.equal(option);
    expect(await problemOf({ dataDir: "it's mine" }, {})).to.contain(`local ${option}\``);
    for (const environment of [{}, OURS])
      expect(await problemOf({ dataDir: dataDir("none") }, environment)).to.equal(
        `no local platform has run on ${dataDir("none")}: start one there with ` +
          `\`npx pulumi-agentserver local --data-dir ${dataDir("none")}\`, or name another folder`,
      );
    const path = dataDir("platform.json");
    for (const [text, reason] of [
      ["{", /JSON/],
      ['{"url":1}', /url/],
    ] as const) {
      await writeFile(path, text);
      expect(await problemOf({ dataDir: dataDir() }))
        .to.match(reason)
        .and.satisfy((message: string) => message.startsWith(`${path} is not valid: `))
        .and.contain("start the platform on the folder again");
    }
  });

  it("prints a command to type next with the options by which the control plane was found", () => {
    const options = { dataDir: "it's mine", workspaceId: "w", selfHosted: true, wait: true };
    expect(nextCommand(options, "status", "support", "--wait")).to.equal(
      `\`npx pulumi-agentserver status support --wait --workspace-id w --self-hosted --data-dir 'it'\\''s mine'\``,
    );
    expect(nextCommand({}, "logs", "support")).to.equal("`npx pulumi-agentserver logs support`");
  });

  it("does not know a platform yet that has only listed what it creates", async () => {
    await writeFile(dataDir("platform.json"), JSON.stringify({ created: ["platform.json"] }));
    const none = `no local platform has run on ${dataDir()}`;
    expect(await problemOf({ dataDir: dataDir() })).to.contain(none);
  });

  it("says which variables to set when nothing names a control plane", async () => {
    for (const nothing of [{}, { AGENTSERVER_BASE_URL: "" }])
      expect(await problemOf({}, { AGENTSERVER_API_KEY: "k", ...nothing })).to.contain(
        "no control plane: set AGENTSERVER_BASE_URL",
      );
  });
});

import { expect } from "chai";
import { dataDirOption } from "../../local/platform/identity-file";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ConnectionOptions, findConnection, type Search } from "../../cli/connection";
import { CommandFailure } from "../../cli/failure";
import { aFolder } from "../local/children";

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
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await aFolder();
    await writeFile(join(dataDir, "platform.json"), JSON.stringify(PLATFORM));
  });
  afterEach(() => rm(dataDir, { recursive: true }));

  const find = (options: ConnectionOptions, environment: Search["environment"] = {}) =>
    findConnection(options, { environment });
  function problemOf(options: ConnectionOptions, environment: Search["environment"] = {}): string {
    try {
      find(options, environment);
    } catch (error) {
      if (error instanceof CommandFailure) return error.message;
      throw error;
    }
    throw new Error("it was found");
  }

  it("is that of the options first, then the environment's, then the local platform's", () => {
    const { origin, settings } = find({ dataDir }, OURS);
    expect(origin).to.equal(join(dataDir, "platform.json"));
    expect(settings).to.include({
      baseUrl: "http://127.0.0.1:8123",
      apiKey: "key-of-the-platform",
      workspaceId: "p",
      dialect: "langsmith",
    });
    expect(find({ dataDir, workspaceId: "q" }).settings.workspaceId).to.equal("q");
    expect(find({ dataDir, dialect: "agentserver" }).settings.dialect).to.equal("agentserver");
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
    expect(find({ ...options, selfHosted: true }, OURS).settings.baseUrl).to.equal(
      "https://ours.example.com/v/api-host",
    );
  });

  it("never sends the environment's key to a local platform, nor the platform's key elsewhere", () => {
    expect(find({ dataDir }, OURS).settings.apiKey).to.equal("key-of-the-platform");
    expect(problemOf({ dataDir, baseUrl: "https://other.example.com" })).to.equal(
      "--base-url and --data-dir both name a control plane; keep one",
    );
    expect(problemOf({ baseUrl: "http://127.0.0.1:8123" })).to.contain(
      "AGENTSERVER_API_KEY is missing",
    );
  });

  it("says what to do when no platform has run in the folder, whatever its name, or its file is damaged", async () => {
    const option = `--data-dir 'it'\\''s mine'`;
    expect(dataDirOption("it's mine").join(" ")).to.equal(option);
    expect(problemOf({ dataDir: "it's mine" }, {})).to.contain(`local ${option}\``);
    for (const environment of [{}, OURS])
      expect(problemOf({ dataDir: join(dataDir, "none") }, environment)).to.equal(
        `no local platform has run on ${join(dataDir, "none")}: start one there with ` +
          `\`pulumi-agentserver local --data-dir ${join(dataDir, "none")}\`, or name another folder`,
      );
    const path = join(dataDir, "platform.json");
    for (const [text, reason] of [
      ["{", /JSON/],
      ['{"url":1}', /url/],
    ] as const) {
      await writeFile(path, text);
      expect(problemOf({ dataDir }))
        .to.match(reason)
        .and.satisfy((message: string) => message.startsWith(`${path} is not valid: `))
        .and.contain("start the platform on the folder again");
    }
  });

  it("does not know a platform yet that has only listed what it creates", async () => {
    await writeFile(join(dataDir, "platform.json"), JSON.stringify({ created: ["platform.json"] }));
    expect(problemOf({ dataDir })).to.contain(`no local platform has run on ${dataDir}`);
  });

  it("says which variables to set when nothing names a control plane", () => {
    for (const nothing of [{}, { AGENTSERVER_BASE_URL: "" }])
      expect(problemOf({}, { AGENTSERVER_API_KEY: "k", ...nothing })).to.contain(
        "no control plane: set AGENTSERVER_BASE_URL",
      );
  });
});

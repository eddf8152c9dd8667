import { expect } from "chai";
import { readArguments, USAGE } from "../../../local/cli/arguments";

describe("local/cli/arguments", () => {
  it("reads every option of local", () => {
    const line =
      "local --port 0 --data-dir D --driver simulated --stage-seconds 0.5 --dialect langsmith " +
      "--hosting self-hosted --max-servers 3 --listen 0.0.0.0 --agent-auth --json " +
      "--allow-origin http://localhost:3000 --allow-origin https://chat.example.com";
    expect(readArguments(line.split(" "))).to.deep.equal({
      name: "local",
      json: true,
      options: {
        port: 0,
        dataDir: "D",
        driver: "simulated",
        stageSeconds: 0.5,
        dialect: "langsmith",
        hosting: "self-hosted",
        maxServers: 3,
        listen: "0.0.0.0",
        agentAuth: true,
        allowOrigins: ["http://localhost:3000", "https://chat.example.com"],
      },
    });
  });

  it("leaves what is not given to the platform", () => {
    const command = readArguments(["local"]);
    const options = command.name === "local" ? command.options : undefined;
    expect(Object.values({ ...options, agentAuth: undefined })).to.deep.equal(
      Array.from({ length: 10 }, () => undefined),
    );
  });

  it("knows --help and --version, with and without a command", () => {
    for (const name of ["help", "version"])
      for (const before of [[], ["local"], ["logs"]])
        expect(readArguments([...before, `--${name}`])).to.deep.equal({ name });
  });

  it("reads every option of logs", () => {
    const id = "11111111-1111-4111-8111-111111111111";
    const line = `logs support --data-dir D --revision ${id} --type build`;
    expect(readArguments(line.split(" "))).to.deep.equal({
      name: "logs",
      options: { deployment: "support", dataDir: "D", revisionId: id, type: "build" },
    });
    expect(readArguments(["logs", "support"])).to.deep.equal({
      name: "logs",
      options: {
        deployment: "support",
        dataDir: undefined,
        revisionId: undefined,
        type: undefined,
      },
    });
  });

  it("explains every option", () => {
    for (const flag of ["port", "data-dir", "driver", "stage-seconds", "dialect", "hosting"])
      expect(USAGE).to.contain(`--${flag}`);
    for (const flag of [
      "max-servers",
      "listen",
      "agent-auth",
      "allow-origin",
      "json",
      "revision",
      "type",
      "help",
      "version",
    ])
      expect(USAGE).to.contain(`--${flag}`);
  });

  const problemsOf = (line: string) => {
    const command = readArguments(line.split(" ").filter((word) => word !== ""));
    return command.name === "invalid" ? command.problems : [];
  };

  const wrong = [
    ["--port 65536", "--port must be a port"],
    ["--port -1", "--port"],
    ["--port 8x", "--port must be a port"],
    ["--port=", "--port must be a port"],
    ["--port", "--port must be a port"],
    ["--data-dir", "--data-dir must name a folder"],
    ["--port 1 --port 2", "--port is given more than once"],
    ["--stage-seconds -1", "--stage-seconds"],
    ["--stage-seconds soon", "--stage-seconds must be a number of seconds"],
    ["--driver docker", "--driver must be process or simulated"],
    ["--dialect other", "--dialect must be agentserver or langsmith"],
    ["--hosting mine", "--hosting must be cloud or self-hosted"],
    ["--max-servers 0", "--max-servers must be a whole number from 1"],
    ["--max-servers 1.5", "--max-servers"],
    ["--data-dir=", "--data-dir must name a folder"],
    ["--json=yes", "--json takes no value"],
    ["--allow-origin *", "--allow-origin must be an origin, such as http://localhost:3000"],
    ["--allow-origin http://a/b", "--allow-origin must be an origin"],
    ["--allow-origin", "--allow-origin must be an origin"],
    ["--prot 1", "--prot is not an option"],
    ["-x", "-x is not an option"],
    ["remote", "'remote' is one word too many"],
  ] as const;
  for (const [line, words] of wrong)
    it(`refuses ${line}`, () => {
      expect(problemsOf(`local ${line}`).join("; ")).to.contain(words);
    });

  const wrongOfLogs = [
    ["", "logs needs the name of a deployment"],
    ["support more", "'more' is one word too many"],
    ["support --port 1", "--port is not an option of logs"],
    ["support --type server", "--type must be build or deploy"],
    ["support --revision newest", "--revision must be a revision's id"],
    ["support --data-dir=", "--data-dir must name a folder"],
  ] as const;
  for (const [line, words] of wrongOfLogs)
    it(`refuses logs ${line}`, () => {
      expect(problemsOf(`logs ${line}`)).to.deep.equal([words]);
    });

  it("asks for a command, and names one that it does not know", () => {
    expect(problemsOf("")).to.deep.equal(["a command is needed: local or logs"]);
    expect(problemsOf("start")).to.deep.equal(["there is no command 'start', only local and logs"]);
  });

  it("tells every problem at once", () => {
    const line = "local more --port x --driver y --hosting z --nonsense --max-servers 0";
    expect(problemsOf(line)).to.have.lengthOf(6);
  });
});

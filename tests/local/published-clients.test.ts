import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { REPOSITORY } from "../../scripts/project";
import { cached } from "../support/cached";
import { type DeployedAgent, useDeployedAgent } from "../support/deployed-agent";
import { question } from "../support/runs";
import { describeNightly } from "../support/tiers";
import { aFolder, removeFolder } from "./children";

const run = promisify(execFile);
const LIMIT_MS = 900_000;
const PYTHON = ["langgraph-cli==0.4.40", "langgraph-sdk==0.4.14"];
const JAVASCRIPT = {
  "@langchain/langgraph-cli": "1.5.1",
  "sdk-1": "npm:@langchain/langgraph-sdk@1.15.0",
  "sdk-2": "npm:@langchain/langgraph-sdk@2.0.0",
};

const image = (digit: string) => `registry.example.com/acme/agent@sha256:${digit.repeat(64)}`;
/** Answers what the Python command line asks a Docker daemon when it pushes an image. */
const DOCKER = `#!/bin/sh
case "$*" in *RepoDigests*) echo '["${image("c")}"]' ;; *inspect*) echo linux/amd64 ;; esac
`;
/** What follows `deploy`, and what its output shows. `$name` is the id of that deployment. */
type Line = readonly [line: string, shows: RegExp, fails?: "refused"];
const SHARED: readonly Line[] = [
  ["list", /agent-1/],
  ["revisions list $agent-1", /DEPLOYED/],
  ["logs --name agent-1", /\[INFO\]/],
  ["logs --name agent-1 --level ERROR", /\[ERROR\].*out of order/s],
  ["logs --name agent-1 --level ERROR --follow", /out of order/],
  ["--remote --no-input --name x", /an upload of the code, which is not supported/, "refused"],
];
const CREATES = "--no-input --json --name";
const JAVASCRIPT_LINES: readonly Line[] = [...SHARED, ["delete --force $pushed", /Deleted/]];
const PYTHON_LINES: readonly Line[] = [
  ...SHARED,
  [`--image-uri ${image("a")} ${CREATES} img`, /succeeded/],
  [`--image-uri ${image("b")} ${CREATES} img`, /existing deployment.*succeeded/s],
  [`--push-to registry.example.com/acme/agent --image a:1 ${CREATES} pushed`, /succeeded/],
  [
    `--agent-id a --agent-environment staging --image-uri ${image("a")}`,
    /agent_id"\],"msg":"[^"]*/,
    "refused",
  ],
  ["logs --name agent-1 --type build", /using the real Python server/],
  ["listeners list", /local/],
  ["delete --force $img", /Deleted/],
];
/** A failure of the real server itself: without the platform the client waits forever too. */
const EXPECTED = "Python SDK 0.4.14, javascript server: threads stream, websocket: TimeoutError: ";

describeNightly("published clients of the public service, on the local platform", () => {
  const results: string[] = [];
  let bin = "";
  let modules = "";
  let python = "";

  before(async function () {
    this.timeout(LIMIT_MS);
    bin = await aFolder();
    await writeFile(join(bin, "docker"), DOCKER, { mode: 0o755 });
    const versions = [...PYTHON, ...Object.values(JAVASCRIPT)]
      .join("-")
      .replaceAll(/[^\w.]+/g, "-");
    const cwd = await cached(`clients-${versions}`, async (folder) => {
      const content = { private: true, dependencies: JAVASCRIPT };
      await writeFile(join(folder, "package.json"), JSON.stringify(content));
      await run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: folder });
      await run("python3", ["-m", "venv", folder]);
      await run(join(folder, "bin/python"), ["-m", "pip", "install", "--quiet", ...PYTHON]);
    });
    [modules, python] = [join(cwd, "node_modules"), join(cwd, "bin/python")];
  });
  after(async () => {
    process.stdout.write(`\n${results.join("\n")}\n\n`);
    await removeFolder(bin);
  });

  for (const language of ["javascript", "python"] as const)
    describe(`on the real ${language} server`, () => {
      const agent = useDeployedAgent(language, { dialect: "langsmith" });
      const fixture = (name: string) => join(REPOSITORY, "tests/fixtures/clients", name);
      for (const [client, command] of [
        ["Python SDK 0.4.14", () => [python, fixture("sdk.py")]],
        ["JavaScript SDK 1.15.0", () => [process.execPath, fixture("sdk.mjs"), `${modules}/sdk-1`]],
        ["JavaScript SDK 2.0.0", () => [process.execPath, fixture("sdk.mjs"), `${modules}/sdk-2`]],
      ] as const)
        it(`${client}: threads, state, history, search, info, assistants, streamed runs`, async () => {
          const [file = "", ...args] = command();
          const { stdout } = await run(file, [...args, agent().url]);
          const lines = stdout.trim().split("\n");
          const ended = lines.map((line) => `${client}, ${language} server: ${line}`);
          results.push(...ended);
          expect(ended.filter((line) => !line.endsWith(": ok") && line !== EXPECTED)).to.be.empty;
        }).timeout(LIMIT_MS);
      if (language === "python") commandLines(agent);
    });

  function commandLines(agent: () => DeployedAgent) {
    before(async () => {
      const { thread_id } = await agent().client.threads.create();
      const input = question("Fail.");
      await agent()
        .client.runs.wait(thread_id, { assistant_id: "agent", input })
        .catch(() => {});
    });

    for (const [client, command, lines] of [
      ["Python CLI 0.4.40", () => [python, "-m", "langgraph_cli"], PYTHON_LINES],
      ["JavaScript CLI 1.5.1", () => [`${modules}/.bin/langgraphjs`], JAVASCRIPT_LINES],
    ] as const)
      it(`${client}: list, revisions, logs, deployments by image, delete`, async () => {
        const ended: string[] = [];
        for (const line of lines)
          ended.push(`${client}: ${await operate(agent(), command(), line)}`);
        results.push(...ended);
        expect(ended.filter((line) => !/: (ok|refused: .*)$/.test(line))).to.be.empty;
      }).timeout(LIMIT_MS);
  }

  /** Runs a command line until it ends, or until it shows what it should: `--follow` never ends. */
  async function operate(agent: DeployedAgent, command: string[], [line, shows, fails]: Line) {
    const { url, apiKey, workspaceId } = agent.test.platform;
    const ids = new Map((await agent.test.deployments()).map(({ id, name }) => [`$${name}`, id]));
    const words = ["deploy", ...line.split(" "), "--host-url", url];
    const [file = "", ...args] = [...command, ...words.map((word) => ids.get(word) ?? word)];
    const PATH = `${bin}:${process.env["PATH"]}`;
    const keys = { LANGSMITH_API_KEY: apiKey, LANGSMITH_TENANT_ID: workspaceId };
    const options = { cwd: agent.repository.folder, env: { ...process.env, ...keys, PATH } };
    const child = spawn(file, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        if (args.includes("--follow") && shows.test(output)) child.kill();
      });
    const [exitCode] = await once(child, "close");
    const [reason] = shows.exec(output) ?? [];
    const hasFailed = Boolean(exitCode) && !child.killed;
    if (reason === undefined || hasFailed !== Boolean(fails)) return `${line}: ${output}`;
    return `${line}: ${fails ? `${fails}: ${reason}` : "ok"}`;
  }
});

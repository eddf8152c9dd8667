import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect } from "chai";
import { AgentServer, ControlPlane, type Deployment } from "pulumi-agentserver/sdk";
import { REPOSITORY } from "../../scripts/project";
import { aFolder, processesWith, removeFolder, until } from "./children";
import { makeRepository, type Repository } from "./repository";

/** The output of `local --json`. */
interface Printed {
  readonly url: string;
  readonly apiKey: string;
  readonly workspaceId: string;
  readonly pid: number;
}

/** A build that ends when a file is there. */
const WAIT = `
import { existsSync } from "node:fs";
const look = setInterval(() => existsSync(process.argv[2]) && clearInterval(look), 20);
`;
const SUPERSTEPS = [
  { updates: [{ values: { messages: [{ type: "human", content: "hi" }] }, as_node: "__start__" }] },
];

describe("the local platform after kill -9, with real git, builds and servers", () => {
  let folder = "";
  let child: ChildProcess | undefined;
  let printed: Printed;
  let client: ControlPlane;
  let repository: Repository;

  async function start(): Promise<Printed> {
    const cli = join(REPOSITORY, "dist/cli/main.js");
    const args = ["local", "--json", "--port", "0", "--data-dir", join(folder, "data")];
    const builtIn = ["--agent-server", "built-in"];
    child = spawn(process.execPath, [cli, ...args, ...builtIn], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    if (!child.stdout) throw new Error("the platform has no output");
    const [line] = await once(createInterface(child.stdout), "line");
    return JSON.parse(String(line));
  }
  const deploy = async (name: string, more: object = {}): Promise<Deployment> => {
    const [integration] = await Array.fromAsync(client.integrations.list());
    return client.deployments.create({
      name,
      source: "git_host",
      source_config: {
        integration_id: integration?.id ?? "",
        repo_url: repository.url,
        deployment_type: "dev",
        build_on_push: false,
        ...more,
      },
      source_revision_config: { repo_ref: "main", graph_config_path: "langgraph.json" },
      secrets: [],
    });
  };
  const untilStatus = async ({ id, latest_revision_id: revision }: Deployment, status: string) => {
    await until(`${status} of ${id}`, async () => {
      const now = await client.revisions.get(id, revision ?? "");
      if (/FAILED/.test(now.status) && now.status !== status) throw new Error(now.status);
      return now.status === status;
    });
  };

  before(async () => {
    folder = await aFolder();
    repository = await makeRepository(join(folder, "repository"), {
      "langgraph.json": JSON.stringify({ graphs: { agent: "./agent.mjs:graph" } }),
      "wait.mjs": WAIT,
    });
    printed = await start();
    client = new ControlPlane({ ...printed, baseUrl: printed.url });
  });
  after(async () => {
    child?.kill("SIGTERM");
    if (child) await once(child, "exit");
    await removeFolder(folder);
  });

  it("leaves no child, neither a build nor a server, and has everything when it is started again", async () => {
    const serving = await deploy("serving");
    await untilStatus(serving, "DEPLOYED");
    const agent = new AgentServer({ url: serving.url ?? "" });
    const thread = await agent.threads.create({ supersteps: SUPERSTEPS });

    // The build ends only when this file is there, which is after the crash.
    const gate = join(folder, "gate");
    const building = await deploy("building", {
      build_command: `node wait.mjs ${gate}`,
    });
    await untilStatus(building, "BUILDING");
    await until("the build to run", async () => (await processesWith(gate)).length > 0);

    process.kill(printed.pid, "SIGKILL");
    await until("the end of every child", async () => (await processesWith(folder)).length === 0);

    await writeFile(gate, "");
    const again = await start();
    expect(again).to.deep.include({ ...printed, pid: again.pid });
    printed = again;
    expect((await agent.threads.state(thread.thread_id)).values).to.have.property("messages");
    await untilStatus(building, "DEPLOYED");
    const names: string[] = [];
    for await (const { name } of client.deployments.list()) names.push(name);
    expect(names).to.have.members(["serving", "building"]);
    expect((await client.deployments.get(serving.id)).active_revision_id).to.equal(
      serving.latest_revision_id,
    );
  });
});

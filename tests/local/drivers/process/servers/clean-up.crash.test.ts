import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect } from "chai";
import { ControlPlane, type Deployment } from "pulumi-agentserver/sdk";
import { startLocalPlatform, type LocalPlatform } from "../../../../../local";
import { aFolder, processesWith, removeFolder, until } from "../../../children";
import { TINY_AGENT } from "../tiny-agent";
import { makeRepository } from "../../../repository";

/** A whole platform. It stands still before it removes what revisions before the last two have left. */
const PLATFORM = `
const [folder, dataDir] = process.argv.slice(1);
const load = (name) => require(folder + "/" + name);
const { Folders } = load("local/drivers/process/folders");
const { startLocalPlatform } = load("local");
const { keepRevisions } = Folders.prototype;
Folders.prototype.keepRevisions = function (deploymentId, ids) {
  if (new Set(ids).size === 1) return keepRevisions.call(this, deploymentId, ids);
  console.log("cleaning up");
  return new Promise(() => {});
};
startLocalPlatform({ port: 0, dataDir }).then((platform) => console.log(JSON.stringify(platform)));`;

/** A build that ends when a file is there. */
const WAIT = `const { existsSync } = require("node:fs");
const look = setInterval(() => existsSync(process.argv[2]) && clearInterval(look), 20);`;

/** Holds its threads in memory, as the real one does: `POST /NAME` makes one of that name, every answer lists all. */
const STATEFUL_SERVER = `
import { createServer } from "node:http";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";

export async function startServer({ port, host, cwd }) {
  const folder = cwd + "/.langgraph_api";
  const file = folder + "/threads.json";
  const threads = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : [];
  const server = createServer(({ method, url }, response) => {
    if (method === "POST") threads.push(url.slice(1));
    response.end(JSON.stringify(threads));
  });
  await new Promise((done) => server.listen(port, host, done));
  const cleanup = async () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, JSON.stringify(threads));
  };
  return { host: host + ":" + server.address().port, cleanup };
}`;

describe("the platform's process, killed while it builds, serves, and cleans up after a roll-over,", () => {
  let folder: string;
  let child: ChildProcess | undefined;
  let platform: LocalPlatform | undefined;

  beforeEach(async () => {
    folder = await aFolder();
  });
  afterEach(async () => {
    child?.kill("SIGKILL");
    await platform?.close();
    await removeFolder(folder);
  });

  it("leaves no child, costs no thread, old or new, builds again, and cleans up with the next roll-over", async () => {
    const dataDir = join(folder, "data");
    const repository = await makeRepository(join(folder, "repository"), {
      ...TINY_AGENT,
      "packages/api/server.mjs": STATEFUL_SERVER,
      "wait.cjs": WAIT,
    });
    child = spawn(process.execPath, ["-e", PLATFORM, join(__dirname, "../../../../.."), dataDir], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const exit = once(child, "exit");
    if (!child.stdout) throw new Error("the platform has no output");
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const printed = JSON.parse(String((await lines.next()).value));
    const client = new ControlPlane({ ...printed, baseUrl: printed.url });

    const source_revision_config = { repo_ref: "main", graph_config_path: "langgraph.json" };
    const [integration] = await Array.fromAsync(client.integrations.list());
    const create = (name: string, build_command?: string) =>
      client.deployments.create({
        name,
        source: "git_host",
        source_config: {
          integration_id: integration?.id ?? "",
          repo_url: repository.url,
          deployment_type: "dev",
          ...(build_command && { build_command }),
        },
        source_revision_config,
        secrets: [],
      });
    const deployed = ({ id, latest_revision_id: revision }: Deployment) =>
      until(`the deploy of ${revision}`, async () => {
        const { status } = await client.revisions.get(id, revision ?? "");
        if (status.includes("FAILED")) throw new Error(status);
        return status === "DEPLOYED";
      });
    const serving = await create("serving");
    const { id, url } = serving;
    const redeploy = () => client.deployments.update(id, { source_revision_config });
    const threads = async (): Promise<unknown> => (await fetch(`${url}/`)).json();
    const make = (name: string) => fetch(`${url}/${name}`, { method: "POST" });

    await deployed(serving);
    await make("before");
    const gate = join(folder, "gate");
    const building = await create("building", `node wait.cjs ${gate}`);
    await until("the build", async () => (await processesWith(gate)).length > 0);
    const second = await redeploy();
    expect(await lines.next()).to.have.property("value", "cleaning up");
    await make("after");
    child.kill("SIGKILL");
    await exit;
    await until("the end of every child", async () => !(await processesWith(dataDir))[0]);

    await writeFile(gate, "");
    platform = await startLocalPlatform({ port: 0, dataDir });
    await deployed(building);
    expect(await threads()).to.deep.equal(["before", "after"]);
    const third = await redeploy();
    await deployed(third);
    expect(await threads()).to.deep.equal(["before", "after"]);
    const kept = () => readdir(join(dataDir, "deployments", id, "revisions"));
    await until("the clean-up", async () => (await kept()).length === 2);
    expect(await kept()).to.have.members([second.latest_revision_id, third.latest_revision_id]);
  });
});

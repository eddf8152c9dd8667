import { expect } from "chai";
import Libsql from "libsql";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Deployment, IntegrationsList, LogPage, Revision } from "../../sdk/schema";
import { aGitDeployment, poll } from "../support/platform";

const SIMULATED = "simulated: nothing runs, this stage takes 0.01 s";
const CLI = join(__dirname, "../../cli/main.js");

/** The answers of SQLite on a full disk, also that it ends the transaction by itself; a tag of a deployment begins and ends it. */
const FULL_WHILE_TAGGED = [
  "INSERT ON deployments",
  "UPDATE ON revisions",
  "DELETE ON deployments",
  "INSERT ON log_lines",
]
  .map((event) => {
    const tag = event.replaceAll(" ", "_");
    return `CREATE TRIGGER full_${tag} BEFORE ${event}
      WHEN EXISTS (SELECT 1 FROM tags WHERE tag_value_id = '${event}')
      BEGIN SELECT RAISE(ROLLBACK, 'database or disk is full'); END;`;
  })
  .join("\n");

describe("a local platform whose disk is full", () => {
  let dataDir: string;
  let child: ChildProcess;
  let told: string;
  let keys: { url: string; apiKey: string; adminKey: string };

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "agentserver-full-"));
  });
  afterEach(async () => {
    await end();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function start(): Promise<void> {
    const args = ["local", "--port", "0", "--driver", "simulated", "--stage-seconds", "0.01"];
    const stdio = ["ignore", "pipe", "pipe"] as const;
    const started = spawn(process.execPath, [CLI, ...args, "--json", "--data-dir", dataDir], {
      stdio: [...stdio],
    });
    child = started;
    told = "";
    started.stderr.on("data", (text: Buffer) => (told += text.toString()));
    const [line] = await once(createInterface({ input: started.stdout }), "line");
    keys = JSON.parse(String(line));
  }
  async function end(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill();
    await once(child, "close");
  }
  const request = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${keys.url}${path}`, {
      method,
      headers: {
        "x-api-key": keys.apiKey,
        "x-local-key": keys.adminKey,
        "content-type": "application/json",
        connection: "close",
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const parsed: unknown = text === "" ? undefined : JSON.parse(text);
    return { status: response.status, body: parsed };
  };
  const create = async (name: string) => {
    const { body: found } = await request("GET", "/v1/integrations/git_host/install");
    const [integration] = IntegrationsList.parse(found);
    const body = { ...aGitDeployment(integration?.id ?? ""), name };
    return request("POST", "/v2/deployments", body);
  };
  const created = async (name: string) => Deployment.parse((await create(name)).body);
  const revisionPath = ({ id, latest_revision_id }: Deployment) =>
    `/v2/deployments/${id}/revisions/${latest_revision_id}`;
  const untilDeployed = (deployment: Deployment) =>
    poll("the revision to be deployed", async () => {
      const { status } = Revision.parse((await request("GET", revisionPath(deployment))).body);
      return { fits: status === "DEPLOYED", seen: status };
    });
  const buildLog = (deployment: Deployment) =>
    request("GET", `${revisionPath(deployment)}/logs?type=build`);
  const messagesOf = ({ body }: { body: unknown }) =>
    LogPage.parse(body).logs.map(({ message }) => message);
  const untilTold = (text: string) =>
    poll(`'${text}' on stderr`, async () => ({ fits: told.includes(text), seen: told }));
  /** Starts on a folder whose store is full while a deployment has the tag; returns what sets its tags. */
  const startFillable = async () => {
    await start();
    const deployment = await created("switch");
    await untilDeployed(deployment);
    await end();
    const database = new Libsql(join(dataDir, "platform.db"));
    database.exec(FULL_WHILE_TAGGED);
    database.close();
    await start();
    return (...tagValueIds: string[]) =>
      request("POST", "/_local/tags", {
        deploymentId: deployment.id,
        tagValueIds,
      });
  };

  it("refuses what it can't store, with the reason", async () => {
    const fill = await startFillable();
    await fill("INSERT ON deployments");
    expect(await create("support")).to.deep.equal({
      status: 500,
      body: { detail: "the local platform failed: database or disk is full" },
    });
    await fill();
    await untilDeployed(await created("support"));
  });

  it("keeps a revision where it is until it can store more, and says so", async () => {
    const fill = await startFillable();
    await fill("UPDATE ON revisions");
    const deployment = await created("support");
    await untilTold("after 'done' (retrying): database or disk is full");
    const { status } = await request("POST", `${revisionPath(deployment)}/interrupt`);
    expect(status).to.equal(500);
    const other = await created("other");
    await fill();
    await untilDeployed(other);
    await request("POST", `${revisionPath(deployment)}/interrupt`);
    const { body } = await request("GET", revisionPath(deployment));
    expect(body).to.have.property("status", "INTERRUPTED");
  });

  it("starts all the same with revisions that it can't store, and with deployments that it can't remove", async () => {
    const fill = await startFillable();
    await fill("UPDATE ON revisions", "DELETE ON deployments");
    const [one, other] = [await created("one"), await created("other")];
    await request("DELETE", `/v2/deployments/${one.id}`);
    await untilTold(`remove deployment ${one.id}`);
    await end();
    await start();
    await untilTold(`remove deployment ${one.id}`);
    await fill();
    await untilDeployed(other);
    await poll("the end of the deployment", async () => {
      const { status: seen } = await request("GET", `/v2/deployments/${one.id}`);
      return { fits: seen === 404, seen };
    });
  });

  it("outlives logs that can't be written, and says so to their readers", async () => {
    const fill = await startFillable();
    await fill("INSERT ON log_lines");
    const deployment = await created("support");
    await untilDeployed(deployment);
    await untilTold("store logs (retrying): database or disk is full");
    const failed = await buildLog(deployment);
    expect(failed.status).to.equal(500);
    expect(failed.body).to.have.property("detail").that.contains("database or disk is full");
    await request("POST", "/_local/outcomes", {
      stage: "build",
      status: "BUILD_FAILED",
      reason: "no compiler",
    });
    const broken = await created("broken");
    await untilTold("no compiler");
    expect(told.split("store logs")).to.have.lengthOf(2);
    await fill();
    expect(messagesOf(await buildLog(deployment))).to.deep.equal([SIMULATED, SIMULATED]);
    expect(messagesOf(await buildLog(broken))).to.deep.equal([SIMULATED, "no compiler"]);
  });

  it("says how many lines are lost when it ends before they can be stored", async () => {
    const fill = await startFillable();
    await fill("INSERT ON log_lines");
    const deployment = await created("support");
    await untilDeployed(deployment);
    await end();
    expect(told).to.contain("store logs (3 lines lost): database or disk is full");
    await start();
    expect(messagesOf(await buildLog(deployment))).to.deep.equal([]);
  });
});

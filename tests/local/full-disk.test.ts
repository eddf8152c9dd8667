import { expect } from "chai";
import Libsql from "libsql";
import { join } from "node:path";
import { mock } from "node:test";
import { Deployment, LogPage } from "../../sdk/schema";
import { aGitDeployment, poll, startTestPlatform, type TestPlatform } from "../support/platform";
import { parsed } from "../support/values";

const SIMULATED = "simulated: nothing runs, this stage takes 0.01 s";

/** The answers of SQLite on a full disk, also that it ends the transaction by itself; a tag of a deployment begins and ends it. */
const FULL_WHILE_TAGGED = [
  "INSERT ON deployments",
  "UPDATE ON revisions",
  "UPDATE ON deployments",
  "DELETE ON deployments",
  "INSERT ON log_lines",
  "INSERT ON resources",
]
  .map((event) => {
    const tag = event.replaceAll(" ", "_");
    return `CREATE TRIGGER full_${tag} BEFORE ${event}
      WHEN EXISTS (SELECT 1 FROM tags WHERE tag_value_id = '${event}')
      BEGIN SELECT RAISE(ROLLBACK, 'database or disk is full'); END;`;
  })
  .join("\n");

describe("a local platform whose disk is full", () => {
  let t: TestPlatform;
  let told: string;

  beforeEach(async () => {
    told = "";
    t = await startTestPlatform();
    const { id } = await t.create();
    await t.untilRevision(id, "DEPLOYED");
    await t.platform.close();
    const database = new Libsql(join(t.dataDir, "platform.db"));
    database.exec(FULL_WHILE_TAGGED);
    database.close();
    await t.restart();
    fill = (...events) => t.platform.admin.setTags(id, events);
    mock.method(process.stderr, "write", (text: unknown) => Boolean((told += String(text))));
  });
  afterEach(async () => {
    mock.restoreAll();
    await t.close();
  });

  /** Makes the store full for these events alone. */
  let fill: (...events: string[]) => void;
  const untilDeployed = ({ id }: Deployment) => t.untilRevision(id, "DEPLOYED");
  const revisionPath = ({ id, latest_revision_id }: Deployment) =>
    `/v2/deployments/${id}/revisions/${latest_revision_id}`;
  const buildLog = (deployment: Deployment) =>
    t.request("GET", `${revisionPath(deployment)}/logs?type=build`);
  const messagesOf = async (deployment: Deployment) =>
    parsed(LogPage, (await buildLog(deployment)).body).logs.map(({ message }) => message);
  const untilTold = (text: string) =>
    poll(`'${text}' on stderr`, async () => ({ fits: told.includes(text), seen: told }));

  it("refuses what it can't store, with the reason", async () => {
    fill("INSERT ON deployments");
    const body = aGitDeployment(t.integrationId);
    const refused = await t.request("POST", "/v2/deployments", body);
    const detail = "the local platform failed: database or disk is full";
    expect([refused.status, refused.body]).to.deep.equal([500, { detail }]);
    fill();
    await untilDeployed(await t.create(body));
  });

  it("answers what it has done, though it can't store which Pulumi resource that is for", async () => {
    fill("INSERT ON resources");
    const urn = { "X-Pulumi-Urn": "urn:pulumi:dev::shop::a:b:C::agent" };
    const body = aGitDeployment(t.integrationId);
    const made = await t.request("POST", "/v2/deployments", body, urn);
    expect(made.status).to.equal(201);
    const path = `/v2/deployments/${parsed(Deployment, made.body).id}`;
    expect((await t.request("GET", path, undefined, urn)).status).to.equal(200);
    await untilTold("keep the Pulumi resource of deployment ");
  });

  it("keeps a revision, and its deployment, where it is until it can store more, and says so", async () => {
    fill("UPDATE ON revisions");
    const deployment = await t.create();
    await untilTold("after 'done' (retrying): database or disk is full");
    const interrupt = () => t.request("POST", `${revisionPath(deployment)}/interrupt`);
    expect((await interrupt()).status).to.equal(500);
    const other = await t.create();
    fill("UPDATE ON deployments");
    await untilTold(`update deployment ${other.id} after 'prepared' (retrying): `);
    fill();
    await untilDeployed(other);
    expect((await t.get(other.id)).status).to.equal("READY");
    await interrupt();
    const { body } = await t.request("GET", revisionPath(deployment));
    expect(body).to.have.property("status", "INTERRUPTED");
  });

  it("starts all the same with revisions that it can't store, and with deployments that it can't remove", async () => {
    fill("UPDATE ON revisions", "DELETE ON deployments");
    const [one, other] = [await t.create(), await t.create()];
    await t.request("DELETE", `/v2/deployments/${one.id}`);
    await untilTold(`remove deployment ${one.id}`);
    await t.platform.close();
    told = "";
    await t.restart();
    await untilTold(`remove deployment ${one.id}`);
    fill();
    await untilDeployed(other);
    await t.untilGone(one.id);
  });

  it("repeats a stage that was cut off, though it can't store that, and says so", async () => {
    await t.restart({ stageSeconds: 3600 });
    const cutOff = await t.create();
    await t.platform.admin.advanceClock(3600);
    fill("UPDATE ON revisions");
    await t.restart();
    expect(told).to.contain(`update revision ${cutOff.latest_revision_id} after 'restarted': `);
    fill();
    await untilDeployed(cutOff);
  });

  it("starts with a deployment whose first revision has failed, though it can't store its status yet", async () => {
    fill("UPDATE ON deployments");
    t.platform.admin.addOutcome({ stage: "create", status: "CREATE_FAILED" });
    const { id } = await t.create();
    await untilTold("after 'prepared' (retrying): ");
    told = "";
    await t.restart();
    await untilTold(`update deployment ${id} after 'prepared' (retrying): `);
    fill();
    const ready = async () => ({ fits: (await t.get(id)).status === "READY", seen: told });
    await poll("a deployment that is ready", ready);
  });

  it("outlives logs that can't be written, and says so to their readers", async () => {
    fill("INSERT ON log_lines");
    const deployment = await t.create();
    await untilDeployed(deployment);
    await untilTold("store logs (retrying): database or disk is full");
    const failed = await buildLog(deployment);
    expect(failed.status).to.equal(500);
    expect(failed.body).to.have.property("detail").that.contains("database or disk is full");
    t.fails("BUILD_FAILED", "no compiler for hunter2-hunter2");
    const broken = await t.create({ secrets: [{ name: "TOKEN", value: "hunter2-hunter2" }] });
    const reason = "no compiler for ***";
    await untilTold(reason);
    expect(told.split("store logs")).to.have.lengthOf(2);
    fill();
    expect(await messagesOf(deployment)).to.deep.equal([SIMULATED, SIMULATED]);
    expect(await messagesOf(broken)).to.deep.equal([SIMULATED, reason]);
    told = "";
    fill("INSERT ON log_lines");
    await t.create();
    await untilTold("store logs (retrying)");
  });

  it("says how many lines are lost when it ends before they can be stored", async () => {
    fill("INSERT ON log_lines");
    const lost = await t.create();
    await untilDeployed(lost);
    await t.platform.close();
    expect(told).to.contain("store logs (3 lines lost): database or disk is full");
    await t.restart();
    expect(await messagesOf(lost)).to.deep.equal([]);
  });
});

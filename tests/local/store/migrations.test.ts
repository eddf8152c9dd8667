import { expect } from "chai";
import { join } from "node:path";
import { RevisionsList } from "../../../sdk/schema";
import { writeCreated } from "../../../local/platform/identity-file";
import { aFolder, removeFolder } from "../children";
import { aFreePort } from "../free-port";
import { startTestPlatform, type TestPlatform } from "../../support/platform";
import { versionOf, writeVersion1 } from "./version-1";

const id = (digit: number) => `${digit}`.repeat(8) + "-1111-4111-8111-111111111111";
const at = (minute: number) => `2026-01-01T00:0${minute}:00.000000Z`;
const [WORKSPACE, INTEGRATION, LISTENER, DEPLOYMENT] = [1, 2, 3, 4].map(id);
const [DEPLOYED, QUEUED] = [id(5), id(6)];
const CONFIG = {
  integration_id: INTEGRATION,
  repo_url: "https://git.example.com/acme/support.git",
  deployment_type: "dev",
  build_on_push: true,
};
const MADE_OF = { repo_ref: "main", graph_config_path: "langgraph.json" };
const SECRETS = [{ name: "A", value: "1" }];
const COMMIT = "0".repeat(40);

describe("local/store/migrations", () => {
  let folder: string;
  let file: string;
  let t: TestPlatform;
  before(async () => {
    folder = await aFolder();
    file = join(folder, "platform.db");
    const port = await aFreePort();
    const [json, madeOf] = [JSON.stringify(CONFIG), JSON.stringify(MADE_OF)];
    const deployed = JSON.stringify({ ...MADE_OF, repo_commit_sha: COMMIT });
    const secrets = JSON.stringify(SECRETS);
    writeVersion1(file, {
      workspaces: [[`${WORKSPACE}`, "local", "key_of_version_1"]],
      platform: [[1, port, "admin_of_version_1", `${WORKSPACE}`, 3_600_000]],
      integrations: [[`${INTEGRATION}`, `${WORKSPACE}`, 7, "local"]],
      listeners: [
        [
          `${LISTENER}`,
          `${WORKSPACE}`,
          "k8s",
          "local",
          '{"k8s_namespaces":["agents"]}',
          "1",
          at(0),
          at(0),
        ],
      ],
      deployments: [
        [
          `${DEPLOYMENT}`,
          `${WORKSPACE}`,
          "support",
          "git_host",
          json,
          "READY",
          "http://there",
          at(1),
          at(3),
          QUEUED,
          DEPLOYED,
        ],
      ],
      revisions: [
        [DEPLOYED, `${DEPLOYMENT}`, "DEPLOYED", json, deployed, secrets, null, at(1), at(2)],
        [QUEUED, `${DEPLOYMENT}`, "CREATING", json, madeOf, secrets, null, at(3), at(3)],
      ],
      tags: [[`${DEPLOYMENT}`, "tag-1"]],
      leftover_names: [["ghost"]],
    });
    writeCreated(folder, ["platform.db"]);
    t = await startTestPlatform({ dataDir: folder, stageSeconds: 3600 });
  });
  after(async () => {
    await t.close();
    await removeFolder(folder);
  });

  it("brings a file of version 1 to the present one and keeps everything in it", async () => {
    expect(t.platform).to.include({
      apiKey: "key_of_version_1",
      adminKey: "admin_of_version_1",
      workspaceId: WORKSPACE,
    });
    expect(t.integrationId).to.equal(INTEGRATION);
    const listener = await t.request("GET", `/v2/listeners/${LISTENER}`);
    expect(listener.body).to.deep.include({
      compute_config: { k8s_namespaces: ["agents"] },
      version: "1",
      created_at: at(0),
    });
    const deployment = await t.get(`${DEPLOYMENT}`);
    expect(deployment).to.deep.include({
      name: "support",
      status: "READY",
      url: "http://there",
      secrets: SECRETS,
      created_at: at(1),
      latest_revision_id: QUEUED,
      active_revision_id: DEPLOYED,
    });
    expect(deployment.source_config).to.include(CONFIG);
    const { body } = await t.request("GET", `/v2/deployments/${DEPLOYMENT}/revisions`);
    const revisions = RevisionsList.parse(body).resources;
    expect(revisions.map((one) => [one.id, one.status])).to.deep.equal([
      [QUEUED, "CREATING"],
      [DEPLOYED, "DEPLOYED"],
    ]);
    expect(revisions[1]).to.deep.include({
      ...MADE_OF,
      repo_commit_sha: COMMIT,
      updated_at: at(2),
    });
    const tagged = await t.request("GET", "/v2/deployments?tag_value_ids=tag-1");
    expect(tagged.body).to.have.property("offset", 1);
    expect((await t.request("POST", "/v2/deployments", ghost())).status).to.equal(409);
  });

  it("knows the revisions of version 1 as made by requests, which no push skips", async () => {
    const push = { repoUrl: CONFIG.repo_url, ref: "main", sha: "1".repeat(40) };
    expect((await t.admin("POST", "/pushes", push)).body).to.deep.equal({ deployments: 1 });
    const { body } = await t.request("GET", `/v2/deployments/${DEPLOYMENT}/revisions`);
    const statuses = RevisionsList.parse(body).resources.map(({ status }) => status);
    expect(statuses).to.deep.equal(["CREATING", "CREATING", "DEPLOYED"]);
  });

  it("takes what later versions brought, and says that it is of the present one", async () => {
    const provider = {
      provider_id: "acme",
      name: "Acme",
      client_id: "client",
      auth_url: "https://id.example.com/authorize",
      token_url: "https://id.example.com/token",
    };
    expect((await t.request("POST", "/v2/auth/providers", provider)).status).to.equal(200);
    await t.platform.close();
    expect(versionOf(file)).to.equal(5);
  });

  const ghost = () => ({
    name: "ghost",
    source: "git_host",
    source_config: { ...CONFIG },
    source_revision_config: MADE_OF,
    secrets: [],
  });
});

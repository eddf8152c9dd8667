import { expect } from "chai";
import { randomUUID } from "node:crypto";
import { IntegrationsList, RepositoriesList } from "../../../../sdk/schema";
import {
  aGitDeployment,
  anImageDeployment,
  startTestPlatform,
  type TestPlatform,
} from "../../../support/platform";

const INSTALL = "/v1/integrations/git_host/install";

describe("local/http/routes/integrations", () => {
  let t: TestPlatform;
  before(async () => (t = await startTestPlatform()));
  after(() => t.close());

  const path = (id: string) => `/v1/integrations/git_host/${id}/repos`;
  const repositories = async () => {
    const { status, body } = await t.request("GET", path(t.integrationId));
    expect(status).to.equal(200);
    return RepositoriesList.parse(body);
  };
  const from = (repo_url: string, repo_ref = "main") => ({
    source_config: { ...aGitDeployment(t.integrationId).source_config, repo_url },
    source_revision_config: { repo_ref, graph_config_path: "langgraph.json" },
  });

  it("answers the repositories that deployments are made from, each once", async () => {
    expect(await repositories()).to.deep.equal([]);
    await t.create(from("https://git.example.com/acme/support.git", "release"));
    await t.create(from("https://git.example.com/acme/support.git", "release"));
    await t.create(from("git@git.example.com:acme/sales.git", "refs/tags/v1"));
    await t.create(anImageDeployment());
    const found = await repositories();
    const host_integration_id = t.integrationId;
    expect(found.map((one) => ({ ...one, id: 0 }))).to.deep.equal([
      {
        id: 0,
        host_integration_id,
        name: "sales",
        owner: "acme",
        url: "git@git.example.com:acme/sales.git",
        default_branch: "main",
      },
      {
        id: 0,
        host_integration_id,
        name: "support",
        owner: "acme",
        url: "https://git.example.com/acme/support.git",
        default_branch: "release",
      },
    ]);
    expect(new Set(found.map(({ id }) => id))).to.have.property("size", 2);
    expect(await repositories()).to.deep.equal(found);
  });

  it("answers 404 with the id to an integration that is not there or not of this workspace", async () => {
    const other = t.platform.admin.addWorkspace("other");
    const keys = { "X-Api-Key": other.apiKey, "X-Tenant-Id": other.workspaceId };
    const theirs = await t.request("GET", INSTALL, undefined, keys);
    const [foreign] = IntegrationsList.parse(theirs.body);
    for (const id of [randomUUID(), String(foreign?.id)]) {
      const { status, body } = await t.request("GET", path(id));
      expect([status, body]).to.deep.equal([404, { detail: `integration ${id} not found` }]);
    }
    const { body } = await t.request("GET", path(String(foreign?.id)), undefined, keys);
    expect(body).to.deep.equal([]);
  });
});

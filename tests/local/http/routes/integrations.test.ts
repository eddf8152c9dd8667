import { expect } from "chai";
import { randomUUID } from "node:crypto";
import { IntegrationsList, RepositoriesList } from "../../../../sdk/schema";
import { aGitDeployment, anImageDeployment, usePlatform } from "../../../support/platform";

const INSTALL = "/v1/integrations/git_host/install";

describe("local/http/routes/integrations", () => {
  const t = usePlatform();

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

  it("answers the repositories that deployments are made from, each once, and 404 with the id to an integration that is not there or not of this workspace", async () => {
    expect(await repositories()).to.deep.equal([]);
    const support = "https://git.example.com/acme/support.git";
    const sales = "git@git.example.com:acme/sales.git";
    for (const _ of ["first", "again"]) await t.create(from(support, "release"));
    await t.create(from(sales, "refs/tags/v1"));
    await t.create(anImageDeployment());
    const found = await repositories();
    const known = { id: 0, host_integration_id: t.integrationId, owner: "acme" };
    expect(found.map((one) => ({ ...one, id: 0 }))).to.deep.equal([
      { ...known, name: "sales", url: sales, default_branch: "main" },
      { ...known, name: "support", url: support, default_branch: "release" },
    ]);
    expect(new Set(found.map(({ id }) => id))).to.have.property("size", 2);
    expect(await repositories()).to.deep.equal(found);
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

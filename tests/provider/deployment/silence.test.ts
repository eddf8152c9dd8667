import { expect } from "chai";
import { Deployment, DeploymentsList } from "../../../sdk/schema";
import { movedTo, useDeployments } from "../../support/deployment-lifecycle";
import { json } from "../../support/http";
import { parsed } from "../../support/values";

describe("a control plane that leaves variables, commands and the source of a revision out of its answers", () => {
  let losesPatch = false;
  let lost = false;
  beforeEach(() => void ([losesPatch, lost] = [false, false]));
  const stack = useDeployments({
    meddle: async ({ method, url }, response, pass) => {
      lost ||= losesPatch && method === "PATCH";
      if (losesPatch && method === "PATCH") return response.destroy();
      if (losesPatch && lost) return json(response, 401, { detail: "the key was taken back" });
      if (method !== "GET" || !/^\/v2\/deployments(\?|\/[^/]+$)/.test(url)) return pass();
      return pass((body) => {
        const { data: page } = DeploymentsList.safeParse(body);
        if (page === undefined) return silent(parsed(Deployment, body));
        return { ...page, resources: page.resources.map(silent) };
      });
    },
  });
  const silent = (deployment: Deployment) => {
    const { secrets: _, source_config, source_revision_config: _source, ...rest } = deployment;
    const { install_command: _install, build_command: _build, ...config } = source_config;
    return { ...rest, source_config: config };
  };
  const declaring = (KEY: string, installCommand: string, more: object = {}) =>
    stack.git("main", { secrets: { KEY }, ...more }, { installCommand });
  const expectThere = async (id: string, count: number) => {
    const { secrets, source_config: config } = await stack.get(id);
    expect(secrets).to.deep.equal([{ name: "KEY", value: "new" }]);
    expect(config.install_command).to.equal("npm ci");
    expect(await stack.revisions(id)).to.have.length(count);
  };

  it("is sent what is declared when a deployment is adopted, in one change", async () => {
    const { id } = await stack.test.create({ name: "theirs" });
    await stack.test.untilRevision(id, "DEPLOYED");
    const adopting = { name: "theirs", adoptExisting: true };
    const { outs } = await stack.create(declaring("new", "npm ci", adopting));
    expect(outs).to.have.property("ready", true);
    await expectThere(id, 2);
  });

  it("is sent what is declared once more when a PATCH never arrived, in one change", async () => {
    const made = await stack.create(declaring("old", "npm i"));
    losesPatch = true;
    const kept = await stack.failed(stack.update(made, declaring("new", "npm ci")));
    losesPatch = false;
    const { outs } = await stack.update(kept, declaring("new", "npm ci"));
    expect(outs).to.have.property("ready", true);
    await expectThere(made.id, 2);
  });

  it("is sent nothing of it by an update that changes none of it", async () => {
    const made = await stack.create(declaring("new", "npm ci"));
    await stack.update(made, declaring("new", "npm ci", { redeployOn: 1 }));
    await expectThere(made.id, 1);
  });

  it("shows in its newest revision what another client has set, which an update after a refresh takes back", async () => {
    const made = await stack.create(stack.git());
    await stack.test.request("PATCH", `/v2/deployments/${made.id}`, movedTo("theirs"));
    const { inputs, props: outs = {} } = await stack.read(made);
    expect(inputs).to.have.nested.property("sourceRevisionConfig.repoRef", "theirs");
    expect(inputs).to.have.nested.property("sourceRevisionConfig.graphConfigPath");
    await stack.update({ ...made, outs }, stack.git());
    expect((await stack.get(made.id)).source_revision_config.repo_ref).to.equal("main");
  });
});

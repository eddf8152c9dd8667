import { expect } from "chai";
import { listResources } from "../../../../provider/adapters/native/listing";
import { useAgentServer } from "../../../local/agentserver/support";
import { HOST } from "../../../support/lifecycle";
import { usePlatform } from "../../../support/platform";
import { reasonOf } from "../../../support/rejection";

describe("what `pulumi do` lists", () => {
  const test = usePlatform();
  const server = useAgentServer();
  const list = (kind: string, query: object = {}) => {
    const { url, apiKey, workspaceId } = test.platform;
    const config = {
      "agentserver:baseUrl": url,
      "agentserver:apiKey": apiKey,
      "agentserver:workspaceId": workspaceId,
    };
    return listResources(`agentserver:index:${kind}`, { ...query }, config, HOST);
  };

  it("is deployments by id and name, filtered as listDeployments does", async () => {
    const { id, name } = await test.create({ name: "billing" });
    const both = [id, (await test.create({ name: "support" })).id].toSorted();
    expect((await list("Deployment")).map((one) => one.id).toSorted()).to.deep.equal(both);
    expect(await list("Deployment", { nameContains: "bill" })).to.deep.equal([{ id, name }]);
  });

  it("is listeners by id and compute, and OAuth providers by their slug", async () => {
    expect(await list("Listener")).to.deep.equal([{ id: test.listenerId, name: "local" }]);
    expect(await list("OAuthProvider")).to.deep.equal([]);
  });

  it("is threads and assistants by the URLs that `pulumi import` takes", async () => {
    const deploymentUrl = `http://127.0.0.1:${server.port()}`;
    const { thread_id: thread } = await server.create({ metadata: { user: "u1" } });
    await server.create({ metadata: { user: "u2" } });
    for (const written of [deploymentUrl, `${deploymentUrl}/`])
      expect(
        await list("Thread", { deploymentUrl: written, metadata: { user: "u1" } }),
      ).to.deep.equal([{ id: `${deploymentUrl}/threads/${thread}`, name: thread }]);
    const assistants = await list("Assistant", { deploymentUrl });
    for (const { id } of assistants)
      expect(id).to.match(new RegExp(`^${deploymentUrl}/assistants/[0-9a-f-]{36}$`));
  });

  it("names the types that there are for another one", async () => {
    expect(await reasonOf(list("Revision"))).to.match(
      /^unknown resource type 'agentserver:index:Revision'; there are agentserver:\S+, agentserver:/,
    );
  });
});

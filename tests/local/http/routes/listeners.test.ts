import { expect } from "chai";
import { randomUUID } from "node:crypto";
import { Listener, ListenersList } from "../../../../sdk/schema";
import { anImageDeployment, usePlatform } from "../../../support/platform";

const LIST = "/v2/listeners";
const K8S = { compute_type: "k8s", compute_config: { k8s_namespaces: ["agents"] } };

describe("local/http/routes/listeners", () => {
  const t = usePlatform();

  let made = 0;
  const create = async (changes: object = {}) => {
    made += 1;
    const answer = await t.request("POST", LIST, { ...K8S, compute_id: `c-${made}`, ...changes });
    expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
    return Listener.parse(answer.body);
  };

  it("creates a listener, which is read back, listed first, and on one page of a walk by offset; changes what is given and not null, and neither type nor compute", async () => {
    const listener = await create({ version: "1.2" });
    expect(listener).to.deep.include({ ...K8S, version: "1.2" });
    expect((await t.request("GET", `${LIST}/${listener.id}`)).body).to.deep.equal(listener);
    const ids: string[] = [];
    for (let at = 0; ;) {
      const { body } = await t.request("GET", `${LIST}?limit=1&offset=${at}`);
      const { resources, offset } = ListenersList.parse(body);
      if (resources.length === 0) break;
      ids.push(...resources.map(({ id }) => id));
      at = offset;
    }
    expect(ids[0]).to.equal(listener.id);
    expect(ids).to.have.lengthOf(new Set(ids).size).and.to.include(t.listenerId);
    const old = await create({ version: "1" });
    const compute_config = { k8s_namespaces: ["a", "b"] };
    const changes = { version: null, compute_config, compute_type: "vm", compute_id: "other" };
    const { status, body } = await t.request("PATCH", `${LIST}/${old.id}`, changes);
    expect(status).to.equal(200);
    const { updated_at, ...kept } = Listener.parse(body);
    expect({ ...old, compute_config }).to.deep.include(kept);
    expect(updated_at > old.updated_at).to.equal(true);
    expect((await t.request("GET", `${LIST}/${old.id}`)).body).to.deep.equal(body);
  });

  it("checks the configuration by the compute type, and answers 409 for a compute that has a listener, naming workspace and compute", async () => {
    for (const k8s_namespaces of [[], null, undefined]) {
      const body = { compute_type: "k8s", compute_id: "x", compute_config: { k8s_namespaces } };
      expect(await t.refusal(400, "POST", LIST, body)).to.contain("compute_config.k8s_namespaces");
    }
    const other = await create({ compute_type: "vm", compute_config: {} });
    expect(other.compute_config.k8s_namespaces ?? []).to.deep.equal([]);
    const { id } = await create();
    const changes = { compute_config: { k8s_namespaces: [] } };
    expect(await t.refusal(400, "PATCH", `${LIST}/${id}`, changes)).to.contain("k8s_namespaces");
    await create({ compute_id: "taken" });
    const detail = await t.refusal(409, "POST", LIST, { ...K8S, compute_id: "taken" });
    expect(detail).to.contain(t.platform.workspaceId).and.to.contain("'taken'");
  });

  it("deletes a listener once no deployment is placed by it, not even one that is being deleted", async () => {
    const { id } = await create();
    const source_config = { listener_id: id, resource_spec: {} };
    const deployment = await t.create({ ...anImageDeployment(), source_config });
    await t.create();
    const detail = await t.refusal(409, "DELETE", `${LIST}/${id}`);
    for (const named of [id, deployment.name, deployment.id]) expect(detail).to.contain(named);
    await t.request("DELETE", `/v2/deployments/${deployment.id}`);
    await t.untilGone(deployment.id);
    const { status, body } = await t.request("DELETE", `${LIST}/${id}`);
    expect([status, body]).to.deep.equal([204, undefined]);
    expect(await t.refusal(404, "GET", `${LIST}/${id}`)).to.contain(id);
    expect(await t.refusal(404, "DELETE", `${LIST}/${id}`)).to.contain(id);
  });

  it("answers 404 with the id to a listener that is not there or not of this workspace", async () => {
    const other = t.platform.admin.addWorkspace("other");
    const keys = { "X-Api-Key": other.apiKey, "X-Tenant-Id": other.workspaceId };
    const foreign = await t.request("POST", LIST, { ...K8S, compute_id: "theirs" }, keys);
    expect(foreign.status).to.equal(201);
    for (const id of [randomUUID(), Listener.parse(foreign.body).id])
      for (const method of ["GET", "PATCH", "DELETE"]) {
        const body = method === "PATCH" ? {} : undefined;
        expect(await t.refusal(404, method, `${LIST}/${id}`, body), method).to.contain(id);
      }
    const mine = await create({ compute_id: "theirs" });
    const { body } = await t.request("GET", LIST, undefined, keys);
    expect(ListenersList.parse(body).resources.map(({ id }) => id)).to.not.include(mine.id);
  });
});

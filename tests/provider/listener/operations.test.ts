import { expect } from "chai";
import type { ServerResponse } from "node:http";
import { listenerLifecycle as lifecycle } from "../../../provider/listener/operations";
import { type Props, UNKNOWN } from "../../../provider/arguments/props";
import { showAnnouncement } from "../../../provider/resource/announcement";
import { Listener } from "../../../sdk/schema";
import { impatientClock } from "../../support/clock";
import { json, startServer, type TestServer } from "../../support/http";
import { afterKill, contextOf } from "../../support/lifecycle";
import { anImageDeployment, startTestPlatform, type TestPlatform } from "../../support/platform";
import { rejection } from "../../support/rejection";
import { parsed } from "../../support/values";

const LISTENERS = "/v2/listeners";
const NOBODY = "99999999-9999-4999-8999-999999999999";
const POST = { method: "POST", path: LISTENERS };

describe("a listener's lifecycle against a control plane", () => {
  let test: TestPlatform;
  beforeEach(async () => (test = await startTestPlatform()));
  afterEach(() => test.close());

  const context = (config: Record<string, string> = {}) => ({
    ...contextOf(test.platform, [], config),
    clock: impatientClock(),
  });
  const inputs = (k8sNamespaces = ["a", "b"], more: Props = {}) => ({
    computeType: "k8s",
    computeId: "cluster-1",
    computeConfig: { k8sNamespaces },
    ...more,
  });
  const create = () => lifecycle.create(inputs(), context());
  const get = async (id: string) =>
    parsed(Listener, (await test.request("GET", `${LISTENERS}/${id}`)).body);
  const setNamespaces = (id: string, ...k8s_namespaces: string[]) =>
    test.request("PATCH", `${LISTENERS}/${id}`, { compute_config: { k8s_namespaces } });
  const patches = () =>
    Object.entries(test.platform.admin.requests()).filter(([name]) => name.startsWith("PATCH"));

  it("creates a listener and gives every output", async () => {
    const { id, outs } = await create();
    const { created_at: createdAt, updated_at: updatedAt } = await get(id);
    const { url: baseUrl, workspaceId: tenantId } = test.platform;
    const outputs = { tenantId, baseUrl, version: null, createdAt, updatedAt };
    expect(outs).to.deep.equal({ ...inputs(), adoptExisting: null, ...outputs });
  });

  it("finds the listener again that a POST without an answer made", async () => {
    test.platform.admin.addFault({ match: POST, times: 1, action: "drop-after" });
    const { id } = await create();
    expect((await test.listeners()).map((listener) => listener.id)).to.deep.equal([id]);
    expect(test.platform.admin.requests()).to.include({ "POST /v2/listeners": 1 });
  });

  it("adopts no listener that is there, and names it and the ways out", async () => {
    const { id } = await create();
    const { message } = await rejection(create());
    expect(message).to.equal(
      `create listener 'cluster-1': listener ${id} exists for this compute, and a workspace has one for each, and the state of this stack records neither it nor an interrupted create of this resource\n      it has what is declared\n      set adoptExisting: true to adopt it, or read it with Listener.get\n      else set another computeId`,
    );
    expect(test.platform.admin.requests()).to.include({ "POST /v2/listeners": 1 });
  });

  it("adopts with adoptExisting, in the order of the program's namespaces, and sends nothing", async () => {
    const { id } = await create();
    test.platform.admin.clearRequests();
    const declared = inputs(["b", "a"], { adoptExisting: true });
    const made = await lifecycle.create(declared, context());
    expect(made).to.deep.include({ id }).and.nested.include({ "outs.adoptExisting": true });
    expect(patches()).to.be.empty;
    const other = { computeType: "vm", adoptExisting: true };
    expect((await rejection(lifecycle.create(inputs([], other), context()))).message).to.contain(
      "it differs in computeType",
    );
    expect((await rejection(lifecycle.create(inputs(["c"]), context()))).message).to.contain(
      "it differs in computeConfig",
    );
  });

  it("adopts what an interrupted create of the state made, and brings it to the program", async () => {
    const { id } = await create();
    const news = inputs(["more"]);
    const made = await lifecycle.create(news, afterKill(context(), news, inputs()));
    expect(made.id).to.equal(id);
    expect((await test.listeners())[0]?.compute_config.k8s_namespaces).to.deep.equal(["more"]);
    for (const other of [inputs(["other"]), inputs(["more"], { computeId: "cluster-2" })]) {
      const refused = await rejection(lifecycle.create(news, afterKill(context(), news, other)));
      expect(refused.message).to.contain("not what the interrupted create of this resource");
    }
  });

  it("keeps the service's namespace where the program ignores one of the list", async () => {
    const { id, outs } = await create();
    await setNamespaces(id, "theirs", "b");
    const ignoring = { __ignored: ["computeConfig.k8sNamespaces[0]"] };
    await lifecycle.update(id, outs, inputs(["a", "c"], ignoring), context());
    expect((await get(id)).compute_config.k8s_namespaces).to.deep.equal(["theirs", "c"]);
  });

  describe("when another client is a moment faster", () => {
    let server: TestServer;
    afterEach(() => server.close());
    /** A control plane with no listener until the POST, whose answer is `answer`. */
    const createAgainst = async (
      compute_type: string,
      answer: (response: ServerResponse) => void,
    ) => {
      const at = "2026-01-01T00:00:00.000Z";
      const stamps = { created_at: at, updated_at: at };
      const rival = {
        id: "r1",
        compute_type,
        compute_id: "cluster-1",
        compute_config: {},
        ...stamps,
      };
      server = await startServer(({ method }, response, count) => {
        if (method === "POST") answer(response);
        else json(response, 200, { resources: count > 1 ? [rival] : [], offset: 0 });
      });
      const { workspaceId, apiKey } = test.platform;
      const platform = { url: server.url, workspaceId, apiKey };
      const attempt = lifecycle.create(inputs(), {
        ...contextOf(platform),
        clock: impatientClock(),
      });
      return (await rejection(attempt)).message;
    };

    it("names the listener that the other made", async () => {
      const message = await createAgainst("k8s", (response) =>
        json(response, 409, { detail: "there is one" }),
      );
      expect(message).to.contain("listener r1 exists for this compute");
    });

    it("ignores a listener of another type after a lost POST", async () => {
      const message = await createAgainst("vm", (response) => void response.destroy());
      expect(message).to.contain("listener r1 exists for this compute");
    });
  });

  it("gives a place in a refused body as the user writes it", async () => {
    const body = {
      detail: [{ loc: ["body", "compute_config", "k8s_namespaces", 0], msg: "no", type: "t" }],
    };
    test.platform.admin.addFault({ match: POST, times: 1, action: "status", status: 422, body });
    expect((await rejection(create())).message).to.equal(
      "create listener 'cluster-1': computeConfig.k8sNamespaces[0]: no",
    );
  });

  it("names what is wrong with inputs that no check has seen", async () => {
    const { message } = await rejection(lifecycle.create({ computeId: "cluster-1" }, context()));
    expect(message).to.match(/^create listener 'cluster-1': computeType: .*computeConfig: /);
  });

  it("shows at a preview what is wrong, what a forced replacement needs, and what an update may change", async () => {
    const said: string[] = [];
    const previewing = contextOf(test.platform, said);
    const { failures } = await lifecycle.check(
      {},
      inputs([], { computeType: "vm-1", computeId: "" }),
      previewing,
    );
    expect(failures).to.deep.equal([
      { property: "computeId", reason: "must be a non-empty string" },
    ]);
    const forced = inputs(["c"], { __replaceOnChanges: ["computeConfig"] });
    await lifecycle.check(inputs(), forced, previewing);
    expect(lifecycle.diff("1", inputs(), forced, previewing)).to.deep.equal({});
    showAnnouncement(previewing);
    expect(said).to.deep.equal([
      "replaced, since replaceOnChanges names computeConfig: a compute has one listener, so this needs the option deleteBeforeReplace: true",
    ]);
    const { outs } = await create();
    for (const [names, updatedAt] of [
      [["b", "a"], outs["updatedAt"]],
      [["b", "c"], UNKNOWN],
    ] as const) {
      const news = inputs([...names]);
      expect(lifecycle.preview(news, outs)).to.deep.equal({ ...outs, ...news, updatedAt });
    }
  });

  it("reads namespaces that others changed, the declared ones in their order", async () => {
    const { id, outs } = await create();
    await setNamespaces(id, "z", "b", "c");
    const { props, inputs: read } = await lifecycle.read(id, { ...outs, __urn: "urn" }, context());
    expect(read).to.deep.equal({ ...inputs(["b", "c", "z"]), __urn: "urn" });
    expect(props).to.deep.include({ ...inputs(["b", "c", "z"]), __urn: "urn" });
  });

  it("is its own by its id, whatever time of creation the service says", async () => {
    const { id, outs } = await create();
    const older = { ...outs, createdAt: "2020-01-01T00:00:00Z" };
    expect((await lifecycle.read(id, older, context())).id).to.equal(id);
    await lifecycle.delete(id, older, context());
    expect(await lifecycle.read(id, outs, context())).to.deep.equal({ id: "", props: {} });
  });

  it("reads no change in another order", async () => {
    const { id, outs } = await create();
    await setNamespaces(id, "b", "a");
    expect((await lifecycle.read(id, outs, context())).inputs).to.deep.equal(inputs());
  });

  it("reads no namespaces as an argument that nobody gave", async () => {
    const other = { computeType: "vm", computeId: "vm-1", computeConfig: {} };
    const { id, outs } = await lifecycle.create(other, context());
    expect((await lifecycle.read(id, {}, context())).inputs).to.deep.equal(other);
    await setNamespaces(id, "theirs");
    expect((await lifecycle.read(id, outs, context())).inputs).to.deep.equal(other);
  });

  it("reads everything of a listener that others manage, and says when there is none", async () => {
    const { props } = await lifecycle.read(test.listenerId, { __urn: "urn" }, context());
    const { created_at: createdAt } = await get(test.listenerId);
    expect(props).to.deep.include({
      computeType: "k8s",
      computeConfig: { k8sNamespaces: ["default", "agents"] },
      tenantId: test.platform.workspaceId,
      baseUrl: test.platform.url,
      createdAt,
    });
    const { message } = await rejection(lifecycle.read(NOBODY, {}, context()));
    expect(message)
      .to.contain(`get listener '${NOBODY}'`)
      .and.contain("does not exist in workspace");
  });

  it("believes a 404 only where the state says that it lives", async () => {
    const { id, outs } = await create();
    const { workspaceId, apiKey } = test.platform.admin.addWorkspace("other");
    const elsewhere = { "agentserver:workspaceId": workspaceId, "agentserver:apiKey": apiKey };
    for (const attempt of [
      lifecycle.read(id, outs, context(elsewhere)),
      lifecycle.delete(id, outs, context(elsewhere)),
    ])
      expect((await rejection(attempt)).message)
        .to.contain(`find listener '${id}'`)
        .and.contain(test.platform.workspaceId)
        .and.contain(workspaceId);
    await lifecycle.delete(id, outs, context());
    expect(await lifecycle.read(id, outs, context())).to.deep.equal({ id: "", props: {} });
  });

  it("takes another address of the same workspace that knows the id for the new one", async () => {
    const { id, outs } = await create();
    const baseUrl = `${test.platform.url}/api-host`;
    const { props } = await lifecycle.read(id, outs, context({ "agentserver:baseUrl": baseUrl }));
    expect(props).to.include({ baseUrl, tenantId: test.platform.workspaceId });
  });

  it("takes a control plane that has no listeners for no sign that one is gone", async () => {
    const { id, outs } = await create();
    const match = { path: `${LISTENERS}/*` };
    test.platform.admin.addFault({ match, times: 1, action: "status", status: 404, body: {} });
    const { message } = await rejection(lifecycle.read(id, outs, context()));
    expect(message).to.contain("does not offer this");
  });

  it("changes the namespaces with one PATCH", async () => {
    const { id, outs } = await create();
    const updated = await lifecycle.update(id, outs, inputs(["b", "c"]), context());
    expect(updated.outs).to.deep.include(inputs(["b", "c"]));
    const { compute_config, updated_at: updatedAt } = await get(id);
    expect(compute_config.k8s_namespaces).to.deep.equal(["b", "c"]);
    expect(updated.outs).to.include({ updatedAt });
    expect(patches()).to.deep.equal([[`PATCH ${LISTENERS}/{listener_id}`, 1]]);
  });

  it("sends nothing that the service has already, or that is not declared", async () => {
    const { id, outs } = await create();
    await setNamespaces(id, "c", "b");
    test.platform.admin.clearRequests();
    await lifecycle.update(id, outs, inputs(["b", "c"]), context());
    await lifecycle.update(id, outs, inputs([], { computeConfig: {} }), context());
    await lifecycle.update(id, outs, inputs(["b", "a"]), context());
    await lifecycle.update(id, outs, inputs(["a", "b"], { adoptExisting: true }), context());
    expect(patches()).to.be.empty;
  });

  it("says what to do when the listener to update is gone", async () => {
    const { id, outs } = await create();
    await test.request("DELETE", `${LISTENERS}/${id}`);
    const attempt = lifecycle.update(id, outs, inputs(["c"]), context());
    expect((await rejection(attempt)).message)
      .to.match(/^update listener 'cluster-1': /)
      .and.contain("pulumi refresh");
  });

  it("deletes a listener, and is content when it is gone already", async () => {
    const { id, outs } = await create();
    await lifecycle.delete(id, outs, context());
    expect(await test.listeners()).to.be.empty;
    await lifecycle.delete(id, outs, context());
  });

  it("is content when the answer to the DELETE is lost", async () => {
    const { id, outs } = await create();
    const match = { method: "DELETE" };
    test.platform.admin.addFault({ match, times: 1, action: "drop-after" });
    await lifecycle.delete(id, outs, context());
    expect(await test.listeners()).to.be.empty;
  });

  it("gives the service's words where it refuses a deletion, and what to do when the listener places deployments", async () => {
    const { id, outs } = await create();
    const { source_config } = anImageDeployment();
    const placed = await test.create({
      ...anImageDeployment(),
      source_config: { ...source_config, listener_id: id },
    });
    const { message } = await rejection(lifecycle.delete(id, outs, context()));
    expect(message).to.equal(
      `delete listener '${id}': 409 listener ${id} places deployments, among them '${placed.name}' (${placed.id}); delete those deployments, or replace them with ones on another listener, then run the same command again`,
    );
    const [match, body] = [{ method: "DELETE" }, { detail: "not now" }];
    test.platform.admin.addFault({ match, times: 1, action: "status", status: 400, body });
    const refused = await rejection(lifecycle.delete(id, outs, context()));
    expect(refused.message).to.equal(`delete listener '${id}': 400 not now`);
  });
});

import { expect } from "chai";
import { listenerLifecycle as lifecycle } from "../../../provider/listener/operations";
import { type Props, UNKNOWN } from "../../../provider/arguments/props";
import { showAnnouncement } from "../../../provider/resource/announcement";
import { Listener } from "../../../sdk/schema";
import { impatientClock } from "../../support/clock";
import { json, useServers } from "../../support/http";
import { contextOf } from "../../support/lifecycle";
import { anImageDeployment, useFreshPlatform } from "../../support/platform";
import { startRelay } from "../../support/relay";
import { initializationFailure, reasonOf, rejection } from "../../support/rejection";
import { parsed } from "../../support/values";

const LISTENERS = "/v2/listeners";

describe("a listener's lifecycle against a control plane", () => {
  const test = useFreshPlatform();

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
  const create = (more = {}) => lifecycle.create(inputs(undefined, more), context());
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

  it("adopts no listener that is there, and names it and the ways out", async () => {
    const { id } = await create();
    expect(await reasonOf(create({ adoptExisting: false }))).to.match(
      new RegExp(
        `^create listener 'cluster-1': listener ${id} exists for this compute, .* records neither it nor .*\n +it has what is declared\n +to adopt it, set adoptExisting: true .* a destroy of either then deletes it\n +to read it, use Listener.get\n +else set another computeId$`,
      ),
    );
    expect(await reasonOf(create({ computeId: "CLUSTER-1" }))).to.contain(`listener ${id} exists`);
    expect(test.platform.admin.requests()).to.include({ "POST /v2/listeners": 1 });
  });

  it("says at the preview of a create that it may adopt one, once the compute id is known", async () => {
    const said: string[] = [];
    for (const computeId of ["cluster-1", UNKNOWN]) {
      const previewed = contextOf(test.platform, said);
      await lifecycle.check({}, inputs(undefined, { computeId, adoptExisting: true }), previewed);
      showAnnouncement(previewed);
    }
    expect(said).to.deep.equal(["adopts listener 'cluster-1' if it exists"]);
  });

  it("adopts with adoptExisting, in the order of the program's namespaces, and sends nothing", async () => {
    const { id } = await create();
    test.platform.admin.clearRequests();
    const made = await lifecycle.create(inputs(["b", "a"], { adoptExisting: true }), context());
    expect(made).to.deep.include({ id }).and.nested.include({ "outs.adoptExisting": true });
    expect(patches()).to.be.empty;
    const other = { computeType: "vm", adoptExisting: true };
    expect(await reasonOf(lifecycle.create(inputs([], other), context()))).to.contain(
      "it differs: computeType",
    );
    expect(await reasonOf(lifecycle.create(inputs(["c"]), context()))).to.contain(
      "it differs: computeConfig",
    );
  });

  it("adopts the listener whose compute id is the very same, where others differ from it in case alone", async () => {
    const { id } = await create();
    await test.request("POST", LISTENERS, {
      compute_type: "k8s",
      compute_id: "Cluster-1",
      compute_config: { k8s_namespaces: ["a", "b"] },
    });
    const made = await lifecycle.create(inputs(["a", "b"], { adoptExisting: true }), context());
    expect(made).to.include({ id });
  });

  it("keeps the service's namespace where the program ignores one of the list", async () => {
    const { id, outs } = await create();
    await setNamespaces(id, "theirs", "b");
    const ignoring = { __ignored: ["computeConfig.k8sNamespaces[0]"] };
    await lifecycle.update(id, outs, inputs(["a", "c"], ignoring), context());
    expect((await get(id)).compute_config.k8s_namespaces).to.deep.equal(["theirs", "c"]);
  });

  describe("when another client is a moment faster", () => {
    const serve = useServers();
    const at = "2026-01-01T00:00:00.000Z";
    const rival = { id: "r1", compute_id: "cluster-1", created_at: at, updated_at: at };

    for (const [what, compute_type, isLost] of [
      ["names the listener that the other made", "k8s", false],
      ["ignores a listener of another type after a lost POST", "vm", true],
    ] as const)
      it(what, async () => {
        // A control plane with no listener until the POST.
        const { url } = await serve(({ method }, response, count) => {
          const resources = count > 1 ? [{ ...rival, compute_type, compute_config: {} }] : [];
          if (method !== "POST") json(response, 200, { resources, offset: 0 });
          else if (isLost) response.destroy();
          else json(response, 409, { detail: "there is one" });
        });
        const { workspaceId, apiKey } = test.platform;
        const place = contextOf({ url, workspaceId, apiKey });
        const attempt = lifecycle.create(inputs(), { ...place, clock: impatientClock() });
        expect(await reasonOf(attempt)).to.contain("listener r1 exists for this");
      });
  });

  it("is deleted with the provisional id of a create whose answer is lost", async () => {
    const list = { method: "GET", path: LISTENERS };
    test.answers(list, 200, { resources: [], offset: 0 });
    test.platform.admin.addFault({ match: { method: "POST" }, times: 1, action: "drop-after" });
    test.answers(list, 403, {}, 99);
    const { id, properties } = await initializationFailure(create());
    test.platform.admin.clearFaults();
    const all = async () => JSON.stringify((await test.request("GET", LISTENERS)).body);
    await lifecycle.delete(id, { ...properties, computeType: "vm" }, context());
    expect(await all()).to.contain("cluster-1");
    await lifecycle.delete(id, properties, context());
    expect(await all()).not.to.contain("cluster-1");
  });

  it("shows at a preview what a forced replacement needs, and what an update may change", async () => {
    const said: string[] = [];
    const previewing = contextOf(test.platform, said);
    const forced = inputs(["c"], { __replaceOnChanges: ["computeConfig"] });
    await lifecycle.check(inputs(), forced, previewing);
    expect(lifecycle.diff("1", inputs(), forced, previewing)).to.deep.equal({});
    showAnnouncement(previewing);
    expect(said).to.deep.equal([
      "replaced, since replaceOnChanges names computeConfig: a compute has one listener, so this needs the option deleteBeforeReplace: true",
    ]);
    const { outs } = await create();
    for (const [computeConfig, updatedAt] of [
      [{ k8sNamespaces: ["b", "a"] }, outs["updatedAt"]],
      [{ k8sNamespaces: ["b", "c"] }, UNKNOWN],
      // What is removed is not sent.
      [{}, outs["updatedAt"]],
    ] as const) {
      const news = inputs([], { computeConfig });
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

  it("reads no namespaces as an argument that nobody gave", async () => {
    const other = { computeType: "vm", computeId: "vm-1", computeConfig: {} };
    const { id, outs } = await lifecycle.create(other, context());
    expect((await lifecycle.read(id, {}, context())).inputs).to.deep.equal(other);
    await setNamespaces(id, "theirs");
    expect((await lifecycle.read(id, outs, context())).inputs).to.deep.equal(other);
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

  it("is not changed by a PATCH that a gateway answers with a page, as one to sign in", async () => {
    const { id, outs } = await create();
    const relay = await startRelay(test.platform.url, ({ method }, response, pass) =>
      method === "PATCH" ? response.end("<!doctype html><title>Sign in</title>") : pass(),
    );
    const through = contextOf({ ...test.platform, url: relay.url });
    const update = lifecycle.update(id, { ...outs, baseUrl: relay.url }, inputs(["c"]), through);
    const { message } = await rejection(update.finally(() => relay.close()));
    expect(message).to.contain("an HTML page, 'Sign in'");
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

  it("gives the service's words where it refuses a deletion, and what to do when the listener places deployments", async () => {
    const { id, outs } = await create();
    const { source_config, ...image } = anImageDeployment();
    await test.create({ ...image, source_config: { ...source_config, listener_id: id } });
    const { message } = await rejection(lifecycle.delete(id, outs, context()));
    expect(message).to.match(
      new RegExp(`^delete listener '${id}': 409 .* places deployments.*; delete those deployments`),
    );
    test.answers({ method: "DELETE" }, 400, { detail: "not now" });
    const refused = await rejection(lifecycle.delete(id, outs, context()));
    expect(refused.message).to.equal(`delete listener '${id}': 400 not now`);
  });
});

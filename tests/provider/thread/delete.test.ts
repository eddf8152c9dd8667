import { expect } from "chai";
import { deploymentLifecycle } from "../../../provider/deployment/lifecycle";
import { threadLifecycle as lifecycle } from "../../../provider/thread/operations";
import { aClock, aDeployment } from "../../support/builders";
import { json, startServer, type TestServer, useServers } from "../../support/http";
import { contextOf } from "../../support/lifecycle";
import { reasonOf, rejection } from "../../support/rejection";

const THREAD = "44444444-4444-4444-8444-444444444444";
const NOTHING_THERE = "http://127.0.0.1:9";

describe("the deletion of a thread whose agent server refuses connections", () => {
  const { id, tenant_id: workspaceId } = aDeployment();
  let plane: TestServer;
  /** What the control plane says of its deployment: a status, or that of an error. */
  let says: string | number;
  let said: string[];
  beforeEach(async () => {
    [said, says] = [[], "READY"];
    plane = await startServer((_request, response) => {
      if (typeof says === "number") json(response, says, { detail: "out for a moment" });
      else json(response, 200, aDeployment({ status: says }));
    });
  });
  afterEach(() => plane.close());

  const remove = (known = true) => {
    const own = known && { __deployment: { id, tenantId: workspaceId, baseUrl: plane.url } };
    const props = { deploymentUrl: NOTHING_THERE, threadId: THREAD, ...own };
    const settings = { url: plane.url, apiKey: "control-plane-key", workspaceId };
    return lifecycle.delete(THREAD, props, { ...contextOf(settings, said), clock: aClock() });
  };

  const STAYS =
    /^get thread '44444444-.*': no connection to .*ECONNREFUSED.*its deployment still exists.*run the same command again.*`pulumi state delete 'urn:/s;
  const UNKNOWN = /could not determine whether its deployment still exists.*503 out for a moment/s;
  for (const [what, status, words] of [
    ["has its deployment", "READY", STAYS],
    ["does not answer either", 503, UNKNOWN],
  ] as const)
    it(`fails while the control plane ${what}, and says so`, async () => {
      says = status;
      expect(await reasonOf(remove()))
        .to.match(words)
        .and.not.contain("control-plane-key");
      expect(said).to.be.empty;
    });

  for (const [status, words] of [
    ["AWAITING_DELETE", "is being deleted"],
    ["AWAITING_FINAL_DELETE", "is being deleted"],
    [404, "the deployment at http://127.0.0.1:9 no longer exists"],
  ] as const)
    it(`is success with a warning where the control plane says ${status} of its deployment`, async () => {
      says = status;
      await remove();
      expect(said.join()).to.contain("was not deleted").and.contain(words);
    });

  it("is success with a warning when no deployment is known of", async () => {
    await remove(false);
    expect(said.join()).to.contain("was not deleted").and.contain("nothing responds at");
    expect(plane.received).to.be.empty;
  });
});

describe("the deletion of a thread that cannot be read", () => {
  const serve = useServers();

  it("is not given up where the server broke off a request, and no deployment is known of", async () => {
    const server = await serve((_request, response) => response.destroy());
    const context = { ...contextOf({ ...server, apiKey: "k", workspaceId: "w" }), clock: aClock() };
    const props = { deploymentUrl: server.url, threadId: THREAD };
    const { message } = await rejection(lifecycle.delete(THREAD, props, context));
    expect(message).to.match(/^delete thread '.*': no connection to /);
  });

  it("is success with a warning, and no request, where this run has deleted the deployment that served its URL", async () => {
    const said: string[] = [];
    const gateway = await serve((_request, response) =>
      json(response, 503, { detail: "no route" }),
    );
    const plane = await serve((_request, response) => json(response, 404, { detail: "gone" }));
    const context = {
      ...contextOf({ ...plane, apiKey: "k", workspaceId: "w" }, said),
      clock: aClock(),
    };
    const remove = () =>
      lifecycle.delete(THREAD, { deploymentUrl: gateway.url, threadId: THREAD }, context);
    expect(await reasonOf(remove())).to.contain("503 no route");
    const asked = gateway.received.length;
    await deploymentLifecycle.delete(aDeployment().id, { url: gateway.url }, context);
    await remove();
    expect(gateway.received).to.have.length(asked);
    expect(said.join()).to.contain(`the deployment at ${gateway.url} was deleted in this run`);
  });

  for (const [title, read, removed, warns, others] of [
    ["is success with a warning, once its DELETE has a 404 too", 404, 404, true, 200],
    ["is a deletion where the server has it all the same", 404, 204, false, 422],
    ["is the server's error after 403", 403, 204, false, 200],
    ["is an error where a gateway says 404 to everything", 404, 404, false, 404],
    ["is an error where a gateway fails meanwhile", 404, 404, false, 502],
  ] as const)
    it(title, async () => {
      const said: string[] = [];
      const server = await serve(({ method }, response) => {
        const status = { GET: read, POST: others, DELETE: removed }[method] ?? 405;
        json(response, status, status < 300 ? [] : { detail: "not for you" });
      });
      const settings = { ...server, apiKey: "k", workspaceId: "w" };
      const context = { ...contextOf(settings, said), clock: aClock() };
      const props = { deploymentUrl: server.url, threadId: THREAD };
      const removal = lifecycle.delete(THREAD, props, context);
      const isError = title.includes("error");
      if (!isError) await removal;
      else expect(await reasonOf(removal)).to.match(/ (403|404|502) not for you/);
      expect(said.join().includes("no longer exists")).to.equal(warns);
      const searches = Array<string>(others === 502 ? 5 : 1).fill("POST");
      const looks = others === 200 || others === 422 ? ["GET"] : [];
      const asked = read === 404 ? ["GET", ...searches, ...looks] : ["GET"];
      const methods = isError ? asked : [...asked, "DELETE"];
      expect(server.received.map(({ method }) => method)).to.deep.equal(methods);
    });
});

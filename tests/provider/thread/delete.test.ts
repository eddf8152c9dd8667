import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import { join } from "node:path";
import { expect } from "chai";
import { threadLifecycle as lifecycle } from "../../../provider/thread/operations";
import { REPOSITORY } from "../../../scripts/project";
import { aClock, aDeployment } from "../../support/builders";
import { json, portOf, startServer, type TestServer, useServers } from "../../support/http";
import { contextOf } from "../../support/lifecycle";
import { rejection } from "../../support/rejection";

const THREAD = "44444444-4444-4444-8444-444444444444";
const NOTHING_THERE = "http://127.0.0.1:9";

describe("the deletion of a thread whose agent server refuses connections", () => {
  const { id, tenant_id: workspaceId } = aDeployment();
  let plane: TestServer;
  let status: string | undefined;
  let planeAnswers: boolean;
  let said: string[];
  beforeEach(async () => {
    said = [];
    status = "READY";
    planeAnswers = true;
    plane = await startServer((_request, response) => {
      if (!planeAnswers) json(response, 503, { detail: "out for a moment" });
      else if (status === undefined) json(response, 404, { detail: "no such deployment" });
      else json(response, 200, aDeployment({ status }));
    });
  });
  afterEach(() => plane.close());

  const remove = (known = true) => {
    const deployment = { id, tenantId: workspaceId, baseUrl: plane.url };
    const own = known && { __deployment: deployment };
    const props = { deploymentUrl: NOTHING_THERE, threadId: THREAD, ...own };
    const settings = { url: plane.url, apiKey: "control-plane-key", workspaceId };
    return lifecycle.delete(THREAD, props, { ...contextOf(settings, said), clock: aClock() });
  };

  it("fails while the control plane has its deployment, and says what to do", async () => {
    const { message } = await rejection(remove());
    expect(message)
      .to.match(/^get thread '44444444-.*': no connection to .*ECONNREFUSED/)
      .and.contain("its deployment still exists")
      .and.contain("run the same command again")
      .and.contain("`pulumi state delete 'urn:");
    expect(said).to.be.empty;
  });

  it("fails while the control plane does not answer either, with its words", async () => {
    planeAnswers = false;
    const { message } = await rejection(remove());
    expect(message)
      .to.contain("could not determine whether its deployment still exists")
      .and.contain("503 out for a moment");
    expect(message).not.to.contain("control-plane-key");
  });

  for (const leaving of ["AWAITING_DELETE", "AWAITING_FINAL_DELETE"])
    it(`is success with a warning while its deployment is ${leaving}`, async () => {
      status = leaving;
      await remove();
      expect(said.join()).to.contain("was not deleted").and.contain("is being deleted");
    });

  it("is success with a warning when its deployment is gone", async () => {
    status = undefined;
    await remove();
    expect(said.join())
      .to.contain("was not deleted")
      .and.contain("the deployment at http://127.0.0.1:9 no longer exists");
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
    const settings = { ...server, apiKey: "k", workspaceId: "w" };
    const context = { ...contextOf(settings), clock: aClock() };
    const props = { deploymentUrl: server.url, threadId: THREAD };
    const { message } = await rejection(lifecycle.delete(THREAD, props, context));
    expect(message).to.match(/^delete thread '.*': no connection to /);
  });

  it("is not given up where its certificate is not trusted, and no deployment is known of", async () => {
    const pem = readFileSync(join(REPOSITORY, "tests/fixtures/tls/self-signed.pem"));
    const server = createServer({ key: pem, cert: pem }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const props = { deploymentUrl: `https://127.0.0.1:${portOf(server.address())}` };
    const context = contextOf({ url: NOTHING_THERE, apiKey: "k", workspaceId: "w" });
    const removal = lifecycle.delete(THREAD, props, context).finally(() => server.close());
    expect((await rejection(removal)).message).to.contain("self-signed certificate");
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
      else expect((await rejection(removal)).message).to.match(/ (403|404|502) not for you/);
      expect(said.join().includes("no longer exists")).to.equal(warns);
      const asked = read === 404 ? ["GET", "GET", "POST"] : ["GET"];
      const methods = isError ? asked : [...asked, "DELETE"];
      expect(server.received.map(({ method }) => method)).to.deep.equal(methods);
    });
});

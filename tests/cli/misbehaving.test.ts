import { expect } from "chai";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deleteDeployment } from "../../cli/deletion";
import { printStatus } from "../../cli/deployment-status";
import { redeploy } from "../../cli/redeployment";
import { printLogs } from "../../cli/revision-logs";
import { writeIdentity } from "../../local/platform/identity-file";
import { aDeployment, aRevision } from "../support/builders";
import { json, type Received, startServer, type TestServer } from "../support/http";
import { rejection } from "../support/rejection";
import { testTerminal } from "./terminal";

const DEPLOYMENT = aDeployment();
const REVISION = aRevision();
const ID = DEPLOYMENT.id;

/** The answer to a request of a path; undefined for the path's usual one. */
type Answer = (request: Received) => { status: number; body: unknown } | undefined;

describe("the commands against a control plane that misbehaves", () => {
  let server: TestServer;
  let dataDir: string;
  let answer: Answer;

  beforeEach(async () => {
    answer = () => undefined;
    server = await startServer((request, response) => {
      const { status, body } = answer(request) ?? { status: 200, body: usual(request.url) };
      if (typeof body === "string") response.writeHead(status).end(body);
      else json(response, status, body);
    });
    dataDir = await mkdtemp(join(tmpdir(), "agentserver-cli-"));
    const { url } = server;
    const keys = { apiKey: "key", adminKey: "key", workspaceId: "workspace" };
    writeIdentity(dataDir, { url, port: 1, ...keys, pid: 1, dialect: "agentserver" }, []);
  });
  afterEach(async () => {
    await server.close();
    await rm(dataDir, { recursive: true });
  });

  const usual = (url: string): unknown => {
    const [path = ""] = url.split("?");
    if (path.endsWith("/revisions")) return { resources: [REVISION], offset: 1 };
    if (path.includes("/revisions/")) return REVISION;
    return path === "/v2/deployments" ? { resources: [DEPLOYMENT], offset: 1 } : DEPLOYMENT;
  };
  const named = () => ({
    deployment: "support",
    dataDir,
    json: false,
    yes: true,
    wait: false,
    timeoutSeconds: 60,
  });
  const logs = (changes: object = {}, terminal = testTerminal()) =>
    printLogs({ ...named(), follow: false, type: "build", ...changes }, terminal);

  it("prints a line of a log whose time is not a date", async () => {
    answer = ({ url }) =>
      url.includes("/logs")
        ? {
            status: 200,
            body: { logs: [{ timestamp: 1e300, message: "late" }], next_offset: null },
          }
        : undefined;
    const terminal = testTerminal();
    await logs({}, terminal);
    expect(terminal.lines()).to.deep.equal(["1e+300 late"]);
  });

  for (const [what, changes] of [
    ["newest lines", { tail: 5000 }],
    ["lines", {}],
  ] as const)
    it(`ends a log whose pages never end, of its ${what} too`, async () => {
      let pages = 0;
      answer = ({ url }) => {
        if (!url.includes("/logs")) return undefined;
        pages += 1;
        return { status: 200, body: { logs: [{ message: "on" }], next_offset: String(pages) } };
      };
      const { message } = await rejection(logs(changes));
      expect(message).to.contain("the server returned 1000 pages, and more follow");
      expect(pages).to.equal(1000);
    });

  it("says of a redeployment without an answer that the revision may exist, and of a proxy's page its title", async () => {
    answer = ({ method }) =>
      method === "POST"
        ? { status: 502, body: "<html><head><title>Bad Gateway</title></head><p>nginx</html>" }
        : undefined;
    const { message } = await rejection(redeploy(named(), testTerminal()));
    expect(message).to.equal(
      `redeploy revision '${REVISION.id}': 502 an HTML page, 'Bad Gateway'; the revision may have been created all the same: see \`pulumi-agentserver status support\` before you try again`,
    );
  });

  it("only waits for a deployment that is being deleted already", async () => {
    for (const status of ["AWAITING_DELETE", "AWAITING_FINAL_DELETE"]) {
      const gone = { status: 404, body: { detail: `Deployment ${ID} not found` } };
      answer = ({ url }) =>
        url.startsWith("/v2/deployments?")
          ? { status: 200, body: { resources: [{ ...DEPLOYMENT, status }], offset: 1 } }
          : gone;
      const terminal = testTerminal();
      await deleteDeployment(named(), terminal);
      expect(terminal.printed.out, status).to.equal("deleted deployment 'support'\n");
    }
    expect(server.received.map(({ method }) => method)).not.to.include("DELETE");
  });

  it("takes each end of a deletion for one, and a 403 only after its own DELETE", async () => {
    for (const [status, shown] of [
      [404, {}],
      [410, {}],
      [403, {}],
      [200, { ...DEPLOYMENT, status: "DELETED" }],
    ] as const) {
      let isDeleted = false;
      answer = ({ method, url }) => {
        isDeleted ||= method === "DELETE";
        return isDeleted && !url.includes("?") && method === "GET"
          ? { status, body: shown }
          : undefined;
      };
      const terminal = testTerminal();
      await deleteDeployment(named(), terminal);
      expect(terminal.printed.out, String(status)).to.equal("deleted deployment 'support'\n");
    }
  });

  it("says what a wait saw last, and asks for nothing more, where the control plane does not answer at its end", async () => {
    answer = ({ url }) =>
      url.includes("/revisions") ? { status: 503, body: { detail: "out" } } : undefined;
    const options = { ...named(), wait: true, timeoutSeconds: 0, limit: 1 };
    const { message } = await rejection(printStatus(options, testTerminal()));
    expect(message).to.match(
      /^deployment 'support': timed out after \d s: (503 out|no response) for \d s; run the same command again to wait on$/,
    );
    expect(server.received.at(-1)?.url).to.contain("/revisions?");
  });
});

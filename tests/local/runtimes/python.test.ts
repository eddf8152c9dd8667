import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { WebSocket } from "ws";
import { AgentServer, NotFound } from "pulumi-agentserver/sdk";
import { assistantsSuite } from "../../contract/assistants.suite";
import { subjectAt } from "../../contract/threads/subject";
import { threadsSuite } from "../../contract/threads/threads.suite";
import { AssistantSubject } from "../../provider/assistant/subject";
import { rejection } from "../../support/rejection";
import { lifeSuite } from "../../provider/assistant/life.suite";
import { lifeSuite as cronSuite } from "../../provider/cron/life.suite";
import { agentFiles, contentsOf } from "../../support/agents";
import { revise, useDeployedAgent } from "../../support/deployed-agent";
import { describeLong } from "../../support/tiers";
import { question } from "../../support/runs";
import { anOperation } from "../../support/operation";
import { smokeCheckFailure } from "../../../provider/deployment/rollout/smoke-check";
import { gateFailure, gateIn } from "../../../provider/gate/gate";
import { threadLifecycle as threads } from "../../../provider/thread/operations";
import { importExisting } from "../../../cli/import/import";
import { testTerminal } from "../../cli/terminal";
import { aFolder, removeFolder } from "../children";
import { openPage } from "../page/open-page";
import { gateSuite } from "./gate.suite";
import { graphSuite } from "./graph.suite";

const PYPROJECT = `
[build-system]
requires = ["setuptools==80.9.0"]
build-backend = "setuptools.build_meta"

[project]
name = "support"
version = "1.0"
dependencies = ["langgraph==1.2.22", "langchain-core==1.7.2"]
`;

/** Says which URLs it makes, and has a WebSocket. */
const APP = `
from starlette.applications import Starlette
from starlette.responses import JSONResponse, RedirectResponse
from starlette.routing import Route, WebSocketRoute


async def urls(request):
    made = {"base_url": str(request.base_url), "url_for": str(request.url_for("urls"))}
    return JSONResponse({**made, "host": request.headers["host"]})


async def away(request):
    return RedirectResponse(str(request.url.replace(path="/urls")))


async def greet(websocket):
    await websocket.accept()
    await websocket.send_text(f"Hello, {websocket.query_params['name']}.")
    await websocket.receive()


app = Starlette(
    routes=[
        Route("/urls", urls, name="urls"),
        Route("/away", away),
        WebSocketRoute("/ws", greet),
    ]
)
`;

/** Users have a key each, own what they make, and see nothing else. */
const AUTH = `
from langgraph_sdk import Auth

auth = Auth()


@auth.authenticate
async def authenticate(headers: dict) -> str:
    key = headers.get(b"x-api-key", b"").decode()
    if not key.startswith("key-of-"):
        raise Auth.exceptions.HTTPException(status_code=401, detail="no such key")
    return key.removeprefix("key-of-")


@auth.on
async def own(ctx: Auth.types.AuthContext, value: dict):
    owner = {"owner": ctx.user.identity}
    value.setdefault("metadata", {}).update(owner)
    return owner
`;

/** The support agent's files as a package of its own, whose answers begin with a greeting of another module. */
async function asPackage(): Promise<Record<string, string>> {
  const { "agent.py": source = "" } = await agentFiles("python");
  const greeting = source.replace('f"{words} ', 'f"{GREETING} {words} ');
  return {
    "pyproject.toml": PYPROJECT,
    "src/support/__init__.py": "",
    "src/support/words.py": 'GREETING = "Hello from the package!"\n',
    "src/support/agent.py": `from support.words import GREETING\n${greeting}`,
    "langgraph.json": JSON.stringify({
      dependencies: ["."],
      graphs: { agent: "./src/support/agent.py:graph" },
    }),
  };
}

describeLong("the real Python server", () => {
  const agent = useDeployedAgent("python");

  /** Deploys the support agent with more members of its configuration, and the files that they name. */
  async function configure(context: Mocha.Context, members: object, more: Record<string, string>) {
    context.timeout(900_000);
    const files = await agentFiles("python");
    const settings = JSON.stringify({ ...JSON.parse(files["langgraph.json"] ?? ""), ...members });
    await agent().repository.commit({ ...files, ...more, "langgraph.json": settings });
    await revise(context, agent());
  }

  describe("threads of the real Python server", () => {
    threadsSuite(subjectAt("python", () => agent().url));
  });

  describe("assistants of the real Python server", () => {
    assistantsSuite(subjectAt("python", () => agent().url));
  });

  describe("the resource Assistant on the real Python server", () => {
    lifeSuite("python", () => agent().url);
  });

  describe("the resource Cron on the real Python server", () => {
    cronSuite(
      () => agent().url,
      (test) => revise(test, agent()),
    );

    it("is on the page of its deployment and in an imported program of the provider that imports", async () => {
      const { client, test, deploymentId } = agent();
      const metadata = { team: "<support>" };
      const rarely = { assistant_id: "agent", schedule: "0 0 1 1 *" };
      const { cron_id } = await client.crons.create({ ...rarely, metadata });
      for (const frontEnd of ["native", "dynamic"] as const) {
        const folder = await aFolder();
        const terminal = testTerminal();
        const options = { folder, frontEnd, json: false, dataDir: test.dataDir };
        await importExisting(options, terminal);
        const isNative = frontEnd === "native";
        const program = await readFile(join(folder, "index.ts"), "utf8");
        expect(program.includes(rarely.schedule), program).to.equal(isNative);
        if (isNative)
          expect(await readFile(join(folder, "import.json"), "utf8")).to.contain(
            `/runs/crons/${cron_id}`,
          );
        await removeFolder(folder);
        expect(terminal.printed.err.includes(`left out: cron ${cron_id} of`)).to.equal(!isNative);
      }
      const page = await openPage(test);
      const { body } = await page.get(`/deployments/${deploymentId}/crons`);
      expect(body).to.contain("0 0 1 1 *").and.contain("&lt;support&gt;");
      await client.crons.delete(cron_id);
    });
  });

  describe("an assistant whose graph left the revision", () => {
    it("is hidden by the server, kept by the resource, and comes back with its graph", async function () {
      const { repository } = agent();
      const graphs = (...names: string[]) =>
        repository.commit({
          "langgraph.json": JSON.stringify({
            ...configuration,
            graphs: Object.fromEntries(names.map((name) => [name, "./agent.py:graph"])),
          }),
        });
      const files = await agentFiles("python");
      const configuration = JSON.parse(files["langgraph.json"] ?? "");
      await graphs("agent", "other");
      await revise(this, agent());
      const subject = new AssistantSubject(() => agent().url);
      await subject.start();
      try {
        const made = await subject.create({ graphId: "other", context: { a: 1 } });
        await graphs("agent");
        await revise(this, agent());
        expect(await rejection(subject.get(made.id))).to.be.instanceOf(NotFound);
        expect((await subject.read(made)).inputs).to.deep.equal(made.inputs);
        expect(subject.said.join()).to.contain("the running revision has no graph 'other'");
        const moved = await subject.update(made, { graphId: "agent", context: { a: 1 } });
        expect(await subject.get(made.id)).to.deep.include({ version: 2, context: { a: 1 } });
        await subject.delete(moved);
      } finally {
        await subject.close();
      }
    }).timeout(900_000);
  });

  describe("a gate on the real Python server", () => gateSuite(agent));

  describe("a Python graph on its real server", () => {
    graphSuite(agent);

    it("is a package that is rebuilt for each commit, and not for a change of variables", async function () {
      const { repository, client } = agent();
      const ask = async () => {
        const { thread_id } = await client.threads.create();
        const input = question("Where is my order 7?");
        const values = await client.runs.wait(thread_id, { assistant_id: "agent", input });
        return contentsOf(values).at(-1);
      };
      await repository.git("rm", "--quiet", "agent.py");
      await repository.commit(await asPackage());
      await revise(this, agent());
      expect(await ask()).to.match(/^Hello from the package! Your order 7 is on its way./);
      await repository.commit({ "src/support/words.py": 'GREETING = "Changed!"\n' });
      await revise(this, agent());
      expect(await ask()).to.match(/^Changed! Your order 7 is on its way./);
      const { build } = await revise(this, agent());
      expect(build.join("\n")).to.contain("using a finished build");
      expect(await ask()).to.match(/^Changed! Your order 7 is on its way./);
    }).timeout(900_000);
  });

  describe("a Python server with an app of its own", () => {
    before(function () {
      return configure(this, { http: { app: "./webapp.py:app" } }, { "webapp.py": APP });
    });

    it("has its WebSocket", async () => {
      const socket = new WebSocket(`${agent().url.replace("http", "ws")}/ws?name=Ann`);
      const [greeting] = await once(socket, "message");
      expect(String(greeting)).to.equal("Hello, Ann.");
      socket.close();
    });

    it("prints its URLs as others see them, in the app, its redirects, /openapi.json, /docs and the log", async () => {
      const { url, test, deploymentId } = agent();
      expect(await (await fetch(`${url}/urls`)).json()).to.deep.equal({
        base_url: `${url}/`,
        url_for: `${url}/urls`,
        host: new URL(url).host,
      });
      const away = await fetch(`${url}/away`, { redirect: "manual" });
      expect(away.headers.get("location")).to.equal(`${url}/urls`);
      const { latest_revision_id: id } = await test.get(deploymentId);
      const log = `/v2/deployments/${deploymentId}/revisions/${id}/logs?type=deploy&limit=1000`;
      const pages = ["/openapi.json", "/docs"].map(async (path) =>
        (await fetch(url + path)).text(),
      );
      const { body } = await test.request("GET", log);
      for (const text of [...(await Promise.all(pages)), JSON.stringify(body)]) {
        expect(text).to.contain(url);
        expect(text.replaceAll(url, "")).not.to.match(/127\.0\.0\.1:\d/);
      }
    });
  });

  describe("a Python server with an auth handler, which shows each user their own", () => {
    const subject = new AssistantSubject(() => agent().url);
    const asking = (contains: string) => ({
      runs: [{ input: question("Where is order 7?"), expect: { contains } }],
    });
    const NO_KEY = /401 no such key; check apiKey, which is the agent server's own key/;

    before(async function () {
      await configure(this, { auth: { path: "./auth.py:auth" } }, { "auth.py": AUTH });
      await subject.start();
    });
    after(() => subject.close());

    it("takes an assistant, its gate and its thread by the key of a user, and refuses others in words", async () => {
      const apiKey = "key-of-ann";
      const context = subject.context("ann");
      const made = await subject.create({ apiKey, context: { a: 1 }, gate: asking("order 7") });
      expect(made.outs).to.deep.include({ version: 1, metadata: null });
      const preferring = { apiKey, context: { a: 2 } };
      const refused = subject.update(made, { ...preferring, gate: asking("order 8") });
      expect((await rejection(refused)).message).to.contain("since its gate failed");
      const updated = await subject.update(made, preferring);
      expect(updated.outs).to.include({ version: 2 });
      expect((await subject.read(updated)).inputs).to.deep.include({ context: { a: 2 } });

      for (const key of [{}, { apiKey: "stolen" }])
        expect((await rejection(subject.create(key))).message).to.match(NO_KEY);
      const taken = subject.create({ assistantId: made.id, apiKey: "key-of-bob" });
      expect((await rejection(taken)).message).to.match(
        /: 409 Assistant \S+ already exists; another user of the agent server has it/,
      );

      const { deploymentUrl } = made.inputs;
      const thread = await threads.create({ deploymentUrl, apiKey }, context);
      await threads.delete(thread.id, thread.outs, context);
      const stolen = threads.create({ deploymentUrl, apiKey: "stolen" }, context);
      expect((await rejection(stolen)).message).to.match(NO_KEY);
      await subject.delete(updated);
      const client = new AgentServer({ url: agent().url, apiKey });
      expect(await client.assistants.search({ metadata: { owner: "ann" } })).to.deep.equal([]);
    });

    it("passes the smoke check and the gate of its deployment with a key, and names the argument without", async () => {
      const { url } = agent();
      const limits = { graphId: undefined, gate: undefined, timeoutSeconds: 20 };
      const smokeCheck = (apiKey?: string) =>
        smokeCheckFailure(anOperation(url), { ...limits, apiKey }, url);
      expect(await smokeCheck("key-of-ann")).to.equal(undefined);
      expect((await smokeCheck())?.nextStep).to.contain("set `smokeCheck.apiKey` to the agent");
      const stolen = await smokeCheck("stolen");
      expect(stolen?.problem).to.contain("401 no such key");
      expect(stolen?.nextStep).to.contain("check `smokeCheck.apiKey`");
      const server = new AgentServer({ url, apiKey: "key-of-ann" });
      const gate = gateIn(asking("order 7"));
      if (gate === undefined) throw new Error("no gate is declared");
      const asked = { owner: "one", server, gate, assistantId: "agent", redacted: String };
      expect(await gateFailure(asked, anOperation(url))).to.equal(undefined);
    });
  });
});

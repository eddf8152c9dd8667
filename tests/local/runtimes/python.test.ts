import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { assistantsSuite } from "../../contract/assistants.suite";
import { subjectAt } from "../../contract/threads/subject";
import { threadsSuite } from "../../contract/threads/threads.suite";
import { lifeSuite } from "../../provider/assistant/life.suite";
import { lifeSuite as cronSuite } from "../../provider/cron/life.suite";
import { agentFiles, contentsOf } from "../../support/agents";
import { revise, useDeployedAgent } from "../../support/deployed-agent";
import { question } from "../../support/runs";
import { describeLong } from "../../support/tiers";
import { importExisting } from "../../../cli/import/import";
import { testTerminal } from "../../cli/terminal";
import { aFolder, removeFolder } from "../children";
import { openPage } from "../page/open-page";
import { gateSuite } from "./gate.suite";
import { graphSuite } from "./graph.suite";

/** Says which URLs it makes. */
const APP = `
from starlette.applications import Starlette
from starlette.responses import JSONResponse, RedirectResponse
from starlette.routing import Route


async def urls(request):
    made = {"base_url": str(request.base_url), "url_for": str(request.url_for("urls"))}
    return JSONResponse({**made, "host": request.headers["host"]})


async def away(request):
    return RedirectResponse(str(request.url.replace(path="/urls")))


app = Starlette(routes=[Route("/urls", urls, name="urls"), Route("/away", away)])
`;

/** Blocks the server's loop, as code does that reads files or sleeps. */
const BLOCKING_GRAPH = `
import time
from langgraph.graph import START, MessagesState, StateGraph


async def sleep(state):
    time.sleep(0.01)
    return {"messages": [("ai", "slept")]}


graph = StateGraph(MessagesState).add_node(sleep).add_edge(START, "sleep").compile()
`;

describeLong("the real Python server", () => {
  const agent = useDeployedAgent("python");
  const subject = subjectAt("python", () => agent().url);
  const lives = () => lifeSuite("python", () => agent().url);

  describe("threads of the real Python server", () => threadsSuite(subject));
  describe("assistants of the real Python server", () => assistantsSuite(subject));
  describe("the resource Assistant on the real Python server", lives);

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
        await importExisting({ folder, frontEnd, json: false, dataDir: test.dataDir }, terminal);
        const isNative = frontEnd === "native";
        const program = await readFile(join(folder, "index.ts"), "utf8");
        expect(program.includes(rarely.schedule), program).to.equal(isNative);
        const imported = isNative && (await readFile(join(folder, "import.json"), "utf8"));
        if (imported) expect(imported).to.contain(`/runs/crons/${cron_id}`);
        await removeFolder(folder);
        expect(terminal.printed.err.includes(`left out: cron ${cron_id} of`)).to.equal(!isNative);
      }
      const { body } = await (await openPage(test)).get(`/deployments/${deploymentId}/crons`);
      expect(body).to.contain("0 0 1 1 *").and.contain("&lt;support&gt;");
      await client.crons.delete(cron_id);
    });
  });

  describe("a gate on the real Python server", () => gateSuite(agent));

  describe("a Python graph on its real server", () => graphSuite(agent));

  // Last: the others have the server without these files.
  describe("a Python graph whose code blocks", () => {
    it("runs, as a deployment of the public service does", async function () {
      this.timeout(900_000);
      const { client, repository } = agent();
      const { "langgraph.json": config = "" } = await agentFiles("python");
      const { graphs, ...rest } = JSON.parse(config);
      const served = { ...rest, graphs: { ...graphs, blocking: "./blocking.py:graph" } };
      await repository.commit({
        "blocking.py": BLOCKING_GRAPH,
        "langgraph.json": JSON.stringify(served),
      });
      await revise(this, agent());
      const { thread_id } = await client.threads.create();
      const body = { assistant_id: "blocking", input: question("Sleep.") };
      expect(contentsOf(await client.runs.wait(thread_id, body)).at(-1)).to.equal("slept");
    });
  });

  describe("a Python server with an app of its own", () => {
    it("prints its URLs as others see them, in an app of its own, its redirects, /openapi.json, /docs and the log", async function () {
      this.timeout(900_000);
      const { url, test, deploymentId, repository } = agent();
      const { "langgraph.json": config = "" } = await agentFiles("python");
      const served = { ...JSON.parse(config), http: { app: "./webapp.py:app" } };
      await repository.commit({ "webapp.py": APP, "langgraph.json": JSON.stringify(served) });
      await revise(this, agent());
      const { host } = new URL(url);
      const urls = { base_url: `${url}/`, url_for: `${url}/urls`, host };
      expect(await (await fetch(`${url}/urls`)).json()).to.deep.equal(urls);
      const away = await fetch(`${url}/away`, { redirect: "manual" });
      expect(away.headers.get("location")).to.equal(`${url}/urls`);
      const { latest_revision_id: id } = await test.get(deploymentId);
      const log = `/v2/deployments/${deploymentId}/revisions/${id}/logs?type=deploy&limit=1000`;
      const textAt = async (path: string) => (await fetch(url + path)).text();
      const pages = ["/openapi.json", "/docs"].map(textAt);
      const { body } = await test.request("GET", log);
      for (const text of [...(await Promise.all(pages)), JSON.stringify(body)]) {
        expect(text).to.contain(url);
        expect(text.replaceAll(url, "")).not.to.match(/127\.0\.0\.1:\d/);
      }
    });
  });
});

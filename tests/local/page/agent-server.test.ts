import { expect } from "chai";
import { printAssistants } from "../../../cli/assistants/list";
import { AgentServer } from "../../../sdk";
import { testTerminal } from "../../cli/terminal";
import { anImageDeployment, usePlatform } from "../../support/platform";
import { useServers } from "../../support/http";
import { rejection } from "../../support/rejection";
import { processesWith, until } from "../children";
import { AgentReader } from "../../../local/page/agent-reader";
import { startEndless } from "../front";
import { usePage } from "./open-page";

const NONE = "00000000-0000-4000-8000-000000000000";

describe("the page about an agent server", () => {
  const t = usePlatform({ driver: "process" });
  const page = usePage(t);
  const serve = useServers();
  let deployment: string;
  let server: AgentServer;
  before(async () => {
    const { id, url } = await t.create({ name: "support", ...anImageDeployment() });
    deployment = `/deployments/${id}`;
    await t.untilRevision(id, "DEPLOYED");
    server = new AgentServer({ url: url ?? "" });
  });

  const show = async (path = "") => (await page.get(deployment + path)).body;

  describe("its threads", () => {
    const add = async (user: string) => {
      const { thread_id } = await server.threads.create({ metadata: { user } });
      return thread_id;
    };

    it("are found by the beginning or the end of an id, together with metadata", async () => {
      const [ada, ken] = [await add("ada"), await add("ken")];
      for (const part of [ada.slice(-12), ada.slice(0, 8), `user=ada ${ada.slice(-8)}`])
        for (const path of [`${deployment}/threads`, "/threads"]) {
          const { body } = await page.get(`${path}?metadata=${encodeURIComponent(part)}`);
          expect(body).to.contain(ada).and.not.contain(ken);
        }
      for (const words of [`user=ken ${ada.slice(-12)}`, `${ada.slice(0, 8)} ${ken.slice(-8)}`]) {
        const neither = await show(`/threads?metadata=${encodeURIComponent(words)}`);
        expect(neither).to.contain("No thread matches.");
      }
    });

    it("are listed across deployments, and by status; one that does not exist is a 404, with the server's words", async () => {
      const id = await add("grace");
      const across = async (query = "") => (await page.get(`/threads${query}`)).body;
      expect(await across())
        .to.contain(id)
        .and.contain("support");
      expect(await across("?status=idle")).to.contain(id);
      expect(await across("?status=error")).to.contain("No thread matches.");
      const { status, body } = await page.get(`${deployment}/threads/${NONE}`);
      expect(status).to.equal(404);
      expect(body).to.match(/There is no such thread\..*Thread with ID .* not found/s);
      expect(body).not.to.contain("did not answer");
    });

    it("follow the state that is looked at", async () => {
      const id = await add("alan");
      const values = { messages: [] };
      const { checkpoint_id } = await server.threads.updateState(id, { values });
      const path = `${deployment}/threads/${id}`;
      const state = `checkpoint=${checkpoint_id}`;
      const { body } = await page.get(`${path}?${state}`);
      expect(body).to.contain(`/live${path}?${state}"`).and.contain(`${path}/json?${state}"`);
    });

    it("are live: a request to the agent server is followed by the new list and the new state", async () => {
      const id = await add("linus");
      for (const path of [`${deployment}/threads`, "/threads", `${deployment}/threads/${id}`]) {
        const closing = new AbortController();
        const headers = { cookie: page.cookie };
        const { signal } = closing;
        const response = await fetch(`${page.origin}/live${path}`, { headers, signal });
        const content = `live-${path.length}`;
        const values = { messages: [{ type: "constructor", content }] };
        await server.threads.updateState(id, { values });
        const wanted = path.endsWith(id) ? content : await add(content);
        let seen = "";
        const decoder = new TextDecoder();
        for await (const chunk of response.body ?? []) {
          seen += decoder.decode(chunk, { stream: true });
          if (seen.includes(wanted)) break;
        }
        closing.abort();
        expect(seen).to.contain(wanted);
      }
    });
  });

  describe("its assistants", () => {
    let assistant: string;
    before(async () => {
      const prompting = (prompt: string) => ({ context: { model: "m", prompt } });
      const named = { graph_id: "agent", name: "<German>", ...prompting("Hallo") };
      const metadata = { pulumi_resource: "shop/dev/german" };
      assistant = (await server.assistants.create({ ...named, metadata })).assistant_id;
      await server.assistants.update(assistant, prompting("Guten Tag"));
      await server.assistants.update(assistant, {});
    });

    const print = async (named?: string, { json = false, of = "supp" } = {}) => {
      const terminal = testTerminal({ columns: 200 });
      const options = { dataDir: t.dataDir, deployment: of, assistant: named, json };
      await printAssistants(options, terminal);
      return terminal;
    };

    it("are on the page beside crons, with what each version changed and the one in use, and nothing of them is markup", async () => {
      expect(await show())
        .to.contain(`${deployment}/assistants`)
        .and.contain(`${deployment}/crons`);
      expect(await show("/crons")).to.contain("The agent server keeps no crons.");
      const list = await show("/assistants");
      expect(list).to.contain(`/assistants/${assistant}`).and.contain("&lt;German&gt;");
      const versions = await show(`/assistants/${assistant}`);
      const [heading, third = "", second = "", first = ""] = versions.split("<section>");
      expect(heading).to.contain("&lt;German&gt;, of graph agent");
      expect(third).to.contain("Version 3").and.contain("The same values as before.");
      expect(second).to.contain("context.prompt").and.contain("Guten Tag").and.not.contain("model");
      expect(first).to.contain("Version 1").and.contain("Hallo").and.contain("&lt;German&gt;");
      for (const version of [2, 3]) {
        await server.assistants.setLatest(assistant, version);
        const sections = (await show(`/assistants/${assistant}`)).split("<section>");
        const inUse = sections.filter((section) => section.includes(", in use"));
        expect(inUse.map((section) => /Version (\d)/.exec(section)?.[1])).to.deep.equal([
          String(version),
        ]);
      }
    });

    it("show what the oldest version on the page changed, also where there are older ones", async () => {
      const changed = (version: number) => ({ context: { prompt: `of ${version}` } });
      const made = await server.assistants.create({ graph_id: "agent", ...changed(1) });
      for (let version = 2; version <= 51; version += 1)
        await server.assistants.update(made.assistant_id, changed(version));
      const oldest = (await show(`/assistants/${made.assistant_id}`)).split("<section>").at(-1);
      expect(oldest).to.match(/Version 2\b.*of 1\b.*of 2\b/s);
      await server.assistants.delete(made.assistant_id);
    });

    it("are listed by a command, with the resource that manages each, and what each version changed", async () => {
      const [titles, german] = (await print()).lines();
      expect(titles).to.match(/^NAME +GRAPH +VERSION +MANAGED BY +UPDATED +ID$/);
      expect(german).to.match(/^<German> +agent +3 +shop\/dev\/german +\d+s +[\da-f-]{36}$/);
      for (const named of ["<German>", assistant]) {
        const text = (await print(named)).lines().join("\n");
        expect(text).to.match(/version 3, \d+s ago\n {2}the same values as before\nversion 2/);
        expect(text).to.contain('  context.prompt: "Hallo" → "Guten Tag"\nversion 1');
      }
      const [shape] = (await print(assistant, { json: true })).json();
      const changes = [{ path: "context.prompt", before: "Hallo", after: "Guten Tag" }];
      expect(shape).to.have.nested.property("versions[1].changes").that.deep.equals(changes);
      const { message } = await rejection(print("French"));
      expect(message).to.equal("deployment 'support' has no assistant 'French'");
    });

    it("are listed with the agent server's own key, which the environment has", async () => {
      const secrets = [{ name: "BUILT_IN_SERVER_API_KEY", value: "key-CANARY" }];
      const { url } = await t.create({ name: "keyed", ...anImageDeployment(), secrets });
      await until("the server", async () => (await fetch(`${url}/ok`)).ok);
      const list = () => print(undefined, { of: "keyed" });
      const { message } = await rejection(list());
      expect(message).to.contain("401").and.contain("; set AGENTSERVER_AGENT_API_KEY to");
      for (const key of ["key-CANARY", "Bearer key-CANARY"]) {
        process.env["AGENTSERVER_AGENT_API_KEY"] = key;
        await list();
      }
      process.env["AGENTSERVER_AGENT_API_KEY"] = "key-CANARY\n";
      const wrong = await rejection(list());
      delete process.env["AGENTSERVER_AGENT_API_KEY"];
      expect(wrong.message).to.contain("AGENTSERVER_AGENT_API_KEY begins or ends with a blank");
      expect(wrong.message).not.to.contain("CANARY");
    });
  });

  it("is read up to 32 MiB of a response, which is closed then", async () => {
    const endless = await startEndless(serve);
    const { message } = await rejection(new AgentReader(endless.url, []).count({}));
    expect(message).to.equal("the response exceeds 33554432 bytes");
    await endless.ended;
  });

  it("is read from the server alone, whose key goes to no other where it redirects", async () => {
    const other = await serve((_request, response) => response.end("7"));
    const redirecting = await serve((_request, response) =>
      response.writeHead(307, { location: `${other.url}/threads/count` }).end(),
    );
    await rejection(new AgentReader(redirecting.url, []).count({}));
    expect(other.received).to.deep.equal([]);
  });

  it("hides no assistant whose server fails to show it", async () => {
    const failing = await serve((_, response) => response.writeHead(503).end("down"));
    const { message } = await rejection(new AgentReader(failing.url, []).versionInUse(NONE));
    expect(message).to.equal("503: down");
  });

  it("shows its memory while it runs, and counts its restarts", async () => {
    expect(await show()).to.match(/>Running<\/span><small>[1-9]\d+ MB</);
    const settings = await processesWith(`"database":`);
    const servers = (await processesWith(t.dataDir)).filter((pid) => settings.includes(pid));
    for (const pid of servers) process.kill(pid, "SIGKILL");
    const restarted = />Running<\/span><small>\d+ MB, 1 restart</;
    await until("the restart", async () => restarted.test(await show()));
  });
});

import { expect } from "chai";
import { printAssistants } from "../../../cli/assistants/list";
import { AgentServer } from "../../../sdk";
import { testTerminal } from "../../cli/terminal";
import { anImageDeployment, startTestPlatform, type TestPlatform } from "../../support/platform";
import { rejection } from "../../support/rejection";
import { until } from "../children";
import { openPage, type OpenPage } from "./open-page";

describe("the assistants of a deployment", () => {
  let t: TestPlatform;
  let page: OpenPage;
  let deployment: string;
  let assistant: string;
  let assistants: AgentServer["assistants"];
  before(async () => {
    t = await startTestPlatform({ driver: "process" });
    page = await openPage(t);
    const { id, url } = await t.create({ name: "support", ...anImageDeployment() });
    deployment = id;
    await t.untilRevision(id, "DEPLOYED");
    assistants = new AgentServer({ url: url ?? "" }).assistants;
    const values = { name: "<German>", context: { model: "m", prompt: "Hallo" } };
    const created = await assistants.create({
      graph_id: "agent",
      metadata: { pulumi_resource: "shop/dev/german" },
      ...values,
    });
    assistant = created.assistant_id;
    await assistants.update(assistant, { context: { model: "m", prompt: "Guten Tag" } });
    await assistants.update(assistant, {});
  });
  after(() => t.close());

  const show = async (path: string) => (await page.get(`/deployments/${deployment}${path}`)).body;
  const print = async (words: { assistant?: string; json?: boolean }) => {
    const terminal = testTerminal({ columns: 200 });
    const { assistant: named, json = false } = words;
    const where = { dataDir: t.dataDir, deployment: "supp" };
    await printAssistants({ ...where, assistant: named, json }, terminal);
    return terminal;
  };

  it("are on the page, with what each version changed, and nothing of them is markup", async () => {
    expect(await show("")).to.contain(`/deployments/${deployment}/assistants`);
    const list = await show("/assistants");
    expect(list).to.contain(`/assistants/${assistant}`).and.contain("&lt;German&gt;");
    const versions = await show(`/assistants/${assistant}`);
    const [heading, third = "", second = "", first = ""] = versions.split("<section>");
    expect(heading).to.contain("&lt;German&gt;, of graph agent");
    expect(third).to.contain("Version 3").and.contain("The same values as before.");
    expect(second).to.contain("context.prompt").and.contain("Guten Tag").and.not.contain("model");
    expect(first).to.contain("Version 1").and.contain("Hallo").and.contain("&lt;German&gt;");
  });

  it("have a page of crons beside them, which says that the built-in server keeps none", async () => {
    expect(await show("")).to.contain(`/deployments/${deployment}/crons`);
    expect(await show("/crons")).to.contain("The agent server keeps no crons.");
  });

  it("are on the page with the version in use, also where an earlier one was put in use", async () => {
    const inUse = async () =>
      (await show(`/assistants/${assistant}`))
        .split("<section>")
        .filter((section) => section.includes(", in use"))
        .map((section) => /Version (\d)/.exec(section)?.[1]);
    expect(await inUse()).to.deep.equal(["3"]);
    await assistants.setLatest(assistant, 2);
    expect(await inUse()).to.deep.equal(["2"]);
    await assistants.setLatest(assistant, 3);
  });

  it("are listed by a command, with the resource that manages each", async () => {
    const [titles, german] = (await print({})).lines();
    expect(titles).to.match(/^NAME +GRAPH +VERSION +MANAGED BY +UPDATED +ID$/);
    expect(german).to.match(/^<German> +agent +3 +shop\/dev\/german +\d+s +[\da-f-]{36}$/);
  });

  it("are listed with the agent server's own key, which the environment has", async () => {
    const { url } = await t.create({
      name: "keyed",
      ...anImageDeployment(),
      secrets: [{ name: "BUILT_IN_SERVER_API_KEY", value: "key-CANARY" }],
    });
    await until("the server", async () => (await fetch(`${url}/ok`)).ok);
    const list = () =>
      printAssistants(
        { dataDir: t.dataDir, deployment: "keyed", assistant: undefined, json: false },
        testTerminal(),
      );
    const { message } = await rejection(list());
    expect(message).to.contain("401").and.contain("; set AGENTSERVER_AGENT_API_KEY to");
    process.env["AGENTSERVER_AGENT_API_KEY"] = "key-CANARY";
    await list();
    process.env["AGENTSERVER_AGENT_API_KEY"] = "key-CANARY\n";
    const wrong = await rejection(list());
    delete process.env["AGENTSERVER_AGENT_API_KEY"];
    expect(wrong.message).to.contain("AGENTSERVER_AGENT_API_KEY begins or ends with a blank");
    expect(wrong.message).not.to.contain("CANARY");
  });

  it("have versions, which the command prints with what each changed", async () => {
    for (const named of ["<German>", assistant]) {
      const text = (await print({ assistant: named })).lines().join("\n");
      expect(text).to.match(/version 3, \d+s ago\n {2}the same values as before\nversion 2/);
      expect(text).to.contain('  context.prompt: "Hallo" → "Guten Tag"\nversion 1');
    }
    const [shape] = (await print({ assistant, json: true })).json();
    const changes = [{ path: "context.prompt", before: "Hallo", after: "Guten Tag" }];
    expect(shape).to.have.nested.property("versions[1].changes").that.deep.equals(changes);
    const { message } = await rejection(print({ assistant: "French" }));
    expect(message).to.equal("deployment 'support' has no assistant 'French'");
  });
});

import { expect } from "chai";
import { AgentServer } from "../../../sdk";
import { anImageDeployment, startTestPlatform, type TestPlatform } from "../../support/platform";
import { openPage, type OpenPage } from "./open-page";

describe("the threads on the page", () => {
  let t: TestPlatform;
  let page: OpenPage;
  let deployment: string;
  let server: AgentServer;
  before(async () => {
    t = await startTestPlatform({ driver: "process" });
    page = await openPage(t);
    const { id, url } = await t.create({ name: "support", ...anImageDeployment() });
    deployment = id;
    await t.untilRevision(id, "DEPLOYED");
    server = new AgentServer({ url: url ?? "" });
  });
  after(() => t.close());

  const list = () => `/deployments/${deployment}/threads`;
  const add = async (user: string) => {
    const { thread_id } = await server.threads.create({ metadata: { user } });
    return thread_id;
  };

  it("are found by the beginning or the end of an id, together with metadata", async () => {
    const [ada, ken] = [await add("ada"), await add("ken")];
    for (const part of [ada.slice(-12), ada.slice(0, 8), `user=ada ${ada.slice(-8)}`])
      for (const path of [list(), "/threads"]) {
        const { body } = await page.get(`${path}?metadata=${encodeURIComponent(part)}`);
        expect(body).to.contain(ada).and.not.contain(ken);
      }
    const { body } = await page.get(`${list()}?metadata=user%3Dken%20${ada.slice(-12)}`);
    expect(body).to.contain("No thread matches.");
  });

  it("are listed across deployments, and by status", async () => {
    const id = await add("grace");
    expect((await page.get("/threads")).body)
      .to.contain(id)
      .and.contain("support");
    expect((await page.get("/threads?status=idle")).body).to.contain(id);
    expect((await page.get("/threads?status=error")).body).to.contain("No thread matches.");
  });

  it("are live: a request to the agent server is followed by the new list and the new state", async () => {
    const id = await add("linus");
    for (const path of [list(), "/threads", `${list()}/${id}`]) {
      const closing = new AbortController();
      const headers = { cookie: page.cookie };
      const { signal } = closing;
      const response = await fetch(`${page.origin}/live${path}`, { headers, signal });
      const user = `live-${path.length}`;
      await server.threads.updateState(id, {
        values: { messages: [{ type: "human", content: user }] },
      });
      const wanted = path.endsWith(id) ? user : await add(user);
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

  it("that do not exist are a 404, with the server's words", async () => {
    const none = "00000000-0000-4000-8000-000000000000";
    const { status, body } = await page.get(`${list()}/${none}`);
    expect(status).to.equal(404);
    expect(body)
      .to.contain("There is no such thread.")
      .and.contain(`Thread with ID ${none} not found`);
    expect(body).not.to.contain("did not answer");
  });
});

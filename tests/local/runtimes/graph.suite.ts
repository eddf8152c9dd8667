import { once } from "node:events";
import { expect } from "chai";
import { WebSocket } from "ws";
import { LogPage } from "../../../sdk/schema";
import { contentsOf } from "../../support/agents";
import { until } from "../children";
import { revise, type DeployedAgent } from "../../support/deployed-agent";
import { question } from "../../support/runs";
import { parsed } from "../../support/values";

/** The behaviour of a graph's server that the process driver runs, of either kind. */
export function graphSuite(agent: () => DeployedAgent): void {
  it("runs with the deployment's variables, and the logs say by which server", async () => {
    const { client, language, rollout } = agent();
    const server = `the real ${language === "python" ? "Python" : "JavaScript"} server`;
    expect(rollout.build).to.include(`using ${server}`);
    expect(rollout.deploy).to.include(`starting ${server}`);
    const { thread_id } = await client.threads.create();
    const input = question("Where is my order 1042?");
    const values = await client.runs.wait(thread_id, { assistant_id: "agent", input });
    expect(contentsOf(values).at(-1)).to.equal("Your order 1042 is on its way. Answer 1 of Acme.");
  });

  it("has the WebSocket of a thread, which is closed with 1012 when a revision replaces its server", async function () {
    const { client, url, repository } = agent();
    const { thread_id } = await client.threads.create();
    const path = `${url.replace("http", "ws")}/threads/${thread_id}/stream/events`;
    const socket = new WebSocket(path);
    const closed = once(socket, "close");
    await once(socket, "open");
    socket.send("no JSON");
    const [answer] = await once(socket, "message");
    expect(JSON.parse(String(answer))).to.include({ type: "error" });
    await repository.commit({ "note.txt": "a new revision" });
    await revise(this, agent());
    const [code, reason] = await closed;
    expect([code, String(reason)]).to.deep.equal([1012, "the server is shutting down"]);
  }).timeout(900_000);

  it("logs a run that fails as an error, on every line", async () => {
    const { client, test, deploymentId } = agent();
    const { thread_id } = await client.threads.create();
    const input = question("Fail.");
    const { latest_revision_id: id } = await test.get(deploymentId);
    await client.runs.wait(thread_id, { assistant_id: "agent", input });
    const path = `/v2/deployments/${deploymentId}/revisions/${id}/logs?type=deploy&order=asc&limit=1000`;
    const find = async () => {
      const { logs } = parsed(LogPage, (await test.request("GET", path)).body);
      const first = logs.findIndex(({ message }) => message.includes("out of order"));
      return first === -1 ? [] : logs.slice(first);
    };
    await until("the error", async () => (await find()).length > 5);
    const lines = (await find()).filter(({ message }) => message.startsWith(" "));
    expect(lines.length).to.be.above(5);
    expect(lines.map(({ level }) => level)).to.deep.equal(lines.map(() => "ERROR"));
  });

  it("keeps its threads when the platform is started again, and goes on from there", async () => {
    const { client, test, url } = agent();
    const { thread_id } = await client.threads.create();
    const ask = async (content: string) => {
      const input = question(content);
      return contentsOf(await client.runs.wait(thread_id, { assistant_id: "agent", input }));
    };
    await ask("Where is my order 1042?");
    await test.restart();
    await until("its server's start", async () => (await fetch(`${url}/ok`)).ok);
    const texts = await ask("And what about 1043?");
    expect(texts).to.have.length(4);
    expect(texts.at(-1)).to.equal("Your order 1043 is on its way. Answer 2 of Acme.");
  });
}

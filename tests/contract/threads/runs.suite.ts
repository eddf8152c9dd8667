import { expect } from "chai";
import { TimeoutError } from "pulumi-agentserver/sdk";
import { z } from "zod";
import { contentsOf } from "../../support/agents";
import { rejection } from "../../support/rejection";
import { parsed } from "../../support/values";
import { aConversation, GRAPH, human, type Subject } from "./subject";

export function runsSuite(server: Subject): void {
  it("runs the graph on what was said before, and answers the values after it", async () => {
    const { thread_id } = await aConversation(server);
    const values = await server.client.runs.wait(thread_id, asking("Where is order 7?"));
    const texts = contentsOf(values);
    expect(texts.slice(0, 3)).to.deep.equal(["hello", "hi", "Where is order 7?"]);
    expect(texts[3]).to.match(/^Your order 7 is on its way\. Answer 2 of /);
    expect((await server.threads.state(thread_id)).values).to.deep.equal(values);
    expect((await server.threads.get(thread_id)).status).to.equal("idle");
    const [newest] = await server.threads.history(thread_id);
    expect(newest?.metadata).to.include({ source: "loop", ...GRAPH });
  });

  it("runs the graph on an empty thread, which is a thread of that graph from then on", async () => {
    const { thread_id } = await server.threads.create();
    const values = await server.client.runs.wait(thread_id, asking("Where is order 7?"));
    expect(contentsOf(values)).to.have.length(2);
    expect((await server.threads.get(thread_id)).metadata).to.include(GRAPH);
  });

  it("answers a run that failed like one that succeeded, with `__error__` in its values", async () => {
    const { thread_id } = await server.threads.create();
    const values = await server.client.runs.wait(thread_id, asking("Fail."));
    expect(JSON.stringify(values["__error__"])).to.contain("out of order");
  });

  it("cancels a run that is late, though heartbeats come, and one that ended stays as it is", async () => {
    const { thread_id } = await server.threads.create();
    const question = asking("Think.");
    // Until the server has named the run in time.
    for (let timeoutSeconds = 1; (await runsOf(thread_id)).length === 0; timeoutSeconds *= 2) {
      const run = server.client.runs.wait(thread_id, question, { timeoutSeconds });
      expect(await rejection(run)).to.be.instanceOf(TimeoutError);
    }
    const [run] = await runsOf(thread_id);
    expect(run?.status).to.equal("interrupted");
    await server.client.runs.cancel(thread_id, run?.run_id ?? "");
    expect((await server.threads.get(thread_id)).status).not.to.equal("busy");
  });

  const runsOf = async (threadId: string) =>
    parsed(Runs, (await server.send("GET", `/threads/${threadId}/runs`)).body);
}

const Runs = z.array(z.object({ run_id: z.string(), status: z.string() }));

const asking = (text: string) => ({ assistant_id: "agent", input: { messages: [human(text)] } });

import { expect } from "chai";
import { contentsOf } from "../../support/agents";
import { aConversation, GRAPH, human, type Subject } from "./subject";

const QUESTION = { assistant_id: "agent", input: { messages: [human("Where is order 7?")] } };

/** Runs, which the real servers have. */
export function runsSuite(server: Subject): void {
  it("runs the graph on what was said before, and answers the values after it", async () => {
    const { thread_id } = await aConversation(server);
    const values = await server.client.runs.wait(thread_id, QUESTION);
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
    const values = await server.client.runs.wait(thread_id, QUESTION);
    expect(contentsOf(values)).to.have.length(2);
    expect((await server.threads.get(thread_id)).metadata).to.include(GRAPH);
  });
}

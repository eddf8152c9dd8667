import { expect } from "chai";
import type { Props } from "../../../provider/arguments/props";
import { threadLifecycle as lifecycle } from "../../../provider/thread/operations";
import { contentsOf } from "../../support/agents";
import { contextOf } from "../../support/lifecycle";
import { ai, aMark, human, type Subject } from "./subject";

const NOWHERE = { url: "http://127.0.0.1:9", apiKey: "key", workspaceId: "nobody" };
const said = (asNode: string, ...messages: object[]) => ({
  updates: [{ asNode, values: { messages } }],
});

export function resourceSuite(server: Subject): void {
  const inputsOf = (more: Props): Props => ({
    deploymentUrl: server.url,
    graphId: "agent",
    supersteps: [said("__start__", human("hello")), said("agent", ai("hi"))],
    ...more,
  });
  const context = (warnings: string[] = []) => contextOf(NOWHERE, warnings);

  it("is where a Thread is created, read, changed, copied and deleted", async () => {
    const metadata = aMark();
    const inputs = inputsOf({ metadata });
    const { id, outs } = await lifecycle.create(inputs, context());
    const state = await server.threads.state(id);
    expect(contentsOf(state.values)).to.deep.equal(["hello", "hi"]);
    expect(outs["checkpointId"]).to.equal(state.checkpoint_id);
    const seen = await lifecycle.read(id, outs, context());
    const updatedAt = seen.props?.["updatedAt"];
    // The real servers report the time of the state only after the create.
    expect(seen).to.deep.include({ id, props: { ...outs, updatedAt }, inputs });

    const changed = { ...inputs, metadata: { ...metadata, tier: 1 } };
    const { outs: updated } = await lifecycle.update(id, outs, changed, context());
    const { checkpointId } = outs;
    expect(updated).to.deep.include({ metadata: changed.metadata, checkpointId });
    const { supersteps: _, ...rest } = inputs;
    const copy = await lifecycle.create({ ...rest, copyFrom: id }, context());
    expect((await server.threads.state(copy.id)).values).to.deep.equal(state.values);

    const warnings: string[] = [];
    for (const gone of [{ id, outs: updated }, copy])
      await lifecycle.delete(gone.id, gone.outs, context(warnings));
    expect(warnings).to.deep.equal([]);
    expect((await lifecycle.read(id, updated, context())).id).to.equal("");
  });
}

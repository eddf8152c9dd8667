import { isDeepStrictEqual } from "node:util";
import { AgentServer } from "../../sdk";
import type { Declared } from "./engine";
import type { Trial } from "./trial";
import type { Subject } from "./subject";

const TYPE = "pulumi-nodejs:dynamic/agentserver:Thread";
const URN = `urn:pulumi:test::shop::${TYPE}::fixture`;

/** A program of one thread on an agent server that serves other schedules too. */
export async function threadSubject({ world, workspace, random }: Trial): Promise<Subject> {
  const { threads } = new AgentServer({ url: world.agentServerUrl });
  const metadata: Record<string, string> = { schedule: workspace.workspaceId, label: "0" };
  let words: readonly string[] = ["Where is my order?"];

  const look = () => threads.search({ metadata: { schedule: workspace.workspaceId }, limit: 100 });
  const program = (): Declared[] => {
    const updates = words.map((content) => ({
      updates: [{ asNode: "__start__", values: { messages: [{ type: "human", content }] } }],
    }));
    const inputs = { deploymentUrl: world.agentServer.url, graphId: "agent", supersteps: updates };
    return [
      {
        urn: URN,
        kind: "thread",
        inputs: { ...inputs, metadata: { ...metadata }, __urn: URN, __provider: "text" },
        deleteBeforeReplace: true,
      },
    ];
  };
  return {
    program,
    change() {
      // Few values, so that changes are taken back too.
      if (random.chance(0.4)) metadata["label"] = String(random.below(3));
      else words = random.pick([["Where is my order?"], ["And the other?"], ["One", "Two"]]);
      return `label ${metadata["label"]}, ${words.join(" ")}`;
    },
    async disturb() {
      const [thread] = await look();
      if (thread === undefined) return undefined;
      if (random.chance(0.3)) {
        await threads.delete(thread.thread_id);
        return "deletes the thread";
      }
      await threads.update(thread.thread_id, { metadata: { label: "theirs" } });
      return "changes the metadata";
    },
    doom: async () => undefined,
    repair: () => undefined,
    obey: async (error) => (error.includes("run `pulumi refresh`") ? "pulumi refresh" : undefined),
    before: async () => undefined,
    wrongAfterUp: async () => [],
    async wrongAtRest(state) {
      const there = await look();
      const ids = state.map(({ id }) => id).toSorted();
      const seen = there.map(({ thread_id: id }) => id).toSorted();
      const wrong =
        ids.join() === seen.join()
          ? []
          : [`the state holds ${ids.join()}, the server ${seen.join()}`];
      for (const thread of there) {
        const { values } = await threads.state(thread.thread_id);
        const said = (values.messages ?? []).map(({ content }) => content);
        if (!isDeepStrictEqual(said, words))
          wrong.push(`declared ${words.join()}, there ${JSON.stringify(said)}`);
        if (thread.metadata["label"] !== metadata["label"])
          wrong.push(
            `label: declared ${metadata["label"]}, there ${String(thread.metadata["label"])}`,
          );
      }
      return wrong;
    },
    leftovers: async () => (await look()).map(({ thread_id: id }) => `thread ${id}`),
  };
}

import { isDeepStrictEqual } from "node:util";
import { recordOf } from "../../shared/records";
import { AgentServer, NotFound, type Thread } from "../../sdk";
import type { Declared } from "./provider";
import { adviceIn, declarationOf, PLAIN, type Subject } from "./subject";
import type { Trial } from "./trial";

/** The program's declaration. */
interface Wish {
  metadata: Record<string, string>;
  words: readonly string[];
  /** The thread that it is a copy of. */
  copyFrom: string | undefined;
}

/** A thread on an agent server that serves other schedules too. */
export async function threadSubject(trial: Trial): Promise<Subject> {
  const { environment, workspace, conditions } = trial;
  const metadata = { schedule: workspace.workspaceId, label: "0" };
  const words = ["Where is my order?"];
  const isCopy = conditions.lostCopies !== undefined;
  const copyFrom = isCopy
    ? await original(environment.agentServerUrl, workspace, words)
    : undefined;
  return subjectOf(trial, { metadata, words, copyFrom });
}

/** A thread of others, whose copies have its metadata until they are marked. */
async function original(url: string, { workspaceId }: Trial["workspace"], words: string[]) {
  const { threads } = new AgentServer({ url });
  const metadata = { copied: workspaceId };
  const supersteps = words.map((word) => ({
    updates: [{ ...updateOf(word), as_node: "__start__" }],
  }));
  const { thread_id: id } = await threads.create({ metadata, supersteps });
  ORIGINALS.add(id);
  return id;
}

/** The ids of all of them. */
const ORIGINALS = new Set<string>();

function updateOf(content: string) {
  return { values: { messages: [{ type: "human", content }] } };
}

function subjectOf(trial: Trial, wish: Wish): Subject {
  const { environment, workspace, place, isOthers } = trial;
  const { threads } = new AgentServer({ url: environment.agentServerUrl });
  const all = async () => {
    const search = (metadata: Record<string, string>) => threads.search({ metadata, limit: 100 });
    const own = await search({ schedule: workspace.workspaceId });
    const copies = await search({ copied: workspace.workspaceId });
    const others = copies.filter(
      ({ metadata, thread_id: id }) => !metadata["schedule"] && !ORIGINALS.has(id),
    );
    return [...own, ...others];
  };
  const said = async ({ thread_id: id }: Thread): Promise<unknown[]> => {
    const { values } = await threads.state(id);
    return (values.messages ?? []).map(({ content }) => content);
  };
  const declared = (): Declared => {
    const supersteps = wish.words.map((content) => ({
      updates: [{ ...updateOf(content), asNode: "__start__" }],
    }));
    const { copyFrom } = wish;
    const content = copyFrom === undefined ? { graphId: "agent", supersteps } : { copyFrom };
    const deploymentUrl = environment.agentServer.url;
    const metadata = { ...wish.metadata };
    return declarationOf("thread", place, { deploymentUrl, ...content, metadata });
  };
  return {
    ...PLAIN,
    declared,
    ignorable: ["metadata"],
    twin: (other) => subjectOf(other, { ...wish, metadata: { ...wish.metadata } }),
    change(how) {
      // Few values, so that changes are taken back too.
      if (how.chance(0.4) || wish.copyFrom !== undefined)
        wish.metadata["label"] = String(how.below(3));
      else wish.words = how.pick([["Where is my order?"], ["And the other?"], ["One", "Two"]]);
      return `label ${wish.metadata["label"]}, ${wish.words.join(" ")}`;
    },
    isReplacing: ({ supersteps }) =>
      !isDeepStrictEqual(supersteps ?? undefined, declared().inputs["supersteps"]),
    // A thread's id is derived, so that nobody makes it by chance.
    createConflicting: async () => undefined,
    async shown(id) {
      const found = (await all()).find(({ thread_id }) => thread_id === id);
      return found?.metadata;
    },
    async drift() {
      const [thread] = (await all()).filter(({ thread_id: id }) => !isOthers(id));
      if (thread === undefined) return undefined;
      await threads.update(thread.thread_id, { metadata: { label: "theirs" } });
      return "changes the metadata";
    },
    async use(id) {
      const message = { type: "human", content: "And when does it come?" };
      await threads.updateState(id, { values: { messages: [message] }, as_node: "__start__" });
      return `talks in thread ${id}`;
    },
    followAdvice: async (error) => adviceIn(error),
    async wrongAtRest(stored) {
      const wrong: string[] = [];
      const { words, metadata } = wish;
      for (const thread of await all()) {
        if (stored.id !== thread.thread_id) continue;
        const there = await said(thread);
        if (!isDeepStrictEqual(there, words))
          wrong.push(`declared ${words.join()}, there ${JSON.stringify(there)}`);
        if (thread.metadata["label"] !== metadata["label"])
          wrong.push(
            `label: declared ${metadata["label"]}, there ${String(thread.metadata["label"])}`,
          );
      }
      return wrong;
    },
    async isLike(inputs, id) {
      const thread = await threads.get(id).catch((error: unknown) => {
        if (error instanceof NotFound) return undefined;
        throw error;
      });
      if (thread === undefined) return false;
      const metadata = recordOf(inputs["metadata"]);
      const words = JSON.stringify(inputs["supersteps"] ?? []).matchAll(/"content":"([^"]*)"/g);
      const written = [...words].map(([, word]) => word);
      const there = await said(thread);
      return (
        Object.entries(metadata).every(([name, value]) => thread.metadata[name] === value) &&
        isDeepStrictEqual(there, written.slice(0, there.length))
      );
    },
    live: async () => (await all()).map(({ thread_id: id }) => id),
    remove: (id) =>
      threads.delete(id).catch((error: unknown) => {
        if (!(error instanceof NotFound)) throw error;
      }),
  };
}

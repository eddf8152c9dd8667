import { type Assistant, AgentServer, NotFound } from "../../sdk";
import { MARK } from "../../provider/gate/run";
import { recordOf } from "../../shared/records";
import type { Declared } from "./provider";
import type { Random } from "./random";
import { adviceIn, declarationOf, optionIn, PLAIN, type Subject } from "./subject";
import type { Trial } from "./trial";

/** The declaration. */
interface Wish {
  description: string;
  model: string;
  label: string;
  adoptExisting: boolean;
  isGated: boolean;
}

/** An assistant on an agent server that serves other schedules too; its gate, where it has one, is passed if nothing fails. */
export async function assistantSubject(trial: Trial, shape: Random): Promise<Subject> {
  return subjectOf(trial, {
    description: "0",
    model: "a",
    label: "0",
    adoptExisting: false,
    isGated: shape.chance(0.5),
  });
}

function subjectOf(trial: Trial, wish: Wish): Subject {
  const { environment, workspace, place, isOthers } = trial;
  const { assistants } = new AgentServer({ url: environment.agentServerUrl });
  const mark = { schedule: workspace.workspaceId };
  let before = new Map<string, number>();
  const all = async (): Promise<Assistant[]> => {
    const found: Assistant[] = [];
    for await (const one of assistants.searchAll({ metadata: mark })) found.push(one);
    return found;
  };
  /** What is left of gates whose assistant is gone: nothing deletes it any more. */
  const leftOfGates = async (): Promise<string[]> => {
    const there = (await all()).map(({ assistant_id: id }) => id);
    const left: string[] = [];
    for await (const one of assistants.searchAll({ metadata: MARK }))
      if (recordOf(one.context)["schedule"] === mark.schedule)
        if (!there.includes(String(one.metadata["pulumi_gate"]))) left.push(one.assistant_id);
    return left;
  };
  const declared = (): Declared => {
    const { description, model, label, adoptExisting, isGated } = wish;
    return declarationOf("assistant", place, {
      deploymentUrl: environment.agentServer.url,
      graphId: "agent",
      description,
      context: { model, ...mark },
      ...(isGated && { gate: { runs: [{ input: {}, expect: { equals: model } }] } }),
      metadata: { ...mark, label },
      ...(adoptExisting && { adoptExisting }),
    });
  };
  const isReached = ({ description, context, metadata }: Assistant): boolean =>
    description === wish.description &&
    recordOf(context)["model"] === wish.model &&
    metadata["label"] === wish.label;
  return {
    ...PLAIN,
    declared,
    ignorable: ["description"],
    twin: (other) => subjectOf(other, { ...wish }),
    change(how) {
      const value = String(how.below(3));
      if (how.chance(0.3)) wish.isGated = !wish.isGated;
      if (how.chance(0.4)) wish.description = value;
      else if (how.chance(0.5)) wish.label = value;
      else wish.model = how.pick(["a", "b", "c"]);
      return `description ${wish.description}, model ${wish.model}, label ${wish.label}, gate ${wish.isGated}`;
    },
    // An assistant's id is derived, so that nobody makes it by chance.
    createConflicting: async () => undefined,
    shown: async (id) => (await all()).find(({ assistant_id }) => assistant_id === id),
    async drift() {
      const [own] = (await all()).filter(({ assistant_id: id }) => !isOthers(id));
      if (own === undefined) return undefined;
      await assistants.update(own.assistant_id, { description: "theirs" });
      return "changes the description";
    },
    toggleAdoption: () => `adoptExisting: ${(wish.adoptExisting = !wish.adoptExisting)}`,
    adopts: () => wish.adoptExisting,
    async followAdvice(error) {
      const option = optionIn(error);
      if (option !== undefined) return option;
      if (error.includes("set adoptExisting: true")) {
        wish.adoptExisting = true;
        return "adoptExisting: true";
      }
      return adviceIn(error);
    },
    settle() {
      const { adoptExisting } = wish;
      wish.adoptExisting = false;
      return adoptExisting;
    },
    async before() {
      before = new Map((await all()).map(({ assistant_id: id, version }) => [id, version]));
    },
    async wrongAfterUp({ allowance }) {
      const own = (await all()).filter(({ assistant_id: id }) => !isOthers(id));
      // A create is one version, and what it adopts one more at the most.
      return own
        .filter(({ assistant_id: id, version }) => version - (before.get(id) ?? 0) > 1 + allowance)
        .map(({ assistant_id: id }) => `more than one version of ${id} was made`);
    },
    async wrongAtRest(stored) {
      const found = (await all()).find(({ assistant_id: id }) => stored.id === id);
      return found === undefined || isReached(found)
        ? []
        : [`declared ${JSON.stringify(wish)}, there ${JSON.stringify(found)}`];
    },
    async isLike(inputs, id) {
      const found = (await all()).find(({ assistant_id }) => assistant_id === id);
      const { description, context, metadata } = inputs;
      return (
        found?.description === description &&
        recordOf(found?.context)["model"] === recordOf(context)["model"] &&
        found?.metadata["label"] === recordOf(metadata)["label"]
      );
    },
    live: async () => [
      ...(await all()).map(({ assistant_id: id }) => id),
      ...(await leftOfGates()),
    ],
    remove: (id) =>
      assistants.delete(id).catch((error: unknown) => {
        if (!(error instanceof NotFound)) throw error;
      }),
  };
}

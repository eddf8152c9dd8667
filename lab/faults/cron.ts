import { type Cron, AgentServer, NotFound } from "../../sdk";
import { defaultAssistantId } from "../../sdk/schema";
import { recordOf } from "../../shared/records";
import type { Declared } from "./provider";
import { adviceIn, declarationOf, optionIn, PLAIN, type Subject } from "./subject";
import type { Trial } from "./trial";

/** The declaration. */
interface Wish {
  graphId: string;
  schedule: string;
  word: string;
  label: string;
  adoptExisting: boolean;
}

/** A cron on an agent server that serves other schedules too. */
export async function cronSubject(trial: Trial): Promise<Subject> {
  const wish = { graphId: "agent", schedule: "0 9 * * *", word: "a", label: "0" };
  return subjectOf(trial, { ...wish, adoptExisting: false });
}

function subjectOf(trial: Trial, wish: Wish): Subject {
  const { environment, workspace, place, isOthers } = trial;
  const { crons } = new AgentServer({ url: environment.runsUrl });
  const mark = { schedule: workspace.workspaceId };
  const all = async (): Promise<Cron[]> => {
    const found: Cron[] = [];
    for await (const one of crons.searchAll({ metadata: mark })) found.push(one);
    return found;
  };
  const find = async (id: string) => (await all()).find(({ cron_id }) => cron_id === id);
  const declared = (): Declared => {
    const { graphId, schedule, word, label, adoptExisting } = wish;
    return declarationOf("cron", place, {
      deploymentUrl: environment.agentServer.url,
      graphId,
      schedule,
      input: { word },
      metadata: { ...mark, label },
      ...(adoptExisting && { adoptExisting }),
    });
  };
  const has = (cron: Cron | undefined, inputs: Readonly<Record<string, unknown>>): boolean =>
    cron?.assistant_id === defaultAssistantId(String(inputs["graphId"])) &&
    cron.schedule === inputs["schedule"] &&
    recordOf(cron.input)["word"] === recordOf(inputs["input"])["word"] &&
    cron.metadata["label"] === recordOf(inputs["metadata"])["label"];
  return {
    ...PLAIN,
    declared,
    ignorable: ["schedule"],
    twin: (other) => subjectOf(other, { ...wish }),
    change(how, isUnfinished) {
      if (!isUnfinished && how.chance(0.2)) wish.graphId = how.pick(["agent", "other"]);
      else if (how.chance(0.4)) wish.schedule = how.pick(["0 9 * * *", "@daily", "* * * * * */5"]);
      else if (how.chance(0.5)) wish.label = String(how.below(3));
      else wish.word = how.pick(["a", "b", "c"]);
      return JSON.stringify(wish);
    },
    isReplacing: ({ graphId }) => graphId !== wish.graphId,
    // The server chooses the id, and nobody makes the mark by chance.
    createConflicting: async () => undefined,
    shown: find,
    async drift() {
      const [own] = (await all()).filter(({ cron_id: id }) => !isOthers(id));
      if (own === undefined) return undefined;
      await crons.update(own.cron_id, { schedule: "0 0 1 1 *" });
      return "changes the schedule";
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
    async wrongAtRest(stored) {
      const found = stored.id === undefined ? undefined : await find(stored.id);
      return found === undefined || has(found, declared().inputs)
        ? []
        : [`declared ${JSON.stringify(wish)}, there ${JSON.stringify(found)}`];
    },
    isLike: async (inputs, id) => has(await find(id), inputs),
    live: async () => (await all()).map(({ cron_id: id }) => id),
    remove: (id) =>
      crons.delete(id).catch((error: unknown) => {
        if (!(error instanceof NotFound)) throw error;
      }),
  };
}

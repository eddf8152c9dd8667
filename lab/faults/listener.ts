import { z } from "zod";
import type { Listener } from "../../sdk";
import { textOf } from "../../shared/records";
import type { Declared } from "./provider";
import { isOfOthers } from "./others";
import { declarationOf, followKeyAdvice, PLAIN, type Subject } from "./subject";
import type { Trial } from "./trial";

/** The program's declaration. */
interface Wish {
  computeId: string;
  namespaces: readonly string[];
}

const Inputs = z.object({
  computeId: z.string(),
  computeConfig: z.object({ k8sNamespaces: z.array(z.string()) }),
});

/** A listener; the workspace has another one, named `local`. */
export async function listenerSubject(trial: Trial): Promise<Subject> {
  return subjectOf(trial, { computeId: `${trial.place.logicalName}-0`, namespaces: ["agents"] });
}

function subjectOf(trial: Trial, wish: Wish): Subject {
  const { workspace, random, place, ownName, isOthers } = trial;
  const all = async () => {
    const own: Listener[] = [];
    for await (const listener of workspace.client.listeners.list())
      if (listener.compute_id !== "local" && !isOfOthers(listener.compute_id)) own.push(listener);
    return own;
  };
  const look = async () => (await all()).filter(({ id }) => !isOthers(id));
  const declared = (): Declared => {
    const { computeId, namespaces } = wish;
    const args = { computeType: "k8s", computeId, computeConfig: { k8sNamespaces: namespaces } };
    return declarationOf("listener", place, args);
  };
  return {
    ...PLAIN,
    declared,
    ignorable: ["computeConfig"],
    twin: (other) => subjectOf(other, { ...wish }),
    change(how, isUnfinished) {
      const count = how.below(3);
      if (!isUnfinished && how.chance(0.3)) wish.computeId = `${place.logicalName}-${count}`;
      else wish.namespaces = how.pick([["agents"], ["agents", "more"], [`only-${count}`]]);
      return `${wish.computeId}, ${wish.namespaces.join()}`;
    },
    isReplacing: ({ computeId }) => computeId !== wish.computeId,
    nameIn: ({ computeId }) => textOf(computeId),
    take: (name) => `computeId: ${(wish.computeId = name)}`,
    async createConflicting() {
      const before = (await all()).map(({ id }) => id);
      const compute_config = { k8s_namespaces: ["theirs"] };
      const body = { compute_type: "k8s", compute_id: wish.computeId, compute_config };
      await workspace.send("POST", "/v2/listeners", body);
      return (await all()).find(({ id }) => !before.includes(id))?.id;
    },
    async shown(id) {
      const found = (await all()).find((listener) => listener.id === id);
      return found && { ...found, updated_at: undefined };
    },
    async drift() {
      const [listener] = await look();
      if (listener === undefined) return undefined;
      const path = `/v2/listeners/${listener.id}`;
      const body = { compute_config: { k8s_namespaces: ["theirs"] } };
      return `changes the namespaces: ${await workspace.send("PATCH", path, body)}`;
    },
    followAdvice: (error, state) =>
      followKeyAdvice(error, /listener (\S+) exists for this compute/.exec(error)?.[1], {
        isOthers,
        rename: (id) => `computeId: ${(wish.computeId = id === ownName ? `${id}-next` : ownName)}`,
        imports: () => state.length === 0 && random.chance(0.5),
        remove: async (id) =>
          `deletes listener ${id}: ${await workspace.send("DELETE", `/v2/listeners/${id}`)}`,
      }),
    async wrongAtRest(stored) {
      const wanted = wish.namespaces.toSorted().join();
      return (await all())
        .filter(({ id }) => stored.id === id)
        .map(({ compute_config: { k8s_namespaces: found } }) => (found ?? []).toSorted().join())
        .filter((found) => found !== wanted)
        .map((found) => `compute_config: declared ${wanted}, there ${found}`);
    },
    async isLike(inputs, id) {
      const { computeId, computeConfig } = Inputs.parse(inputs);
      const found = (await all()).find((listener) => listener.id === id);
      const namespaces = found?.compute_config.k8s_namespaces ?? [];
      return (
        found?.compute_id === computeId &&
        namespaces.toSorted().join() === computeConfig.k8sNamespaces.toSorted().join()
      );
    },
    live: async () => (await all()).map(({ id }) => id),
    remove: async (id) => void (await workspace.send("DELETE", `/v2/listeners/${id}`)),
  };
}

import { z } from "zod";
import { ListenersList } from "../../sdk/schema";
import type { Declared } from "./engine";
import { aliasIn, type Subject } from "./subject";
import { type Trial, urnOf } from "./trial";

/** The program's declaration. */
interface Wish {
  computeId: string;
  namespaces: readonly string[];
  deletesFirst: boolean;
  aliases: readonly string[];
}

const Inputs = z.object({
  computeId: z.string(),
  computeConfig: z.object({ k8sNamespaces: z.array(z.string()) }),
});

/** A program of one listener; the workspace has another one, named `local`. */
export async function listenerSubject(trial: Trial): Promise<Subject> {
  const { random, place } = trial;
  const deletesFirst = place.door === "dynamic" || random.chance(0.5);
  return subjectOf(trial, {
    computeId: "cluster-0",
    namespaces: ["agents"],
    deletesFirst,
    aliases: [],
  });
}

function subjectOf(trial: Trial, wish: Wish): Subject {
  const { workspace, random, place, ownName, isOthers } = trial;
  const all = async () => {
    const { resources } = await workspace.get(ListenersList, "/v2/listeners?limit=100");
    return resources.filter(({ compute_id }) => compute_id !== "local");
  };
  const look = async () => (await all()).filter(({ id }) => !isOthers(id));
  const program = (): Declared[] => {
    const { computeId, namespaces, aliases } = wish;
    const urn = urnOf(place, "Listener", "cluster");
    const inputs = { computeType: "k8s", computeId, computeConfig: { k8sNamespaces: namespaces } };
    return [
      {
        urn,
        kind: "listener",
        inputs: { ...inputs, __urn: urn, __provider: "text" },
        deleteBeforeReplace: wish.deletesFirst || undefined,
        aliases,
      },
    ];
  };
  return {
    program,
    twin: (other) => subjectOf(other, { ...wish, aliases: [] }),
    change(isUnfinished) {
      const count = random.below(3);
      if (!isUnfinished && random.chance(0.3)) wish.computeId = `cluster-${count}`;
      else wish.namespaces = random.pick([["agents"], ["agents", "more"], [`only-${count}`]]);
      return `${wish.computeId}, ${wish.namespaces.join()}`;
    },
    async disturb() {
      const [listener] = await look();
      if (listener === undefined) return undefined;
      const path = `/v2/listeners/${listener.id}`;
      if (random.chance(0.3))
        return `deletes the listener: ${await workspace.send("DELETE", path)}`;
      const body = { compute_config: { k8s_namespaces: ["theirs"] } };
      return `changes the namespaces: ${await workspace.send("PATCH", path, body)}`;
    },
    doom: async () => undefined,
    use: async () => undefined,
    repair: () => undefined,
    async obey(error, state) {
      const id = /listener (\S+) exists for this compute/.exec(error)?.[1];
      const alias = aliasIn(error);
      if (id !== undefined && isOthers(id)) return `computeId: ${(wish.computeId = ownName)}`;
      if (alias !== undefined) return `aliases: ${(wish.aliases = [alias]).join()}`;
      if (error.includes("deleteBeforeReplace: true")) {
        wish.deletesFirst = true;
        return "deleteBeforeReplace: true";
      }
      const isImported = error.includes("run `pulumi import") && state.length === 0;
      if (id !== undefined && isImported && random.chance(0.5)) return `pulumi import ${id}`;
      if (id !== undefined)
        return `deletes listener ${id}: ${await workspace.send("DELETE", `/v2/listeners/${id}`)}`;
      return error.includes("run `pulumi refresh`") ? "pulumi refresh" : undefined;
    },
    settle: () => false,
    before: async () => undefined,
    wrongAfterUp: async () => [],
    async wrongAtRest(state) {
      const wanted = wish.namespaces.toSorted().join();
      return (await all())
        .filter(({ id }) => state.some((stored) => stored.id === id))
        .map(({ compute_config: { k8s_namespaces: found } }) => (found ?? []).toSorted().join())
        .filter((found) => found !== wanted)
        .map((found) => `namespaces: declared ${wanted}, there ${found}`);
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

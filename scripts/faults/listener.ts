import { ListenersList } from "../../sdk/schema";
import type { Declared } from "./engine";
import type { Trial } from "./trial";
import type { Subject } from "./subject";

const TYPE = "pulumi-nodejs:dynamic/agentserver:Listener";
const URN = `urn:pulumi:test::shop::${TYPE}::cluster`;

/** A program of one listener; the workspace has another one, named `local`. */
export async function listenerSubject({ workspace, random }: Trial): Promise<Subject> {
  let computeId = "cluster-0";
  let namespaces: readonly string[] = ["agents"];

  const look = async () => {
    const { resources } = await workspace.get(ListenersList, "/v2/listeners?limit=100");
    return resources.filter(({ compute_id }) => compute_id !== "local");
  };
  const program = (): Declared[] => {
    const inputs = { computeType: "k8s", computeId, computeConfig: { k8sNamespaces: namespaces } };
    return [{ urn: URN, kind: "listener", inputs: { ...inputs, __urn: URN, __provider: "text" } }];
  };
  return {
    program,
    change(isUnfinished) {
      const count = random.below(3);
      if (!isUnfinished && random.chance(0.3)) computeId = `cluster-${count}`;
      else namespaces = random.pick([["agents"], ["agents", "more"], [`only-${count}`]]);
      return `${computeId}, ${namespaces.join()}`;
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
    repair: () => undefined,
    async obey(error) {
      const id = /listener (\S+) exists for this compute/.exec(error)?.[1];
      if (id !== undefined)
        return `deletes listener ${id}: ${await workspace.send("DELETE", `/v2/listeners/${id}`)}`;
      return error.includes("run `pulumi refresh`") ? "pulumi refresh" : undefined;
    },
    before: async () => undefined,
    wrongAfterUp: async () => [],
    async wrongAtRest(state) {
      const there = await look();
      const ids = state.map(({ id }) => id).toSorted();
      const seen = there.map(({ id }) => id).toSorted();
      const wanted = namespaces.toSorted().join();
      return [
        ...(ids.join() === seen.join()
          ? []
          : [`the state holds ${ids.join()}, the service ${seen.join()}`]),
        ...there
          .map(({ compute_config: { k8s_namespaces: found } }) => (found ?? []).toSorted().join())
          .filter((found) => found !== wanted)
          .map((found) => `namespaces: declared ${wanted}, there ${found}`),
      ];
    },
    leftovers: async () => (await look()).map(({ id }) => `listener ${id}`),
  };
}

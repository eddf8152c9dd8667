import type { Listener } from "../../../sdk";
import type { Settings } from "../../../settings/settings";
import { type Camel, camelKeys } from "../../arguments/casing";
import { type Present, present } from "../../arguments/props";
import { collect, findOne, notBoth } from "../list";
import type { FunctionDeclaration } from "../invoke";

/** Arguments of `getListener`: an id or a compute id, or neither where the workspace has exactly one listener. */
export interface GetListenerArgs {
  /**
   * The id of the listener, a UUID.
   * @default the only listener
   */
  readonly id?: string | undefined;
  /**
   * The id of the compute. A workspace has at most one listener for each.
   * @default the only listener
   */
  readonly computeId?: string | undefined;
}

/** A listener on the service. Its `id` is the `listenerId` of a deployment. */
export interface GetListenerResult {
  /** A UUID. */
  readonly id: string;
  /** The type of the compute, for example `k8s`. */
  readonly computeType: string;
  /** The id of the compute. */
  readonly computeId: string;
  /** For `k8s` the namespaces that deployments may be placed in. */
  readonly computeConfig: Present<Camel<Listener["compute_config"]>>;
  /** The workspace that owns the listener, a UUID. */
  readonly tenantId: string;
  /** The URL of the control plane that the listener lives on. */
  readonly baseUrl: string;
  /** The version that runs in the cluster; null while the service reports none. */
  readonly version: string | null;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601. */
  readonly updatedAt: string;
}

export const getListener: FunctionDeclaration<GetListenerArgs, GetListenerResult> = {
  name: "getListener",
  service: "control plane",
  list: undefined,
  schema: ({ uuid, text }) => ({ id: uuid.optional(), computeId: text.optional() }),
  rules: [notBoth("computeId")],
  subject: ({ id, computeId }) => id ?? computeId,
  async find({ id, computeId }, { client, settings }) {
    const listeners = await collect(client.listeners.list());
    const results = listeners.map((listener) => toResult(listener, settings));
    const { workspaceId } = settings;
    const kind = { plural: "listeners", label: "computeId", workspaceId } as const;
    return findOne(results, kind, { id, label: computeId });
  },
};

export const listListeners: FunctionDeclaration<object, GetListenerResult[]> = {
  name: "listListeners",
  service: "control plane",
  list: "listeners",
  schema: () => ({}),
  find: async (_, { client, settings }) =>
    (await collect(client.listeners.list())).map((listener) => toResult(listener, settings)),
};

function toResult(
  { compute_config: config, version, ...listener }: Listener,
  { baseUrl, workspaceId }: Settings,
): GetListenerResult {
  return {
    ...camelKeys(listener),
    computeConfig: present(camelKeys(config)),
    version: version ?? null,
    tenantId: workspaceId,
    baseUrl,
  };
}

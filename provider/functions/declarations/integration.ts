import { camelKeys } from "../../arguments/casing";
import { findOne, notBoth } from "../list";
import type { FunctionDeclaration } from "../invoke";

/** Arguments of `getIntegration`: an id or a name, or neither where the workspace has exactly one integration. */
export interface GetIntegrationArgs {
  /**
   * The id of the integration, a UUID.
   * @default the only integration
   */
  readonly id?: string | undefined;
  /**
   * The whole name of the integration.
   * @default the only integration
   */
  readonly name?: string | undefined;
}

/** A git host that the workspace may clone from. Its `id` is the `integrationId` of a deployment. */
export interface GetIntegrationResult {
  /** A UUID. */
  readonly id: string;
  /** The id of the installation at the git host. */
  readonly installationId: number;
  /** The name that people know the integration by. */
  readonly name: string;
}

export const getIntegration: FunctionDeclaration<GetIntegrationArgs, GetIntegrationResult> = {
  name: "getIntegration",
  service: "control plane",
  list: undefined,
  schema: ({ uuid, text }) => ({ id: uuid.optional(), name: text.optional() }),
  rules: [notBoth("name")],
  subject: ({ id, name }) => id ?? name,
  async find({ id, name }, { client, settings: { workspaceId } }) {
    const integrations = (await Array.fromAsync(client.integrations.list())).map(camelKeys);
    const kind = { plural: "integrations", label: "name", workspaceId } as const;
    return findOne(integrations, kind, { id, label: name });
  },
};

export const listIntegrations: FunctionDeclaration<object, GetIntegrationResult[]> = {
  name: "listIntegrations",
  service: "control plane",
  list: "integrations",
  schema: () => ({}),
  find: async (_, { client }) => (await Array.fromAsync(client.integrations.list())).map(camelKeys),
};

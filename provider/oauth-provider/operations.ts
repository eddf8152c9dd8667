import { type ControlPlane, NotFound, type OAuthProvider } from "../../sdk";
import { NotOfferedError } from "../../sdk/errors";
import { CreateOAuthProvider, UpdateOAuthProvider } from "../../sdk/schema";
import { known } from "../arguments/decode";
import { controlPlaneLifecycle } from "../resource/control-plane-lifecycle";
import { RESOURCE_TYPES } from "../resource-types";
import { difference, oauthProviderArguments } from "./diff";

/** The lifecycle of an `OAuthProvider`. Its id is its slug, by which the service gets, updates and deletes it. */
export const oauthProviderLifecycle = controlPlaneLifecycle(RESOURCE_TYPES.OAuthProvider, {
  arguments: oauthProviderArguments,
  key: "providerId",
  isId: true,
  secretsOf: ({ clientSecret }) => [known(clientSecret)],
  outputs: ["organizationId", "mcpServerUrl", "isDynamicClient", "createdAt", "updatedAt"],
  bodies: { create: CreateOAuthProvider, update: UpdateOAuthProvider },
  requests: ({ oauthProviders }) => oauthProviders,
  find: bySlug,
  difference: (_id, olds, news) => difference(olds, news),
  describeReplacement: () =>
    "a workspace has one provider for each providerId, so this needs the option deleteBeforeReplace: true",
  exists: "exists with this providerId, and a workspace has one for each",
  reading: (slug) => `OAuthProvider.get(name, "${slug}")`,
});

/** A 404 may mean that the path has no handler: the list then shows whether there are providers. */
async function bySlug(client: ControlPlane, slug: string): Promise<OAuthProvider | undefined> {
  try {
    return await client.oauthProviders.get(slug);
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    if (!(error instanceof NotOfferedError)) throw error;
    return (await Array.fromAsync(client.oauthProviders.list())).find(
      ({ provider_id: id }) => id === slug,
    );
  }
}

import { z } from "zod";
import * as deployment from "./deployment";
import * as listener from "./listener";
import * as oauth from "./oauth-provider";
import * as revision from "./revision";

// Response bodies as a client reads them: to go on, it needs the identity of what they are about. The rest may be absent,
// where a service does not show it, or shows it in another type (`readResponse`).

/** A status or a time: an empty one says nothing. */
const Text = z.string().default("");

/** A deployment as a client reads it. */
export const Deployment = deployment.Deployment.partial({ tenant_id: true, source: true }).extend({
  source_config: deployment.SourceConfig.default({}),
  source_revision_config: revision.SourceRevisionConfig.default({}),
  status: Text,
  created_at: Text,
  updated_at: Text,
});
export type Deployment = z.infer<typeof Deployment>;
export const DeploymentsList = pageOf(Deployment);
export type DeploymentsList = z.infer<typeof DeploymentsList>;

/** A revision as a client reads it. */
export const Revision = revision.Revision.extend({ status: Text });
export type Revision = z.infer<typeof Revision>;
export const RevisionsList = pageOf(Revision);
export type RevisionsList = z.infer<typeof RevisionsList>;

/** A listener as a client reads it. */
export const Listener = listener.Listener.partial({ compute_type: true }).extend({
  compute_config: listener.Listener.shape.compute_config.default({}),
  created_at: Text,
  updated_at: Text,
});
export type Listener = z.infer<typeof Listener>;
export const ListenersList = pageOf(Listener);

/** An OAuth provider as a client reads it. */
export const OAuthProvider = oauth.OAuthProvider.partial().extend({
  id: oauth.OAuthProvider.shape.id,
  provider_id: oauth.OAuthProvider.shape.provider_id,
  organization_id: Text,
  created_at: Text,
  updated_at: Text,
});
export type OAuthProvider = z.infer<typeof OAuthProvider>;
export const OAuthProvidersList = z.array(OAuthProvider);

function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ resources: z.array(item), offset: z.int().nullish() });
}

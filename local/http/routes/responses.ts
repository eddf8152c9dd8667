import { z } from "@hono/zod-openapi";
import * as wire from "../../../sdk/schema";
import { DEPLOYMENT_STATUSES, REVISION_STATUSES } from "../../../sdk/status";

// Response bodies, under their names in `/openapi.json`. A client accepts missing fields; this server sends all of
// them, with null for those that were never set.

const Time = z.iso.datetime();

const ResourceSpec = wire.ResourceSpec.required().openapi("ResourceSpec");
const SourceRevisionConfig = wire.SourceRevisionConfig.required().openapi("SourceRevisionConfig");
const SourceConfig: z.ZodType<wire.SourceConfig> = wire.SourceConfig.required()
  .extend({
    deployment_type: wire.DeploymentType.nullable(),
    listener_config: wire.ListenerConfig.required().nullable(),
    resource_spec: ResourceSpec.nullable(),
  })
  .openapi("SourceConfig");

/** A deployment in a response. The dialect `agentserver` leaves out what the contract has not. */
export const Deployment = wire.Deployment.required()
  .extend({
    id: z.guid(),
    tenant_id: z.guid(),
    display_name: wire.Deployment.shape.display_name,
    source: wire.Source,
    source_config: SourceConfig,
    source_revision_config: SourceRevisionConfig,
    secrets: z.array(wire.Secret),
    secret_references: wire.Deployment.shape.secret_references,
    status: z.enum(DEPLOYMENT_STATUSES),
    created_at: Time,
    updated_at: Time,
    latest_revision_id: z.guid(),
    active_revision_id: z.guid().nullable(),
    url: z.url(),
  })
  .openapi("Deployment");
export type Deployment = z.infer<typeof Deployment>;
/** A page of deployments. */
export const DeploymentsList = pageOf(Deployment).openapi("DeploymentsList");

/** A revision in a response. The dialect `langsmith` leaves out the flat fields. */
export const Revision = wire.Revision.omit({ status_message: true })
  .required()
  .extend({
    id: z.guid(),
    status: z.enum(REVISION_STATUSES),
    created_at: Time,
    updated_at: Time,
    source: wire.Source,
    source_revision_config: SourceRevisionConfig,
  })
  .openapi("Revision");
export type Revision = z.infer<typeof Revision>;
/** A page of revisions. */
export const RevisionsList = pageOf(Revision).openapi("RevisionsList");

const LogLine = wire.LogLine.required().extend({ timestamp: Time, level: z.string() });
/** A page of a log. */
export const LogPage = z
  .object({ logs: z.array(LogLine), next_offset: z.string().nullable() })
  .openapi("LogPage");
/** A page of a log, as older versions of the public service have it. */
export const ProjectLogPage = z
  .object({ logs: z.array(LogLine.extend({ id: z.string() })), next_offset: z.string().nullable() })
  .openapi("ProjectLogPage");

/** A listener in a response. */
export const Listener = wire.Listener.required()
  .extend({
    id: z.guid(),
    compute_type: z.string(),
    compute_config: wire.CreateListener.shape.compute_config.required(),
    created_at: Time,
    updated_at: Time,
  })
  .openapi("Listener");
export type Listener = z.infer<typeof Listener>;
/** A page of listeners. */
export const ListenersList = pageOf(Listener).openapi("ListenersList");

/** An OAuth provider in a response. */
export const OAuthProvider = wire.OAuthProvider.required()
  .extend(
    wire.CreateOAuthProvider.pick({ name: true, client_id: true, auth_url: true, token_url: true })
      .shape,
  )
  .extend({ id: z.guid(), organization_id: z.guid(), created_at: Time, updated_at: Time })
  .openapi("OAuthProvider");
export type OAuthProvider = z.infer<typeof OAuthProvider>;
/** All OAuth providers of a workspace. */
export const OAuthProvidersList = z.array(OAuthProvider);

/** A token in a response; its value is only in those of an authentication. */
export const OAuthToken = wire.OAuthToken.required()
  .extend({ id: z.guid(), created_at: Time, updated_at: Time })
  .openapi("OAuthToken");
/** All tokens of a workspace. */
export const OAuthTokensList = z.array(OAuthToken);
export const OAuthTokenExists = z.clone(wire.OAuthTokenExists).openapi("OAuthTokenExists");
export const Authentication = wire.Authentication.required().openapi("Authentication");
export const AuthenticationResult =
  wire.AuthenticationResult.required().openapi("AuthenticationResult");

/** All git integrations of a workspace. */
export const IntegrationsList = z.array(wire.Integration.required().openapi("Integration"));
/** All repositories of an integration. */
export const RepositoriesList = z.array(wire.Repository.required().openapi("Repository"));

/** Body of a 422 (contract, "Errors"). */
export const HTTPValidationError =
  wire.HTTPValidationError.required().openapi("HTTPValidationError");
/** Body of every other error. */
export const Problem = wire.Problem.required().openapi("Problem");

function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ resources: z.array(item), offset: z.int() });
}

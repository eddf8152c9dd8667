import { z } from "@hono/zod-openapi";
import type { Dialect } from "../../../sdk/dialect";
import { unsupportedSource } from "../../../sdk/schema/deployment";
import * as wire from "../../../sdk/schema";

// Request bodies, under their names in `/openapi.json`. They are copies, since only schemas that are created after
// `@hono/zod-openapi` is loaded have the method `openapi`.

/** What newer clients send and this platform can't do: to ignore it would be a success without it. */
const noAgent = {
  agent: z
    .null("the local platform has no agents to name a deployment by; send a `name`")
    .optional(),
};

/** Other sources are the deployment's own: a PATCH with one of these would build nothing of what it names. */
const noUpload = {
  revision_source: z
    .string()
    .refine((source) => unsupportedSource(source) === undefined, {
      error: ({ input }) => unsupportedSource(input),
    })
    .nullish(),
};

/** To ignore them would lose variables silently. */
const noReferences = {
  secret_references: z
    .array(z.never("is known in the dialect langsmith alone; send values in `secrets`"))
    // The generator has no type for "never".
    .openapi({ type: "array", items: {}, maxItems: 0 })
    .nullish(),
};

/** The bodies of requests for deployments and revisions, which differ by dialect. */
export function bodiesIn({ deploymentTypes, isExtended }: Dialect) {
  const SourceConfigRequest = wire.SourceConfigRequest.extend({
    deployment_type: z.enum(deploymentTypes).nullish(),
    resource_spec: z.clone(wire.ResourceSpec).openapi("ResourceSpecRequest").nullish(),
  });
  const references = isExtended ? {} : noReferences;
  // Without a name: a nullable reference would be generated as one that forbids null.
  const source_config = SourceConfigRequest.nullish();
  return {
    /** Body of `POST /v2/deployments`. */
    CreateDeployment: wire.CreateDeployment.extend({
      ...noAgent,
      ...references,
      source_config: SourceConfigRequest.openapi("SourceConfigRequest"),
    }).openapi("CreateDeployment"),
    /** Body of `PATCH /v2/deployments/{deployment_id}`. */
    UpdateDeployment: (isExtended
      ? wire.UpdateDeployment
      : wire.UpdateDeployment.omit({ display_name: true })
    )
      .extend({ ...noUpload, ...references, source_config })
      .openapi("UpdateDeployment"),
    /** Body of `POST /v2/deployments/{deployment_id}/revisions`. */
    CreateRevision: wire.CreateRevision.extend({ ...references, source_config }).openapi(
      "CreateRevision",
    ),
  };
}

/** Body of `POST /v2/listeners`. */
export const CreateListener = z.clone(wire.CreateListener).openapi("CreateListener");

/** Body of `PATCH /v2/listeners/{listener_id}`. */
export const UpdateListener = z.clone(wire.UpdateListener).openapi("UpdateListener");

/** Body of `POST /v2/auth/providers`. */
export const CreateOAuthProvider = z.clone(wire.CreateOAuthProvider).openapi("CreateOAuthProvider");

/** Body of `PATCH /v2/auth/providers/{provider_id}`. */
export const UpdateOAuthProvider = z.clone(wire.UpdateOAuthProvider).openapi("UpdateOAuthProvider");

/** Body of `POST /v2/auth/authenticate`. */
export const Authenticate = z.clone(wire.Authenticate).openapi("Authenticate");

/** Body of `PATCH /v2/auth/tokens/{token_id}/metadata`. */
export const UpdateOAuthToken = z.clone(wire.UpdateOAuthToken).openapi("UpdateOAuthToken");

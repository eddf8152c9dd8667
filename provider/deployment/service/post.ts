import { Conflict, type Deployment } from "../../../sdk";
import { CreateDeployment } from "../../../sdk/schema";
import { recordOf, textOf } from "../../../shared/records";
import { snakeKeys } from "../../arguments/casing";
import { known } from "../../arguments/decode";
import { bodyOf } from "../../arguments/problems";
import { controlPlaneAdvice } from "../../resource/advice";
import { formatError } from "../../resource/errors";
import { patched } from "../../resource/find";
import type { Operation } from "../../resource/operation";
import { type Posted, postOnce } from "../../resource/post-once";
import { deploymentArguments } from "../declared/argument-table";
import type { Declared } from "../declared/declared";
import { toSecrets } from "../declared/environment";
import { NameTaken } from "../declared/name";
import { byName } from "./observe";
import { RolloutError, type RolloutResult } from "./rollout-result";

/** Sends the POST once. Another client may create a deployment of this name meanwhile. */
export async function postDeployment(
  operation: Operation,
  declared: Declared,
  name: string,
  isEqual: (found: Deployment) => boolean,
): Promise<Posted<Deployment>> {
  const { client, clock, urn } = operation;
  const body = toCreateRequest(declared, name);
  return postOnce(clock, client, {
    key: name,
    post: () => client.deployments.create(body, { resource: urn }),
    find: () => byName(operation, name),
    isEqual,
    createdAt: ({ created_at }) => created_at,
  }).catch((error: unknown) => {
    if (!(error instanceof Conflict)) throw error;
    const reason = "no deployment has this name: a deleted one leaves its tracing project behind";
    throw new NameTaken(`${error.message}; ${reason}`, { cause: error });
  });
}

/** The members of `source_config` that the public service requires of a source, whatever is declared. */
const REQUIRED: Readonly<Record<string, object>> = {
  git_host: { build_on_push: false },
  external_container: { resource_spec: {} },
};

/** The body of the POST; parsed by the wire's schema, so that what is sent has its shape. */
export function toCreateRequest(declared: Declared, name: string): CreateDeployment {
  const { props } = declared;
  const source = known(declared.source);
  const config = snakeKeys(recordOf(props["sourceConfig"]));
  const body = {
    name,
    source,
    // An argument that the service requires of one source, it refuses for others.
    source_config: { ...REQUIRED[String(source)], ...config },
    source_revision_config: snakeKeys(recordOf(props["sourceRevisionConfig"])),
    secrets: toSecrets(declared.environment.variables),
    secret_references: known(declared.secretReferences)?.map((one) => snakeKeys({ ...one })),
  };
  return bodyOf(CreateDeployment, body, `create deployment '${name}'`);
}

/** What a POST has created, with the display name, which the service takes in a PATCH alone: where that fails, the state is one without it. */
export async function withDisplayName(
  { client, settings, urn }: Operation,
  declared: Declared,
  deployment: Deployment,
): Promise<RolloutResult> {
  const rollout = { revisionId: deployment.latest_revision_id ?? null, state: "pending" } as const;
  const created = { deployment, revisions: [], rollout };
  const display_name = textOf(declared.displayName);
  try {
    if (display_name !== undefined) {
      const { id } = deployment;
      const request = client.deployments.update(id, { display_name }, { resource: urn });
      await patched(request, async () => deployment);
    }
    return created;
  } catch (error) {
    const putBack = deploymentArguments.withValues(declared, { displayName: undefined });
    throw new RolloutError({ ...created, putBack }, [
      `deployment '${deployment.name}' was created without its display name: ${formatError(error, controlPlaneAdvice(settings))}`,
      "run `pulumi up` again; it waits for the same revision and sets the name",
    ]);
  }
}

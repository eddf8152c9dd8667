import { type ControlPlane, type Deployment, NotFound, type Revision } from "../../sdk";
import { nearest } from "../../shared/nearest";
import { nextCommand } from "../connection";
import type { Context } from "../control-plane";
import { CommandFailure } from "../failure";
import { note } from "../terminal/terminal";
import { isUuid } from "../values";

/** The part of a name that must match. */
export type Match = "whole name" | "beginning of the name";

const MOST_CANDIDATES = 10;

/**
 * The deployment of this id, of the selected stack's resource of this name, or of this name. Throws `CommandFailure` with
 * the candidates, and `RequestError`.
 */
export async function findDeployment(
  context: Context,
  given: string,
  match: Match,
): Promise<Deployment> {
  const { client } = context;
  const byId = isUuid(given) ? await orUndefined(client.deployments.get(given)) : undefined;
  const found = byId ?? (await findInStack(context, given, match));
  if (found) return found;
  const candidates: Deployment[] = [];
  for await (const deployment of client.deployments.list({ name_contains: given })) {
    if (deployment.name === given) return deployment;
    if (deployment.name.startsWith(given)) candidates.push(deployment);
  }
  const [only, ...more] = candidates;
  if (only && more.length === 0 && match === "beginning of the name") return only;
  if (only) throw new CommandFailure(ambiguous(given, candidates, match));
  throw new CommandFailure(`deployment '${given}' not found${await hint(client, given)}`);
}

/** Another control plane than the stack's does not have what its state names. */
async function findInStack(
  { client, terminal, ofStack }: Context,
  given: string,
  match: Match,
): Promise<Deployment | undefined> {
  const { deployments, problem } = await ofStack();
  if (problem !== undefined && match === "whole name")
    throw new CommandFailure(
      `'${given}' may be the name of a resource of the selected stack, which cannot be read: write the deployment's id`,
    );
  const named = deployments.filter(({ logicalName }) => logicalName === given);
  const [only, ...more] = named;
  if (only === undefined) return undefined;
  if (more.length > 0)
    throw new CommandFailure(
      `stack ${only.stack} has several deployments '${given}'; write the id: ${named.map(({ id, urn }) => `${id} (${urn})`).join(", ")}`,
    );
  const found = await orUndefined(client.deployments.get(only.id));
  if (found) note(terminal, `deployment: ${found.name} (stack ${only.stack})`);
  return found;
}

function ambiguous(given: string, candidates: readonly Deployment[], match: Match): string {
  const names = candidates.slice(0, MOST_CANDIDATES).map(({ name }) => name);
  const more = candidates.length - names.length;
  const list = [...names, ...(more > 0 ? [`and ${more} more`] : [])].join(", ");
  return match === "whole name"
    ? `deployment '${given}' not found; this command needs the whole name or the id: ${list}`
    : `'${given}' is the beginning of several names: ${list}`;
}

async function hint(client: ControlPlane, given: string): Promise<string> {
  const names: string[] = [];
  for await (const { name } of client.deployments.list()) names.push(name);
  const meant = nearest(given, names);
  if (names.length === 0) return "; there are no deployments";
  return meant === undefined ? "" : `; did you mean '${meant}'?`;
}

/** The newest revisions of a deployment, newest first, and the one that serves, which may be older. */
export async function readRevisions(
  client: ControlPlane,
  { id, active_revision_id: active }: Deployment,
  limit: number,
): Promise<{ newest: Revision | undefined; serving: Revision | undefined; revisions: Revision[] }> {
  const revisions = await client.revisions.newest(id, limit);
  const known = revisions.find((revision) => revision.id === active);
  const serving =
    known ?? (active ? await orUndefined(client.revisions.get(id, active)) : undefined);
  return { newest: revisions[0], serving, revisions };
}

/** The result of a request; undefined for a 404. */
export async function orUndefined<Found>(found: Promise<Found>): Promise<Found | undefined> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}

/** A revision of a deployment by its id. Throws `CommandFailure`. */
export async function findRevision(
  { client, options }: Context,
  { id, name }: Deployment,
  revisionId: string,
): Promise<Revision> {
  const revision = await orUndefined(client.revisions.get(id, revisionId));
  if (revision) return revision;
  throw new CommandFailure(
    `deployment '${name}' does not have revision ${revisionId}; ${nextCommand(options, "status", name)} lists them`,
  );
}

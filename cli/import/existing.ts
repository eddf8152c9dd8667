import { type ControlPlane, type Deployment, NotOfferedError, RequestError } from "../../sdk";
import { agentServerOf } from "../../sdk/agent-server";
import { defaultAssistantId } from "../../sdk/schema";
import { isBeingDeleted } from "../../sdk/status";
import { urlOf } from "../../shared/agent-server-url";
import { type Existing, existingReader, type Place } from "../../provider/existing";
import { messageOf } from "../../shared/errors";
import { keyOfAgents } from "../agent-server";
import type { Context } from "../control-plane";
import { CommandFailure } from "../failure";

/** What exists, by the name that it has on the service. */
export interface Found extends Existing, Place {
  /** Unique among its kind, but for what is on agent servers. */
  readonly name: string;
  /** The deployment of its agent server, for what is on one. */
  readonly deployment?: Pick<Deployment, "id" | "name">;
  /** The resource that manages it, by its mark: `<project>/<stack>/<name>`. */
  readonly manager?: unknown;
}

/** What the resources of other stacks manage, a sentence each, as far as the service shows it. */
export function managedElsewhere(found: readonly Found[]): string[] {
  return found.flatMap(({ kind, noun, name, deployment, manager }) => {
    if (typeof manager === "string")
      return [`${noun} '${name}' of deployment '${deployment?.name}' is managed as ${manager}`];
    return kind === "Deployment" && /-[\da-f]{7}$/.test(name)
      ? [`deployment '${name}' has a name as resources without one derive it`]
      : [];
  });
}

/** Everything that a program can declare, and what was left out of it. */
export interface Inventory {
  readonly found: readonly Found[];
  /** What was left out and why, a sentence each. */
  readonly notes: readonly string[];
}

/** Agent servers that are asked at a time: a server may have to start for it. */
const AT_A_TIME = 8;

/**
 * Reads all deployments whose name contains a text, with their assistants and crons; without such a text also the listeners and the
 * OAuth providers of the workspace. Sorted by kind and name. Throws `RequestError`, and `CommandFailure` where one of them
 * cannot be read.
 */
export async function readExisting(
  { client, settings, terminal }: Context,
  nameContains: string | undefined,
): Promise<Inventory> {
  const notes: string[] = [];
  const note = (text: string): void => void notes.push(text);
  const shared = nameContains === undefined ? await sharedPlaces(client, note) : [];
  const filter = nameContains === undefined ? {} : { name_contains: nameContains };
  const deployments: Deployment[] = [];
  for await (const deployment of client.deployments.list(filter))
    terminal.progress(`found ${deployments.push(deployment)} deployments`);
  const read = reading(existingReader(settings));
  const { default: pLimit } = await import("p-limit");
  const limit = pLimit(AT_A_TIME);
  let done = 0;
  const found = await Promise.all([
    ...shared.map(read),
    ...deployments.map((deployment) =>
      limit(async () => {
        const resources = await Promise.all((await placesOf(deployment, note)).map(read));
        const { name, secrets } = deployment;
        const isMasked = resources.some(
          (one) => one.kind === "Deployment" && !one.inputs["secrets"],
        );
        if (secrets?.length && isMasked)
          note(
            `variables of deployment '${name}', whose values the control plane does not show: they stay as they are`,
          );
        terminal.progress(`read ${(done += 1)} of ${deployments.length} deployments`);
        return resources;
      }),
    ),
  ]);
  terminal.progress("");
  return { found: sorted(found.flat()), notes: notes.toSorted() };
}

type Named = Place & Pick<Found, "name" | "deployment" | "manager">;
type Note = (text: string) => void;

function reading(read: (place: Place) => Promise<Existing>): (place: Named) => Promise<Found> {
  return async (place) => {
    try {
      return { ...(await read(place)), ...place };
    } catch (error) {
      throw new CommandFailure(messageOf(error), { cause: error });
    }
  };
}

/** What the deployments of a workspace share, as far as the control plane offers it. */
async function sharedPlaces(client: ControlPlane, note: Note): Promise<Named[]> {
  const offered = async <Wire>(what: string, list: () => AsyncIterable<Wire>): Promise<Wire[]> => {
    try {
      return await Array.fromAsync(list());
    } catch (error) {
      if (!(error instanceof NotOfferedError)) throw error;
      note(`${what} are not offered by this control plane`);
      return [];
    }
  };
  const listeners = await offered("listeners", () => client.listeners.list());
  const providers = await offered("OAuth providers", () => client.oauthProviders.list());
  return [
    ...listeners.map(({ id, compute_id: name }) => ({ kind: "Listener" as const, id, name })),
    ...providers.map(({ provider_id: id }) => ({ kind: "OAuthProvider" as const, id, name: id })),
  ];
}

/** A deployment and what is on its agent server; nothing where it is being deleted. */
async function placesOf(deployment: Deployment, note: Note): Promise<Named[]> {
  const { id, name, status } = deployment;
  if (isBeingDeleted(status)) {
    note(`deployment '${name}' is being deleted`);
    return [];
  }
  const url = urlOf(deployment);
  const onAgentServer = url === null ? [] : await placesOn(name, url, note);
  const at = { deploymentUrl: url ?? "", deployment: { id, name } };
  return [
    { kind: "Deployment", id, name, listed: deployment },
    ...onAgentServer.map((place) => ({ ...place, ...at })),
  ];
}

/** The assistants and crons of a server, without those that it creates itself; none where it does not answer. */
async function placesOn(deployment: string, url: string, note: Note): Promise<Named[]> {
  try {
    const server = agentServerOf({ url, apiKey: keyOfAgents() });
    const assistants = await Array.fromAsync(server.assistants.searchAll());
    const hasCrons = (await server.info()).flags?.["crons"] === true;
    const crons = hasCrons ? await Array.fromAsync(server.crons.searchAll()) : [];
    const own = assistants.filter(
      (one) => one.version > 1 || one.assistant_id !== defaultAssistantId(one.graph_id),
    );
    return [
      ...own.map(({ assistant_id: id, name, metadata }) => {
        return { kind: "Assistant" as const, id, name, manager: metadata["pulumi_resource"] };
      }),
      ...crons.map(({ cron_id: id, metadata }) => {
        return { kind: "Cron" as const, id, name: "cron", manager: metadata["pulumi_cron"] };
      }),
    ];
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    note(`assistants and crons of deployment '${deployment}' were not read: ${error.message}`);
    return [];
  }
}

const ORDER: readonly string[] = ["Listener", "OAuthProvider", "Deployment", "Assistant", "Cron"];

/** By kind, so that what others refer to comes first; then by deployment, name and id. */
function sorted(found: readonly Found[]): Found[] {
  return found.toSorted(
    (a, b) =>
      ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) ||
      compare(a.deployment?.name ?? "", b.deployment?.name ?? "") ||
      compare(a.name, b.name) ||
      compare(a.id, b.id),
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

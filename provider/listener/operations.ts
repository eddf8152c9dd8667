import { KINDS } from "../kinds";
import { Conflict, type ControlPlane, type Listener } from "../../sdk";
import { isGone } from "../../sdk/errors";
import { CreateListener } from "../../sdk/schema";
import type { Settings } from "../../settings/settings";
import type { Context } from "../kind/context";
import { createUnique } from "../kind/create-unique";
import { defineLifecycle, type Found } from "../kind/define-lifecycle";
import { findRecorded, goneError, notFoundError, patched } from "../kind/find";
import { type Operation, operationOf } from "../kind/operation";
import { camelKeys, snakeKeys } from "../arguments/casing";
import { known } from "../arguments/decode";
import { refuse } from "../arguments/problems";
import { withIgnored } from "../arguments/property-path";
import { membersOf, present, type Props } from "../arguments/props";
import { type Declared, difference, listenerArguments, namespacesOf, sameNamespaces } from "./diff";

/** An output that the state lacks is unknown at every preview. */
const UNDECLARED = { adoptExisting: null };

const { same } = listenerArguments;

/** The lifecycle of a `Listener`. */
export const listenerLifecycle = defineLifecycle<Declared>(KINDS.Listener, {
  noun: "listener",
  arguments: listenerArguments.rows,
  declared: listenerArguments.decode,
  state: listenerArguments.decode,
  nameOf,
  serviceOutputs: ["tenantId", "baseUrl", "version", "createdAt", "updatedAt"],
  unsettledOutputs: (olds, news) => (isSettled(olds, news) ? [] : ["updatedAt"]),
  undeclared: UNDECLARED,
  check: (_olds, news) => ({ problems: listenerArguments.problems(news) }),
  describeReplacement: () =>
    "a compute has one listener, so this needs the option deleteBeforeReplace: true",
  difference: (id, olds, news, { memory }) => {
    memory.namespaces.set(id, namespacesOf(news));
    return difference(olds, news);
  },
  create,
  read,
  update,
  delete: remove,
});

function nameOf({ computeId }: Declared): string | undefined {
  return known(computeId);
}

async function create(news: Declared, context: Context): Promise<{ id: string; outs: Props }> {
  const operation = operationOf(context);
  const { client, settings } = operation;
  refuse(`create listener '${nameOf(news) ?? ""}'`, listenerArguments.problems(news.props));
  const body = CreateListener.parse(snakeKeys(membersOf(news.props, listenerArguments.names)));
  const listener = await createUnique(context, {
    noun: "listener",
    client,
    inputs: news.props,
    key: body.compute_id,
    find: () => byCompute(client, body.compute_id),
    post: () => client.listeners.create(body),
    createdAt: ({ created_at }) => created_at,
    idOf: ({ id }) => id,
    differences,
    immutable: listenerArguments.immutable,
    update: (found) => bringTo(namespacesOf(news), found, { ...operation, id: found.id }),
    adoptsExisting: known(news.adoptExisting) === true,
    exists: "exists for this compute, and a workspace has one for each",
    adoption: ["set adoptExisting: true to adopt it, or read it with Listener.get"],
    otherwise: "set another computeId",
  });
  return { id: listener.id, outs: toOutputs(news.props, listener, settings) };
}

/** A workspace has at most one listener for a compute. */
async function byCompute(client: ControlPlane, computeId: string): Promise<Listener | undefined> {
  for await (const listener of client.listeners.list())
    if (same("computeId", listener.compute_id, computeId)) return listener;
  return undefined;
}

/** The arguments that a listener has otherwise, as far as they are known. */
function differences(listener: Listener, inputs: Props): string[] {
  const declared = listenerArguments.decode(inputs);
  const [wanted, shown] = [namespacesOf(declared), shownNamespaces(listener)];
  const hasThem = wanted === undefined || shown === undefined || sameNamespaces(shown, wanted);
  return [...Object.keys(driftOf(declared, listener)), ...(hasThem ? [] : ["computeConfig"])];
}

async function read(id: string, olds: Declared, context: Context): Promise<Found | undefined> {
  const operation = operationOf(context, id);
  const isGet = olds.computeType === undefined;
  const listener = await find(operation, olds);
  if (listener === undefined && isGet) throw notFoundError("listener", operation);
  if (listener === undefined) return undefined;
  const inputs = isGet ? allInputs(listener) : recordedInputs(olds, listener);
  return { inputs, outs: toOutputs(inputs, listener, operation.settings) };
}

/** Sends one PATCH where the service lacks any of the namespaces that change. */
async function update(
  id: string,
  olds: Declared,
  news: Declared,
  context: Context,
): Promise<Props> {
  const operation = operationOf(context, id);
  const listener = await find(operation, olds);
  if (listener === undefined) throw goneError("listener", nameOf(olds) ?? "", id);
  const own = withIgnored(news.props, allInputs(listener));
  const wanted = isSettled(olds, news) ? undefined : namespacesOf(listenerArguments.decode(own));
  const updated = await bringTo(wanted, listener, operation);
  return toOutputs(news.props, updated, operation.settings);
}

async function bringTo(
  wanted: readonly string[] | undefined,
  listener: Listener,
  { client, id }: Operation,
): Promise<Listener> {
  if (wanted === undefined || sameNamespaces(shownNamespaces(listener) ?? [], wanted))
    return listener;
  const body = { compute_config: { k8s_namespaces: [...wanted] } };
  return patched(client.listeners.update(id, body), () => client.listeners.get(id));
}

/** Whether an update has nothing to send. */
function isSettled(olds: Declared, news: Declared): boolean {
  const wanted = namespacesOf(news);
  return !wanted || sameNamespaces(namespacesOf(olds) ?? [], wanted);
}

function shownNamespaces({ compute_config }: Listener): readonly string[] | undefined {
  return compute_config.k8s_namespaces ?? undefined;
}

/** Its type and id where they are others than the declared ones; its namespaces are compared by themselves. */
function driftOf(declared: Declared, { compute_type, compute_id }: Listener): Partial<Declared> {
  const shown = listenerArguments.decode({
    computeType: compute_type || undefined,
    computeId: compute_id,
  });
  return listenerArguments.drift(declared, shown);
}

async function remove(id: string, olds: Declared, context: Context): Promise<void> {
  const operation = operationOf(context, id);
  // Refuses another workspace; a 404 to it may be a slip.
  await find(operation, olds);
  try {
    await operation.client.listeners.delete(id);
  } catch (error) {
    if (isGone(error)) return;
    if (!(error instanceof Conflict)) throw error;
    throw new Error(
      `${error.message}; delete those deployments, or replace them with ones on another listener, then run the same command again`,
      { cause: error },
    );
  }
}

/** The listener of a state; undefined when it is surely gone. */
function find(operation: Operation, { props }: Declared): Promise<Listener | undefined> {
  return findRecorded(operation, props, {
    noun: "listener",
    get: () => operation.client.listeners.get(operation.id),
  });
}

/** Everything that the state keeps: the inputs as they were declared, and what the service reports. */
function toOutputs(
  inputs: Props,
  listener: Listener,
  { baseUrl, workspaceId: tenantId }: Settings,
): Props {
  const { version = null, created_at: createdAt, updated_at: updatedAt } = listener;
  return { ...UNDECLARED, ...inputs, tenantId, baseUrl, version, createdAt, updatedAt };
}

/** The inputs of a state with the service's values: what a refresh shows as drift. */
function recordedInputs(olds: Declared, listener: Listener): Props {
  const declared = namespacesOf(olds);
  const observed = shownNamespaces(listener);
  const { props } = listenerArguments.withValues(olds, driftOf(olds, listener));
  return {
    ...present(membersOf(props, listenerArguments.names)),
    ...(declared &&
      observed && { computeConfig: { k8sNamespaces: inOrderOf(declared, observed) } }),
  };
}

/** Every value that the service reports: for `get` nothing was declared. */
function allInputs({ compute_type, compute_id, compute_config }: Listener): Props {
  const { k8s_namespaces } = compute_config;
  const config = k8s_namespaces ? { k8s_namespaces } : {};
  return camelKeys({ compute_type, compute_id, compute_config: config });
}

/** The service's order means nothing: declared namespaces keep theirs, others follow. */
function inOrderOf(declared: readonly string[], observed: readonly string[]): string[] {
  return [
    ...declared.filter((namespace) => observed.includes(namespace)),
    ...observed.filter((namespace) => !declared.includes(namespace)).toSorted(),
  ];
}

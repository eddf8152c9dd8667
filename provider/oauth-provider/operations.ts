import { type ControlPlane, NotFound, type OAuthProvider } from "../../sdk";
import { isGone } from "../../sdk/errors";
import { CreateOAuthProvider, UpdateOAuthProvider } from "../../sdk/schema";
import type { Settings } from "../../settings/settings";
import type { Context } from "../kind/context";
import { replacingPaths } from "../kind/announcement";
import { createUnique } from "../kind/create-unique";
import { defineLifecycle, type Found } from "../kind/define-lifecycle";
import { findRecorded, goneError, isTaken, notFoundError, patched } from "../kind/find";
import { type Operation, operationOf } from "../kind/operation";
import { camelKeys, snakeKeys } from "../arguments/casing";
import { known } from "../arguments/decode";
import { refuse } from "../arguments/problems";
import { membersOf, present, type Props } from "../arguments/props";
import { KINDS } from "../kinds";
import { type Declared, difference, oauthProviderArguments, refusals } from "./diff";

const NOUN = "OAuth provider";
const { names, decode, problems, drift, same, withValues } = oauthProviderArguments;
const UNDECLARED = Object.fromEntries(names.map((name) => [name, null]));

/** The lifecycle of an `OAuthProvider`. Its id is its slug, by which the service gets, updates and deletes it. */
export const oauthProviderLifecycle = defineLifecycle<Declared>(KINDS.OAuthProvider, {
  noun: NOUN,
  arguments: oauthProviderArguments.rows,
  declared: decode,
  state: decode,
  nameOf,
  secretsOf: ({ clientSecret }) => [known(clientSecret)],
  serviceOutputs: [
    "tenantId",
    "baseUrl",
    "organizationId",
    "mcpServerUrl",
    "isDynamicClient",
    "createdAt",
    "updatedAt",
  ],
  unsettledOutputs: () => ["updatedAt"],
  undeclared: UNDECLARED,
  check: (olds, news) => ({
    // An argument that the option replaceOnChanges replaces is not updated.
    problems: [
      ...problems(news),
      ...(replacingPaths(olds, news).length > 0 ? [] : refusals(decode(olds), decode(news))),
    ],
  }),
  describeReplacement: () =>
    "a workspace has one provider for each providerId, so this needs the option deleteBeforeReplace: true",
  difference: (_id, olds, news) => difference(olds, news),
  create,
  read,
  update,
  delete: remove,
});

function nameOf({ providerId }: Declared): string | undefined {
  return known(providerId);
}

async function create(news: Declared, context: Context): Promise<{ id: string; outs: Props }> {
  const operation = operationOf(context);
  const { client, settings } = operation;
  refuse(`create ${NOUN} '${nameOf(news) ?? ""}'`, problems(news.props));
  const body = CreateOAuthProvider.parse(snakeKeys(givenIn(news)));
  const provider = await createUnique(context, {
    noun: NOUN,
    client,
    inputs: news.props,
    key: body.provider_id,
    find: () => bySlug(client, body.provider_id),
    post: () => client.oauthProviders.create(body),
    createdAt: ({ created_at }) => created_at,
    idOf: () => body.provider_id,
    differences,
    immutable: oauthProviderArguments.immutable,
    update: (found) => bringTo(givenIn(news), found, { ...operation, id: body.provider_id }),
    adoptsExisting: known(news.adoptExisting) === true,
    exists: "exists with this providerId, and a workspace has one for each",
    adoption: [
      `set adoptExisting: true to adopt it, or read it with OAuthProvider.get(name, "${body.provider_id}")`,
    ],
    otherwise: "set another providerId",
  });
  return { id: body.provider_id, outs: toOutputs(news.props, provider, settings) };
}

/** The message of a 404 may be that of a path without a handler: the list then says whether there are providers. */
async function bySlug(client: ControlPlane, slug: string): Promise<OAuthProvider | undefined> {
  try {
    return await client.oauthProviders.get(slug);
  } catch (error) {
    if (!isGone(error)) throw error;
    if (error instanceof NotFound) return undefined;
    return (await Array.fromAsync(client.oauthProviders.list())).find(
      ({ provider_id: id }) => id === slug,
    );
  }
}

async function read(id: string, olds: Declared, context: Context): Promise<Found | undefined> {
  const operation = operationOf(context, id);
  const isGet = olds.providerId === undefined;
  const provider = await find(operation, olds);
  if (provider === undefined && isGet) throw notFoundError(NOUN, operation);
  if (provider === undefined || isTaken(NOUN, operation, olds.props, provider.created_at))
    return undefined;
  const observed = membersOf(observedIn(provider), names);
  const inputs = isGet ? observed : givenIn(withValues(olds, drift(olds, decode(observed))));
  const outs = toOutputs(inputs, provider, operation.settings);
  return { inputs: isGet ? oauthProviderArguments.withoutDefaults(inputs) : inputs, outs };
}

/** Sends one PATCH with the declared values that change and that the service lacks. It never shows the client secret. */
async function update(
  id: string,
  olds: Declared,
  news: Declared,
  context: Context,
): Promise<Props> {
  const operation = operationOf(context, id);
  refuse(`update ${NOUN} '${id}'`, refusals(olds, news));
  const provider = await find(operation, olds);
  if (provider === undefined || isTaken(NOUN, operation, olds.props, provider.created_at))
    throw goneError(NOUN, id, id);
  const changed = membersOf(givenIn(news), oauthProviderArguments.changes(olds, news).changed);
  const updated = await bringTo(changed, provider, operation);
  return toOutputs(news.props, updated, operation.settings);
}

/** Sends one PATCH with the values that the service lacks: of those that a PATCH takes. */
async function bringTo(
  wanted: Props,
  provider: OAuthProvider,
  { client, id }: Operation,
): Promise<OAuthProvider> {
  const observed = observedIn(provider);
  const lacking = Object.entries(wanted).filter(
    ([name, value]) => !same(name, observed[name], value),
  );
  const body = UpdateOAuthProvider.parse(snakeKeys(Object.fromEntries(lacking)));
  if (Object.keys(body).length === 0) return provider;
  return patched(client.oauthProviders.update(id, body), () => client.oauthProviders.get(id));
}

async function remove(id: string, olds: Declared, context: Context): Promise<void> {
  const operation = operationOf(context, id);
  const provider = await find(operation, olds);
  if (provider && isTaken(NOUN, operation, olds.props, provider.created_at)) return;
  try {
    await operation.client.oauthProviders.delete(id);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

/** The provider of a state; undefined when it is surely gone. */
function find(operation: Operation, { props }: Declared): Promise<OAuthProvider | undefined> {
  return findRecorded(operation, props, {
    noun: NOUN,
    get: () => bySlug(operation.client, operation.id),
  });
}

/** The arguments that are set, in the spelling of programs. */
function givenIn({ props }: Declared): Props {
  return present(membersOf(props, names));
}

/** The values that the service reports: null, an empty text and asterisks in the place of one say nothing of a value. */
function observedIn(provider: OAuthProvider): Props {
  const members = Object.entries(camelKeys(provider));
  return Object.fromEntries(members.filter(([, value]) => !/^$|\*\*/.test(String(value ?? ""))));
}

/** The arguments that a provider has otherwise, as far as they are known and the service reports them. */
function differences(provider: OAuthProvider, inputs: Props): string[] {
  return Object.keys(drift(decode(inputs), decode(observedIn(provider))));
}

/**
 * Everything that the state keeps: the inputs as they were declared, and what the service reports. What is not declared is
 * null: an output that the state lacks is unknown at every preview.
 */
function toOutputs(
  inputs: Props,
  provider: OAuthProvider,
  { baseUrl, workspaceId: tenantId }: Settings,
): Props {
  return {
    ...UNDECLARED,
    ...inputs,
    tenantId,
    baseUrl,
    organizationId: provider.organization_id,
    mcpServerUrl: provider.mcp_server_url ?? null,
    isDynamicClient: provider.is_dynamic_client ?? null,
    createdAt: provider.created_at,
    updatedAt: provider.updated_at,
  };
}

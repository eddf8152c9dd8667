import type { Assistant, AssistantVersion } from "../../sdk";
import { CreateAssistant, defaultAssistantId, UpdateAssistant } from "../../sdk/schema";
import { filterMembers, isRecord, recordOf } from "../../shared/records";
import { fromConfig, toConfig } from "../agent-server/run-config";
import { identityOf } from "../../shared/urn";
import { withIgnored } from "../arguments/property-path";
import { membersOf, present, type Props, sameKnown, sameValue } from "../arguments/props";
import { reportedOutputs, undeclaredOutputs } from "../arguments/reported";
import { RESOURCE_TYPES } from "../resource-types";
import { assistantArguments, type Declared } from "./diff";

/** Its name in messages, and its endpoint on an agent server. */
export const { noun: NOUN, endpoint: ENDPOINT } = RESOURCE_TYPES.Assistant;

export function idOf({ props }: Declared): string {
  return String(props["assistantId"]);
}

/** The member of the metadata that says which resource manages an assistant: `<project>/<stack>/<name>`. */
export const MARK = "pulumi_resource";

export function markOf(urn = ""): string {
  const { project, stack, logicalName } = identityOf(urn);
  return `${project}/${stack}/${logicalName}`;
}

/** The arguments that an assistant has values of. */
export const VALUES = ["graphId", "name", "description", "config", "context", "metadata"] as const;

/** The body of the POST. */
export function toCreateRequest(inputs: Props, urn: string | undefined): CreateAssistant {
  const { graphId, name, description, config, context, metadata } = present(inputs);
  return CreateAssistant.parse({
    graph_id: graphId,
    name,
    description,
    config: config && toConfig(config),
    context,
    metadata: { ...present(recordOf(metadata)), [MARK]: markOf(urn) },
  });
}

/**
 * The values of a version as a program declares them. A server may have those of `configurable` in the context too, or
 * instead: they are shown where the program has them.
 */
function valuesOf(version: AssistantVersion, declared: Props): Props {
  const { graph_id: graphId, name, description, metadata } = version;
  const config = fromConfig(version.config);
  const { context } = version;
  const isOlderForm = recordOf(declared["config"])["configurable"] !== undefined;
  const isMoved = isOlderForm && !("configurable" in config) && Object.keys(context).length > 0;
  return {
    graphId,
    name,
    description,
    config: isMoved ? { ...config, configurable: context } : config,
    context: isMoved ? {} : context,
    metadata: present(metadata),
  };
}

/** The arguments that an assistant has otherwise, as far as they are known. Other keys of its metadata do not count. */
export function differences(version: AssistantVersion, inputs: Props): string[] {
  const observed = valuesOf(version, inputs);
  return Object.entries(present(membersOf(inputs, VALUES)))
    .filter(([name, value]) => !hasValue(name, value, observed[name]))
    .map(([name]) => name);
}

function hasValue(name: string, declared: unknown, observed: unknown): boolean {
  if (name === "metadata")
    return Object.entries(present(recordOf(declared))).every(([key, value]) =>
      sameKnown(value, recordOf(observed)[key]),
    );
  return sameKnown(name === "description" ? declared || null : declared, observed);
}

/** A change of an assistant. */
export interface Change {
  /** The arguments that are to be brought to the inputs; all others stay as they are. */
  readonly names: readonly string[];
  readonly inputs: Props;
  /** The keys of metadata that are removed. */
  readonly removedKeys?: readonly string[];
}

/**
 * The PATCH that a change takes; undefined where the assistant is so already, since each PATCH creates a version. Config and
 * context are sent together, since a server keeps parts of the one that is left out.
 */
export function patchOf(version: AssistantVersion, given: Change): UpdateAssistant | undefined {
  const observed = valuesOf(version, given.inputs);
  const change = { ...given, inputs: withIgnored(given.inputs, observed) };
  const { names, inputs } = change;
  const wanted: Props = { ...observed, ...EMPTY, ...present(membersOf(inputs, VALUES)) };
  const differs = (name: (typeof VALUES)[number]): boolean =>
    names.includes(name) && !hasValue(name, wanted[name], observed[name]);
  const valueOf = (name: "config" | "context"): Props =>
    recordOf((names.includes(name) ? wanted : observed)[name]);
  const metadata = names.includes("metadata") ? changedMetadata(observed, change) : {};
  const body = {
    ...(differs("graphId") && { graph_id: wanted["graphId"] }),
    ...(differs("name") && { name: wanted["name"] }),
    ...(differs("description") && { description: wanted["description"] }),
    ...((differs("config") || differs("context")) && {
      config: toConfig(withoutOtherForm(valueOf("config"), valueOf("context"))),
      context: valueOf("context"),
    }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
  return Object.keys(body).length > 0 ? UpdateAssistant.parse(body) : undefined;
}

/** The values of what a program removes. */
const EMPTY = { description: "", config: {}, context: {} };

/** Servers merge metadata into what they have, and remove no key: one that is removed becomes null. */
function changedMetadata(observed: Props, { inputs, removedKeys = [] }: Change): Props {
  const has = recordOf(observed["metadata"]);
  const declared = present(recordOf(inputs["metadata"]));
  const removed = removedKeys.filter((key) => !Object.hasOwn(declared, key));
  const wanted = { ...declared, ...Object.fromEntries(removed.map((key) => [key, null])) };
  return filterMembers(wanted, (value, key) => !sameValue(has[key], value));
}

/** A server takes one of the two. */
function withoutOtherForm({ configurable, ...rest }: Props, context: Props): Props {
  const isOwn = isRecord(configurable) && Object.keys(context).length === 0;
  return isOwn ? { ...rest, configurable } : rest;
}

/** The outputs of what is not declared. */
export const UNDECLARED = undeclaredOutputs(assistantArguments.names);

/** Names of the outputs that come from the agent server. */
export const OBSERVED_NAMES = ["version", "createdAt", "updatedAt"] as const;

/** Everything that the state keeps: the inputs as they were declared, and what the agent server reports. */
export function toOutputs(inputs: Props, assistant: Assistant): Props {
  return {
    ...UNDECLARED,
    ...inputs,
    ...reportedOutputs(["assistantId", ...OBSERVED_NAMES], assistant),
  };
}

/**
 * The inputs of a state with the server's values: what a refresh shows as drift. Of metadata only the declared keys are
 * compared: servers and runs add others.
 */
export function toInputs({ props }: Declared, assistant: Assistant): Props {
  const declared = assistantArguments.given(props);
  const observed = valuesOf(assistant, declared);
  const keys = Object.keys(recordOf(declared["metadata"]));
  const values = {
    ...observed,
    description: observed["description"] ?? "",
    metadata: membersOf(recordOf(observed["metadata"]), keys),
  };
  return { ...declared, ...membersOf(values, Object.keys(declared)) };
}

/**
 * Every value that a server reports, as a program may declare it: of an import, and of `get`, nothing was declared. A server
 * repeats a context in `configurable`, and its own default assistants are managed only where that is asked for.
 */
export function allInputs(assistant: Assistant): Props {
  const { metadata, config, context, ...values } = valuesOf(assistant, {});
  const { [MARK]: _mark, ...others } = recordOf(metadata);
  const isEmpty = (value: unknown): boolean =>
    value === null || (isRecord(value) && Object.keys(value).length === 0);
  const { configurable, ...rest } = recordOf(config);
  const isOlderForm = isEmpty(context) && configurable !== undefined;
  const ownConfig = isOlderForm ? { ...rest, configurable } : rest;
  const given = { ...values, config: ownConfig, context, metadata: others };
  const isDefault = assistant.assistant_id === defaultAssistantId(assistant.graph_id);
  return {
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => !isEmpty(value))),
    ...(isDefault && { adoptExisting: true }),
    assistantId: assistant.assistant_id,
  };
}

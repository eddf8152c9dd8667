import type { AgentServer, Assistant, AssistantVersion } from "../../sdk";
import { known } from "../arguments/decode";
import type { Props } from "../arguments/props";
import type { Declared } from "./diff";
import { allInputs, differences, idOf, toInputs } from "./values";

/** The arguments that an active version sets. */
export const PINNED = ["name", "description", "config", "context"];

/** The inputs with the values of a version in the place of those that it sets. */
export async function pinned(
  { assistants }: AgentServer,
  declared: Declared,
  version: number | undefined,
): Promise<Props> {
  if (version === undefined) return declared.props;
  const id = idOf(declared);
  const graph = known(declared.graphId);
  const listed = await versionOf(assistants, id, version);
  if (listed.graph_id === graph) return { ...declared.props, ...pinnedValues(listed) };
  throw new Error(
    `assistant ${id}: its version ${version} is of graph '${listed.graph_id}', and graphId is '${graph}'; set graphId: "${listed.graph_id}"`,
  );
}

async function versionOf(
  assistants: AgentServer["assistants"],
  id: string,
  version: number,
): Promise<AssistantVersion> {
  const numbers: number[] = [];
  for await (const listed of assistants.listVersions(id)) {
    numbers.push(listed.version);
    if (listed.version === version) return listed;
  }
  throw new Error(
    `assistant ${id}: it has no version ${version}, but ${numbers.at(-1)} to ${numbers[0]}; set activeVersion to one of these`,
  );
}

function pinnedValues(version: AssistantVersion): Props {
  const { name, config, context } = allInputs({ ...version, updated_at: "" });
  return {
    name,
    description: version.description ?? "",
    config: config ?? {},
    context: context ?? {},
  };
}

/** The inputs with what the server has; `activeVersion` is another one where the values are not those of its version. */
export async function withObservedVersion(
  server: AgentServer,
  olds: Declared,
  found: Assistant,
): Promise<Props> {
  const inputs = toInputs(olds, found);
  const version = known(olds.activeVersion);
  if (version === undefined) return inputs;
  // Its graph is an argument of its own: another one on the server is drift of that.
  const values = pinnedValues(await versionOf(server.assistants, idOf(olds), version));
  const isPinned = differences(found, values).length === 0;
  return { ...inputs, activeVersion: isPinned ? version : found.version };
}

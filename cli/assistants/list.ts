import type { Assistant, AssistantVersion } from "../../sdk";
import { agentServerOf } from "../../sdk/agent-server";
import { urlOf } from "../../shared/agent-server-url";
import { changesBetween } from "../../shared/changes";
import { askAgents, keyOfAgents } from "../agent-server";
import type { ConnectionOptions } from "../connection";
import { withControlPlane } from "../control-plane";
import { age } from "../deployments/list";
import { findDeployment } from "../deployments/find";
import { CommandFailure } from "../failure";
import { type Cell, tableLines } from "../terminal/table";
import { note, printJson, printLine, type Terminal } from "../terminal/terminal";

/** Options of the command `assistants`. */
export interface AssistantsOptions extends ConnectionOptions {
  /** Its name, the beginning of it, or its id. */
  readonly deployment: string;
  /** The name or the id of one, whose versions are printed. @default all are listed */
  readonly assistant: string | undefined;
  readonly json: boolean;
}

const COLUMNS = [
  { title: "NAME", shortest: 12 },
  { title: "GRAPH", shortest: 8 },
  { title: "VERSION" },
  { title: "MANAGED BY", shortest: 8 },
  { title: "UPDATED" },
  { title: "ID" },
];

/** Prints the assistants of a deployment, newest first, or the versions of one. */
export async function printAssistants(
  options: AssistantsOptions,
  terminal: Terminal,
): Promise<void> {
  await withControlPlane(options, terminal, async (context) => {
    const deployment = await findDeployment(context, options.deployment, "beginning of the name");
    const { name } = deployment;
    const url = urlOf(deployment);
    if (url === null) throw new CommandFailure(`deployment '${name}' has no URL yet`);
    await askAgents(async () => {
      const server = agentServerOf({ url, apiKey: keyOfAgents() });
      const assistants = await Array.fromAsync(server.assistants.searchAll());
      if (options.assistant === undefined) return printAll(options, terminal, assistants);
      const { assistant_id: id } = one(assistants, options.assistant, name);
      const versions = await Array.fromAsync(server.assistants.listVersions(id));
      printVersions(options, terminal, versions);
    });
  });
}

function one(assistants: readonly Assistant[], given: string, deployment: string): Assistant {
  const found = assistants.filter(({ assistant_id, name }) => [assistant_id, name].includes(given));
  const [only, ...more] = found;
  if (only === undefined)
    throw new CommandFailure(`deployment '${deployment}' has no assistant '${given}'`);
  if (more.length === 0) return only;
  const ids = found.map(({ assistant_id }) => assistant_id).join(", ");
  throw new CommandFailure(`several assistants are named '${given}': name one by its id: ${ids}`);
}

function printAll(
  { json }: AssistantsOptions,
  terminal: Terminal,
  assistants: readonly Assistant[],
): void {
  if (json) return printJson(terminal, { assistants: assistants.map(shapeOf) });
  if (assistants.length === 0) return note(terminal, "no assistants");
  const rows = assistants.map((assistant): Cell[] => {
    const { name, graph_id, version, metadata, updated_at, assistant_id } = assistant;
    const owner = metadata["pulumi_resource"] ?? metadata["created_by"];
    return [
      { text: name },
      { text: graph_id },
      { text: `${version}` },
      { text: typeof owner === "string" ? owner : "–" },
      { text: age(updated_at, new Date()) },
      { text: assistant_id },
    ];
  });
  terminal.out(`${tableLines(terminal, COLUMNS, rows).join("\n")}\n`);
}

/** Each version with what it changed, newest first; the first one with all that it has. */
function printVersions(
  { json }: AssistantsOptions,
  terminal: Terminal,
  versions: readonly AssistantVersion[],
): void {
  const shapes = versions.map((version, at) => ({
    ...shapeOf(version),
    changes: changesBetween(valuesOf(versions[at + 1]), valuesOf(version)),
  }));
  if (json) return printJson(terminal, { versions: shapes });
  for (const { version, createdAt, changes } of shapes) {
    printLine(terminal, `version ${version}, ${age(createdAt, new Date())} ago`);
    for (const { path, before, after } of changes)
      printLine(terminal, `  ${path}: ${textOf(before)} → ${textOf(after)}`);
    if (changes.length === 0) printLine(terminal, "  the same values as before");
  }
}

function textOf(value: unknown): string {
  return value === undefined ? "–" : JSON.stringify(value);
}

function shapeOf(version: AssistantVersion) {
  const { assistant_id: id, created_at: createdAt, version: number } = version;
  return { id, version: number, createdAt, ...valuesOf(version) };
}

function valuesOf(version: AssistantVersion | undefined): Record<string, unknown> {
  if (version === undefined) return {};
  const { graph_id: graphId, name, description, config, context, metadata } = version;
  return { graphId, name, description, config, context, metadata };
}

import type { ControlPlane, Deployment, DeploymentFilters } from "../../sdk";
import { DEPLOYMENT_STATUSES, hasFailed, isDeployed } from "../../sdk/status";
import type { ConnectionOptions } from "../connection";
import { type Context, withControlPlane } from "../control-plane";
import { orUndefined, readRevisions } from "./find";
import { deploymentShape, type DeploymentShape, type RevisionShape, sourceText } from "./shapes";
import { type Cell, type Column, tableLines } from "../terminal/table";
import { type Colour, note, printJson, type Terminal } from "../terminal/terminal";
import { secondsBetween, span } from "../terminal/time";

/** Options of the command `list`. */
export interface ListOptions extends ConnectionOptions {
  readonly filters: DeploymentFilters;
  /** Most deployments, the newest. */
  readonly limit: number;
  /** Whether to read revisions, which takes a request for each deployment. */
  readonly revisions: boolean;
  /** Whether to print URLs. */
  readonly wide: boolean;
  readonly json: boolean;
}

/** A column of the table, and its cell for a deployment. */
interface Fact extends Column {
  readonly cell: (shape: DeploymentShape, now: Date) => Cell;
}

/** A cut leaves the first 8 characters of the newest revision's id. */
const REVISION_FACTS: readonly Fact[] = [
  { title: "SERVES", shortest: 10, cell: ({ serving }) => ({ text: sourceText(serving) }) },
  {
    title: "NEWEST REVISION",
    shortest: 18,
    cell: ({ newest }, now) => ({
      text: newest ? newestText(newest, now) : "–",
      colour: colourOf(newest?.status),
    }),
  },
];

const WIDE_FACTS: readonly Fact[] = [
  { title: "ID", cell: ({ id }) => ({ text: id }) },
  { title: "URL", cell: ({ url }) => ({ text: url ?? "–" }) },
];

/** A column of stacks only where there is one. */
function factsOf({ revisions, wide }: ListOptions, shapes: readonly DeploymentShape[]): Fact[] {
  const isOfStack = shapes.some(({ stack }) => stack);
  return [
    { title: "", cell: ({ newest }) => markOf(newest) },
    { title: "NAME", shortest: 16, cell: ({ name }) => ({ text: name }) },
    ...(isOfStack
      ? [{ title: "STACK", cell: ({ stack }: DeploymentShape) => ({ text: stack?.name ?? "" }) }]
      : []),
    { title: "STATUS", cell: ({ status }) => ({ text: status }) },
    ...(revisions ? REVISION_FACTS : []),
    { title: "AGE", cell: ({ createdAt }, now) => ({ text: age(createdAt, now) }) },
    ...(wide ? WIDE_FACTS : []),
  ];
}

/** Prints the deployments, newest first. */
export async function printList(options: ListOptions, terminal: Terminal): Promise<void> {
  await withControlPlane(options, terminal, async (context) => {
    const { client } = context;
    const { deployments, more } = await readList(client, options);
    const shapes = await readAll(context, deployments, options);
    if (options.json) printJson(terminal, { deployments: shapes, more });
    else printTable(context, shapes, options);
    if (more)
      note(terminal, `there are more than these ${options.limit}: see --limit, or use a filter`);
  });
}

async function readList(client: ControlPlane, { filters, limit }: ListOptions) {
  const deployments: Deployment[] = [];
  for await (const deployment of client.deployments.list(filters)) {
    if (deployments.length === limit) return { deployments, more: true };
    deployments.push(deployment);
  }
  return { deployments, more: false };
}

/** The client sends no more requests at a time than the setting allows. */
async function readAll(
  { client, terminal, ofStack }: Context,
  deployments: readonly Deployment[],
  { revisions: readsRevisions }: ListOptions,
): Promise<DeploymentShape[]> {
  const { deployments: inStack } = await ofStack();
  let done = 0;
  const read = async (deployment: Deployment): Promise<DeploymentShape> => {
    const revisions = readsRevisions && (await orUndefined(readRevisions(client, deployment, 2)));
    done += 1;
    terminal.progress(`${done} of ${deployments.length} deployments`);
    // One that is deleted meanwhile is shown as the list has it.
    return deploymentShape(deployment, revisions || NO_REVISIONS, inStack, client.serverNow());
  };
  try {
    return await Promise.all(deployments.map(read));
  } finally {
    terminal.progress("");
  }
}

const NO_REVISIONS = { serving: undefined, newest: undefined };

function printTable(
  { client, terminal }: Context,
  shapes: readonly DeploymentShape[],
  options: ListOptions,
): void {
  if (shapes.length === 0) return note(terminal, noneText(options));
  const [now, facts] = [client.serverNow(), factsOf(options, shapes)];
  const rows = shapes.map((shape) => facts.map(({ cell }) => cell(shape, now)));
  terminal.out(`${tableLines(terminal, facts, rows).join("\n")}\n`);
}

function noneText({ filters: { status } }: ListOptions): string {
  if (status === undefined || DEPLOYMENT_STATUSES.some((known) => known === status))
    return "no deployments";
  return `no deployments; '${status}' is not a known status of deployments: ${DEPLOYMENT_STATUSES.join(", ")}`;
}

/** A failed revision stands out without colours too, whoever created it. */
function markOf(newest: RevisionShape | null): Cell {
  return newest && hasFailed(newest.status) ? { text: "✗", colour: "red" } : { text: "" };
}

function newestText({ status, createdAt, id }: RevisionShape, now: Date): string {
  return `${id.slice(0, 8)} ${status} ${age(createdAt, now)}`;
}

/** The age of a time, in the largest unit that fits. */
export function age(time: string | null, now: Date): string {
  const seconds = secondsBetween(time, now);
  return seconds === undefined ? "–" : span(seconds);
}

/** The colour of a revision's status. */
export function colourOf(status: string | undefined): Colour | undefined {
  if (status === undefined) return undefined;
  if (isDeployed(status)) return "green";
  return hasFailed(status) ? "red" : "yellow";
}

import type { ControlPlane, Deployment, DeploymentFilters } from "../sdk";
import { hasFailed, isDeployed } from "../sdk/status";
import type { ConnectionOptions } from "./connection";
import { type Context, withControlPlane } from "./control-plane";
import { readRevisions } from "./deployments";
import { deploymentShape, type DeploymentShape, type RevisionShape, sourceText } from "./shapes";
import { type Cell, tableLines } from "./table";
import { type Colour, note, printJson, type Terminal } from "./terminal";
import { secondsBetween, span } from "./time";

/** Options of the command `list`. */
export interface ListOptions extends ConnectionOptions {
  readonly filters: DeploymentFilters;
  /** Most deployments, the newest. */
  readonly limit: number;
  readonly json: boolean;
}

const COLUMNS = [
  { title: "" },
  { title: "NAME", shortest: 16 },
  { title: "STATUS" },
  { title: "SERVES", shortest: 10 },
  { title: "NEWEST REVISION", shortest: 24 },
  { title: "AGE" },
];

/** Prints the deployments, newest first. */
export async function printList(options: ListOptions, terminal: Terminal): Promise<void> {
  await withControlPlane(options, terminal, async (context) => {
    const { client } = context;
    const { deployments, more } = await readList(client, options);
    const shapes = await Promise.all(deployments.map((each) => read(client, each)));
    if (options.json) printJson(terminal, { deployments: shapes, more });
    else printTable(context, shapes);
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

async function read(client: ControlPlane, deployment: Deployment): Promise<DeploymentShape> {
  const revisions = await readRevisions(client, deployment, 2);
  return deploymentShape(deployment, revisions, client.serverNow());
}

function printTable({ client, terminal }: Context, shapes: readonly DeploymentShape[]): void {
  if (shapes.length === 0) return note(terminal, "no deployments");
  const now = client.serverNow();
  const rows = shapes.map(({ name, status, serving, newest, createdAt }): Cell[] => [
    markOf(newest),
    { text: name },
    { text: status },
    { text: sourceText(serving) },
    { text: newest ? newestText(newest, now) : "–", colour: colourOf(newest?.status) },
    { text: age(createdAt, now) },
  ]);
  terminal.out(`${tableLines(terminal, COLUMNS, rows).join("\n")}\n`);
}

/** A failed revision stands out without colours too, whoever created it. */
function markOf(newest: RevisionShape | null): Cell {
  return newest && hasFailed(newest.status) ? { text: "✗", colour: "red" } : { text: "" };
}

function newestText({ status, createdAt, id }: RevisionShape, now: Date): string {
  return `${status} ${age(createdAt, now)} ${id.slice(0, 8)}`;
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

import type { Deployment, Revision } from "../../sdk";
import { dialectOf } from "../../sdk/dialect";
import { factsOf } from "../../sdk/status";
import { isSameStage, type PollResult, waitFor, WaitEnded } from "../../sdk/wait";
import { systemClock } from "../../shared/clock";
import { type ConnectionOptions, nextCommand } from "../connection";
import { type Context, withControlPlane } from "../control-plane";
import { findDeployment, readRevisions } from "./find";
import { CommandFailure } from "../failure";
import { age, colourOf } from "./list";
import {
  deploymentShape,
  type DeploymentShape,
  revisionShape,
  type RevisionShape,
  sourceText,
} from "./shapes";
import { type Cell, tableLines } from "../terminal/table";
import { coloured, note, printJson, printLine, type Terminal } from "../terminal/terminal";
import { span } from "../terminal/time";

/** Options of the command `status`. */
export interface StatusOptions extends ConnectionOptions {
  /** Its name, the beginning of it, or its id. */
  readonly deployment: string;
  /** Most revisions, the newest. */
  readonly limit: number;
  /** Whether to wait until the newest revision is done. */
  readonly wait: boolean;
  readonly timeoutSeconds: number;
  readonly json: boolean;
}

interface StatusShape extends DeploymentShape {
  readonly revisions: RevisionShape[];
  /** The names of its environment variables; null where the control plane does not return them. */
  readonly variables: string[] | null;
}

const COLUMNS = [
  { title: "" },
  { title: "REVISION" },
  { title: "STATUS", shortest: 8 },
  { title: "SOURCE", shortest: 8 },
  { title: "AGE" },
  { title: "TOOK" },
];

/** Prints one deployment. Throws `CommandFailure` if the newest revision, waited for, has failed. */
export async function printStatus(options: StatusOptions, terminal: Terminal): Promise<void> {
  await withControlPlane(options, terminal, async (context) => {
    const found = await findDeployment(context, options.deployment, "beginning of the name");
    const end = options.wait ? await untilDone(context, found, options.timeoutSeconds) : undefined;
    const shape = await read(context, found.id, options.limit);
    if (options.json) printJson(terminal, shape);
    else printShape(context, shape);
    if (end !== undefined && end.state !== "done") throw new CommandFailure(end.reason);
  });
}

async function read({ client, ofStack }: Context, id: string, limit: number): Promise<StatusShape> {
  const deployment = await client.deployments.get(id);
  const { revisions, ...ends } = await readRevisions(client, deployment, limit);
  const { deployments: inStack } = await ofStack();
  const now = client.serverNow();
  return {
    ...deploymentShape(deployment, ends, inStack, now),
    revisions: revisions.map((revision) => revisionShape(revision, now)),
    variables: deployment.secrets?.map(({ name }) => name) ?? null,
  };
}

function printShape({ client, settings, terminal }: Context, shape: StatusShape): void {
  const { name, id, status, source, repoUrl, serving, url, createdAt, variables, stack } = shape;
  const now = client.serverNow();
  const facts: [string, string][] = [
    ["status", status],
    ...(stack ? [["stack", `${stack.name}, ${stack.urn}`] satisfies [string, string]] : []),
    [
      "source",
      [dialectOf(settings.dialect).fromContract.name(source), repoUrl ?? []].flat().join(" "),
    ],
    ["serves", serving ? `${sourceText(serving)}, revision ${serving.id}` : "nothing yet"],
    ["URL", url ?? "–"],
    ["created", `${createdAt} (${age(createdAt, now)} ago)`],
    [
      "variables",
      variables?.join(", ") || (variables ? "none" : "not returned by this control plane"),
    ],
  ];
  printLine(terminal, `${name} ${id}`);
  for (const [title, text] of facts) {
    terminal.out(`  ${coloured(terminal, "dim", title.padEnd(10))}`);
    printLine(terminal, text);
  }
  const rows = shape.revisions.map((revision): Cell[] => [
    revision.id === serving?.id ? { text: "▶", colour: "green" } : { text: "" },
    { text: revision.id },
    { text: revision.status, colour: colourOf(revision.status) },
    { text: sourceText(revision) },
    { text: age(revision.createdAt, now) },
    { text: revision.durationSeconds === null ? "–" : span(revision.durationSeconds) },
  ]);
  terminal.out(`\n${tableLines(terminal, COLUMNS, rows).join("\n")}\n`);
}

type End = { readonly state: "done" } | { readonly state: "failed"; readonly reason: string };

/**
 * Waits as `status --wait` does, for a newer revision than the deployment names. Throws `CommandFailure` if it has failed, or
 * is not done in time.
 */
export async function waitUntilDone(
  context: Context,
  deployment: Deployment,
  timeoutSeconds: number,
): Promise<void> {
  const next = `wait on with ${nextCommand(context.options, "status", deployment.name, "--wait")}`;
  const former = deployment.latest_revision_id;
  const end = await untilDone(context, deployment, timeoutSeconds, next, former);
  if (end.state !== "done") throw new CommandFailure(end.reason);
}

/** Notes each change of the stage that a wait shows. */
export function stageNotes(terminal: Terminal): (stage: string, elapsedMs: number) => void {
  let shown = "";
  return (stage, elapsedMs) => {
    if (!isSameStage(stage, shown)) note(terminal, `${stage} (${span(elapsedMs / 1000)})`);
    shown = stage;
  };
}

/** Waits until the newest revision, which may be another by then, is done; prints each change of its status. */
async function untilDone(
  { client, terminal, options }: Context,
  { id, name }: Deployment,
  timeoutSeconds: number,
  next = "run the same command again to wait on",
  former?: string | null,
): Promise<End> {
  try {
    return await waitFor<End>({
      clock: systemClock,
      timeoutMs: timeoutSeconds * 1000,
      onPending: stageNotes(terminal),
      async poll(signal) {
        const [newest] = await client.revisions.newest(id, 1, { signal });
        return newest && newest.id !== former
          ? judge(newest, name, options)
          : { state: "pending", stage: "no revision yet" };
      },
    });
  } catch (error) {
    if (!(error instanceof WaitEnded)) throw error;
    const reason = `deployment '${name}': ${error.message}; ${next}`;
    // The table could not be read either.
    if (error.silence !== undefined) throw new CommandFailure(reason, { cause: error });
    return { state: "failed", reason };
  }
}

function judge(
  { id, status }: Revision,
  name: string,
  options: ConnectionOptions,
): PollResult<End> {
  const facts = factsOf(status);
  if (facts.phase === "deployed") return { state: "done" };
  const revision = `revision ${id}: ${status}`;
  if (facts.phase === "in progress")
    return { state: "pending", stage: revision, isDistant: facts.isDistant };
  if (facts.phase === "unknown") return { state: "pending", stage: revision };
  const logs = `see ${nextCommand(options, "logs", name)}`;
  return { state: "failed", reason: `deployment '${name}', ${revision}; ${logs}` };
}

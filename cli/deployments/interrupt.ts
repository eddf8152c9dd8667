import type { ControlPlane, Deployment, Revision } from "../../sdk";
import { factsOf } from "../../sdk/status";
import { withControlPlane } from "../control-plane";
import { confirm } from "../terminal/confirmation";
import { findDeployment, findRevision } from "./find";
import { CommandFailure } from "../failure";
import type { RevisionOptions } from "./redeploy";
import { printJson, printLine, type Terminal } from "../terminal/terminal";

/** Interrupts a revision in progress, by default the only one. */
export async function interrupt(options: RevisionOptions, terminal: Terminal): Promise<void> {
  await withControlPlane(options, terminal, async (context) => {
    const { client, settings } = context;
    const deployment = await findDeployment(context, options.deployment, "whole name");
    const { id, name } = deployment;
    const revision =
      options.revisionId === undefined
        ? await onlyInProgress(client, deployment)
        : await findRevision(context, deployment, options.revisionId);
    const question = `Interrupt revision ${revision.id} (${revision.status}) of deployment '${name}' on ${settings.baseUrl}?`;
    await confirm(terminal, question, options.yes);
    await client.revisions.interrupt(id, revision.id);
    const { status } = await client.revisions.get(id, revision.id);
    if (options.json)
      return printJson(terminal, { deploymentId: id, name, revisionId: revision.id, status });
    printLine(terminal, `revision ${revision.id} of deployment '${name}': ${status}`);
  });
}

async function onlyInProgress(client: ControlPlane, { id, name }: Deployment): Promise<Revision> {
  // Pushes during a build leave any number of skipped ones that are newer.
  const all = await Array.fromAsync(client.revisions.list(id));
  const running = all.filter(({ status }) => factsOf(status).phase === "in progress");
  const [only, ...more] = running;
  if (only && more.length === 0) return only;
  const list = running.map((revision) => `${revision.id} (${revision.status})`).join(", ");
  throw new CommandFailure(
    only
      ? `several revisions of deployment '${name}' are in progress, name one with --revision: ${list}`
      : `deployment '${name}' does not have a revision in progress`,
  );
}

import { type ControlPlane, isAmbiguous } from "../../sdk";
import { messageOf } from "../../shared/errors";
import { type ConnectionOptions, nextCommand } from "../connection";
import { withControlPlane } from "../control-plane";
import { confirm } from "../terminal/confirmation";
import { waitUntilDone } from "./status";
import { findDeployment, findRevision } from "./find";
import { CommandFailure } from "../failure";
import { revisionShape, sourceText } from "./shapes";
import { printJson, printLine, type Terminal } from "../terminal/terminal";

/** A change of one revision. */
export interface RevisionOptions extends ConnectionOptions {
  /** The deployment's whole name, or its id. */
  readonly deployment: string;
  readonly revisionId?: string | undefined;
  /** Whether not to ask. */
  readonly yes: boolean;
  readonly json: boolean;
}

/** Options of the command `redeploy`. */
export interface RedeployOptions extends RevisionOptions {
  /** Whether to wait until the newest revision is done. */
  readonly wait: boolean;
  readonly timeoutSeconds: number;
}

/** Creates a revision like an earlier one, by default the newest. Throws `CommandFailure` if it is waited for and has failed. */
export async function redeploy(options: RedeployOptions, terminal: Terminal): Promise<void> {
  await withControlPlane(options, terminal, async (context) => {
    const { client, settings } = context;
    const deployment = await findDeployment(context, options.deployment, "whole name");
    const { id, name, latest_revision_id: newest } = deployment;
    const revisionId = options.revisionId ?? newest;
    if (!revisionId) throw new CommandFailure(`deployment '${name}' does not have a revision yet`);
    const revision = await findRevision(context, deployment, revisionId);
    const source = sourceText(revisionShape(revision, client.serverNow()));
    const question = `Redeploy ${source} (revision ${revision.id}) of deployment '${name}' on ${settings.baseUrl}?`;
    await confirm(terminal, question, options.yes);
    const changed = await client.revisions.redeploy(id, revision.id).catch((error: unknown) => {
      if (!isAmbiguous(error)) throw error;
      throw new CommandFailure(
        `${messageOf(error)}; the revision may have been created all the same: see ${nextCommand(options, "status", name)} before you try again`,
        { cause: error },
      );
    });
    const { latest_revision_id: answered } = changed;
    // Some services answer with the deployment as it was before.
    const isNew = answered && answered !== newest;
    const created = isNew ? answered : await newerThan(newest, client, id);
    if (options.json) printJson(terminal, { deploymentId: id, name, revisionId: created ?? null });
    else if (created) printLine(terminal, `created revision ${created} of deployment '${name}'`);
    else printLine(terminal, `redeployed deployment '${name}'; its new revision is not shown yet`);
    if (options.wait) return waitUntilDone(context, deployment, options.timeoutSeconds);
    if (!options.json)
      printLine(terminal, `wait for it with ${nextCommand(options, "status", name, "--wait")}`);
  });
}

/** The newest revision, where it is another than the former one. A read that fails does not undo what was accepted. */
async function newerThan(former: unknown, client: ControlPlane, id: string) {
  const [newest] = await client.revisions.newest(id, 1).catch(() => []);
  return newest?.id === former ? undefined : newest?.id;
}

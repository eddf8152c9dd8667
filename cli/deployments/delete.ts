import { pollDeletion, requestDeletion } from "../../sdk/deletion";
import { isBeingDeleted } from "../../sdk/status";
import { waitFor, WaitEnded } from "../../sdk/wait";
import { systemClock } from "../../shared/clock";
import { type ConnectionOptions } from "../connection";
import { withControlPlane } from "../control-plane";
import { confirm } from "../terminal/confirmation";
import { stageNotes } from "./status";
import { findDeployment } from "./find";
import { CommandFailure } from "../failure";
import { note, printJson, printLine, type Terminal } from "../terminal/terminal";

/** Options of the command `delete`. */
export interface DeleteOptions extends ConnectionOptions {
  /** Its whole name, or its id. */
  readonly deployment: string;
  /** Whether not to ask. */
  readonly yes: boolean;
  readonly timeoutSeconds: number;
  readonly json: boolean;
}

/** Deletes a deployment and waits until it is gone. */
export async function deleteDeployment(options: DeleteOptions, terminal: Terminal): Promise<void> {
  await withControlPlane(options, terminal, async (context) => {
    const { client, settings } = context;
    const deployment = await findDeployment(context, options.deployment, "whole name");
    const { id, name, status } = deployment;
    const question = `Delete deployment '${name}' (${id}) on ${settings.baseUrl}, with its threads and database?`;
    await confirm(terminal, question, options.yes);
    const isAccepted = !isBeingDeleted(status) && (await requestDeletion(client, id));
    const poll = pollDeletion(client, id, isAccepted);
    await untilGone(poll, name, options.timeoutSeconds, terminal);
    if (options.json) return printJson(terminal, { deploymentId: id, name, deleted: true });
    printLine(terminal, `deleted deployment '${name}'`);
    const owner = (await context.ofStack()).deployments.find((one) => one.id === id);
    if (owner) note(terminal, `stack ${owner.stack} still has it: run \`pulumi refresh\` there`);
  });
}

async function untilGone(
  poll: ReturnType<typeof pollDeletion>,
  name: string,
  timeoutSeconds: number,
  terminal: Terminal,
): Promise<void> {
  try {
    const timeoutMs = timeoutSeconds * 1000;
    const onPending = stageNotes(terminal);
    await waitFor({ poll, onPending, timeoutMs, clock: systemClock });
  } catch (error) {
    if (!(error instanceof WaitEnded)) throw error;
    throw new CommandFailure(
      `delete deployment '${name}': ${error.message}; run the same command again to wait on`,
      { cause: error },
    );
  }
}

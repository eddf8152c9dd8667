import { type ControlPlane, NotFound } from "../sdk";
import { isBeingDeleted } from "../sdk/status";
import { waitFor, WaitEnded } from "../sdk/wait";
import { systemClock } from "../shared/clock";
import { messageOf } from "../shared/errors";
import { type ConnectionOptions } from "./connection";
import { withControlPlane } from "./control-plane";
import { confirm } from "./confirmation";
import { findDeployment } from "./deployments";
import { CommandFailure } from "./failure";
import { printJson, printLine, type Terminal } from "./terminal";

/** Options of the command `delete`. */
export interface DeleteOptions extends ConnectionOptions {
  /** Its whole name, or its id. */
  readonly deployment: string;
  /** Whether not to ask. */
  readonly yes: boolean;
  readonly json: boolean;
}

/** Deletes a deployment and waits until it is gone. */
export async function deleteDeployment(options: DeleteOptions, terminal: Terminal): Promise<void> {
  await withControlPlane(options, terminal, async ({ client, settings }) => {
    const deployment = await findDeployment(client, options.deployment, "whole name");
    const { id, name, status } = deployment;
    const question = `Delete deployment '${name}' (${id}) on ${settings.baseUrl}, with its threads and database?`;
    await confirm(terminal, question, options.yes);
    if (!isBeingDeleted(status)) await deleteOnce(client, id);
    await untilGone(client, id, name, settings.waitTimeoutSeconds);
    if (options.json) return printJson(terminal, { deploymentId: id, name, deleted: true });
    printLine(terminal, `deleted deployment '${name}'`);
  });
}

/** A response that is lost is asked for again, and then it may be gone already. */
async function deleteOnce(client: ControlPlane, id: string): Promise<void> {
  await client.deployments.delete(id).catch((error: unknown) => {
    if (!(error instanceof NotFound)) throw error;
  });
}

async function untilGone(
  client: ControlPlane,
  id: string,
  name: string,
  timeoutSeconds: number,
): Promise<void> {
  try {
    await waitFor<{ state: "done" }>({
      clock: systemClock,
      timeoutMs: timeoutSeconds * 1000,
      tolerate: messageOf,
      async poll(signal) {
        try {
          const { status } = await client.deployments.get(id, { signal });
          return { state: "pending", stage: status };
        } catch (error) {
          if (error instanceof NotFound) return { state: "done" };
          throw error;
        }
      },
    });
  } catch (error) {
    if (!(error instanceof WaitEnded)) throw error;
    throw new CommandFailure(
      `delete deployment '${name}': ${error.message}; run the same command again to wait on`,
      { cause: error },
    );
  }
}

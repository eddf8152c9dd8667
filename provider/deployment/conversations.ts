import { type Deployment, Forbidden, RequestError, Unauthorized } from "../../sdk";
import { pollSignal } from "../../sdk/wait";
import { urlOf } from "../../shared/agent-server-url";
import { known } from "../arguments/decode";
import type { Problem } from "../arguments/problems";
import { optionsIn } from "../arguments/option-inputs";
import { isEmpty, type Props } from "../arguments/props";
import { replacingPaths } from "../resource/announcement";
import type { RemoteCheck } from "../resource/define-lifecycle";
import { type Operation, operationOf } from "../resource/operation";
import { type Declared, declaredBy } from "./declared/declared";
import { planOf } from "./declared/plan";
import { nameRefusal } from "./replacement";
import { serverAt } from "./rollout/smoke-check";
import { byName } from "./service/observe";

/** How many threads a deployment has, in words; without a total where that is not known. */
interface Count {
  readonly text: string;
  readonly total?: number;
}

/** No preview waits longer for an agent server. */
const LIMIT_MS = 2_000;
const WAY = 'to keep them, see docs/changes.md, "Keep the conversations"';

/**
 * Counts the threads that a replacement deletes, which its preview shows. Its problem is `protectThreads`, set in the program
 * or in the state. Only the preview of what looks like a create knows whether that is a replacement.
 */
export const threadRefusals: RemoteCheck<Problem> = async (olds, inputs, context) => {
  const after = declaredBy(inputs);
  const { losses, countLoss } = context.processCache;
  const urn = context.urn ?? "";
  const countIn = async (props: Props): Promise<Problem[]> => {
    const before = declaredBy(props);
    const { name } = before;
    const isKept = optionsIn(props).keeping.includes("retainOnDelete");
    if (isKept || typeof name !== "string") return [];
    const operation = operationOf(context);
    const count = await countAt(operation, [before, after], (signal) =>
      byName(operation, name, { signal }),
    );
    // The check of the inputs before has not refused a forced replacement, which looked like an update.
    const isForced = isEmpty(olds) && after.replacementOrder === "creates first";
    const refusal = isForced
      ? await nameRefusal(operation, after).catch(() => undefined)
      : undefined;
    const loss = count.total ? `${count.text}; ${WAY}` : count.text;
    losses.set(urn, refusal === undefined ? loss : `the update refuses it: ${refusal}`);
    const isProtected = before.protectThreads === true || after.protectThreads === true;
    const reason = isProtected ? obstacleIn(count) : undefined;
    return reason === undefined ? [] : [{ property: "protectThreads", reason }];
  };
  if (isEmpty(olds)) {
    countLoss.set(urn, countIn);
    return [];
  }
  const isReplaced =
    planOf(declaredBy(olds), after).replaces.length > 0 || replacingPaths(olds, inputs).length > 0;
  return isReplaced ? countIn(olds) : [];
};

/** Why a deployment with `protectThreads` in the state is not deleted; undefined where it may be. */
export async function obstacleToDeletion(
  operation: Operation,
  declared: Declared,
  deployment: Deployment,
): Promise<string | undefined> {
  if (declared.protectThreads !== true) return undefined;
  return obstacleIn(await countAt(operation, [declared], async () => deployment));
}

function obstacleIn({ text, total }: Count): string | undefined {
  if (total === 0) return undefined;
  return `is set, and ${text}; nothing was deleted; ${WAY}; to delete them all the same, first run \`pulumi up\` with protectThreads: false`;
}

function unknown(reason: string): Count {
  return { text: `it is not known how many threads go with it: ${reason}` };
}

/** Asks an agent server once, with the key of the smoke check where one is declared. */
async function countAt(
  operation: Operation,
  declared: readonly Declared[],
  find: (signal: AbortSignal) => Promise<Deployment | undefined>,
): Promise<Count> {
  const keys = declared.map(({ smokeCheck }) => known(smokeCheck)?.apiKey);
  const apiKey = keys.find((key) => key !== undefined);
  const signal = pollSignal(LIMIT_MS);
  try {
    const deployment = await find(signal);
    const url = deployment && urlOf(deployment);
    if (url === undefined) return { total: 0, text: "it has been deleted already" };
    if (!url) return unknown("the deployment has no URL");
    const { threads } = serverAt(operation, url, apiKey);
    const [total, busy, interrupted] = await Promise.all([
      threads.count({}, { signal }),
      threads.count({ status: "busy" }, { signal }),
      threads.count({ status: "interrupted" }, { signal }),
    ]);
    const inWords = (count: number) => count.toLocaleString("en-US");
    const parts = [
      `${inWords(total)} ${total === 1 ? "thread goes" : "threads go"} with it`,
      busy > 0 && `${inWords(busy)} busy`,
      interrupted > 0 && `${inWords(interrupted)} interrupted`,
    ];
    return { total, text: parts.filter(Boolean).join(", ") };
  } catch (error) {
    if (signal.aborted) return unknown(`no answer within ${LIMIT_MS / 1000} s`);
    const isRefused = error instanceof Unauthorized || error instanceof Forbidden;
    if (isRefused && error.action === "count threads")
      return unknown("the agent server asks for a key, which smokeCheck.apiKey would be");
    if (error instanceof RequestError) return unknown(error.reason);
    throw error;
  }
}

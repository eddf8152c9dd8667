import { messageOf } from "../../shared/errors";
import { type Props, sameValue, visibleOf } from "../arguments/props";
import type { Context } from "./context";
import { InitializationFailure } from "./errors";
import type { Lifecycle } from "./lifecycle";
import type { RetryRecord } from "./process-cache";
import { isPlaceholder } from "./placeholder";

/**
 * Lets a verb that a hook of the program retries continue what its first attempt did: the engine calls it with the same
 * arguments, and only this process knows of the first attempt.
 */
export function continuingRetries(lifecycle: Lifecycle): Lifecycle {
  return {
    ...lifecycle,
    create(inputs, context) {
      const record = retryRecordOf(inputs, context);
      if (record === undefined || isPlaceholder(record.id))
        return recording("create", inputs, context, () => lifecycle.create(inputs, context));
      return recording("create", inputs, context, async () => {
        const { outs } = await lifecycle.update(record.id, record.outs, inputs, context);
        return { id: record.id, outs };
      });
    },
    update(id, olds, news, context) {
      const last = retryRecordOf(news, context);
      const before = last?.hasFailed && last.id === id ? last.outs : olds;
      return recording("update", news, context, async () => ({
        id,
        ...(await lifecycle.update(id, before, news, context)),
      }));
    },
    read(id, props, context) {
      forget(id, context);
      return lifecycle.read(id, props, context);
    },
    async delete(id, props, context) {
      await lifecycle.delete(id, props, context);
      forget(id, context);
    },
  };
}

/** The last attempt with the same arguments: others are of another resource, or of another run. Hidden inputs depend on the verb. */
function retryRecordOf(
  inputs: Props,
  { processCache, urn = "" }: Context,
): RetryRecord | undefined {
  const last = processCache.retryRecords.get(urn);
  return last && sameValue(visibleOf(last.inputs), visibleOf(inputs)) ? last : undefined;
}

async function recording<Result extends { readonly id: string; readonly outs: Props }>(
  verb: NonNullable<RetryRecord["verb"]>,
  inputs: Props,
  context: Context,
  operation: () => Promise<Result>,
): Promise<Result> {
  const { retryRecords } = context.processCache;
  const { urn = "" } = context;
  const last = retryRecordOf(inputs, context);
  try {
    const result = await operation();
    const { id, outs } = result;
    retryRecords.set(urn, { verb, inputs, id, outs, hasFailed: false });
    // An engine that follows a create by an update clears the error itself (pulumi/pulumi, 3.264).
    if (last?.hasFailed && last.verb === verb) context.log.info(KEPT_ERRORS);
    return result;
  } catch (error) {
    // The engine forgets what the first attempt kept where a retry ends in another error.
    const isLost = last?.hasFailed && !(error instanceof InitializationFailure);
    const failure = isLost
      ? new InitializationFailure(last.id, last.outs, [messageOf(error)])
      : error;
    if (failure instanceof InitializationFailure)
      retryRecords.set(urn, {
        verb,
        inputs,
        id: failure.id,
        outs: failure.properties,
        hasFailed: true,
      });
    throw failure;
  }
}

const KEPT_ERRORS =
  "Pulumi keeps the error of the first attempt in the state: the next `pulumi up` shows an update, which sends nothing and removes it";

/** A delete and a read may have the URN from before a rename. */
function forget(id: string, { processCache: { retryRecords } }: Context): void {
  for (const [urn, attempt] of retryRecords) if (attempt.id === id) retryRecords.delete(urn);
}

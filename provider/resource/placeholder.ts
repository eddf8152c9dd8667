import { announce } from "./announcement";
import type { Lifecycle } from "./lifecycle";
import { isPlaceholder } from "./indeterminate-create";

/**
 * Replaces what only has a placeholder id: a POST may have created it, and the next create looks for it. Until then there
 * is nothing on the service to read or to delete.
 */
export function replacingPlaceholder(lifecycle: Lifecycle): Lifecycle {
  return {
    ...lifecycle,
    diff(id, olds, news, context) {
      if (!isPlaceholder(id)) return lifecycle.diff(id, olds, news, context);
      const { urn = "", processCache } = context;
      processCache.retryRecords.set(urn, {
        verb: "create",
        inputs: {},
        id,
        outs: olds,
        hasFailed: true,
      });
      if (processCache.existing.has(urn)) announce(context, LOOKS_FOR);
      processCache.replaced.add(urn);
      return { changes: true, replaces: ["id"], deleteBeforeReplace: true };
    },
    async read(id, props, context) {
      if (!isPlaceholder(id)) return lifecycle.read(id, props, context);
      return { id, props, inputs: props };
    },
    async delete(id, props, context) {
      if (!isPlaceholder(id)) return lifecycle.delete(id, props, context);
      context.log.warn(NOTHING_DELETED);
    },
  };
}

const LOOKS_FOR =
  "its create was never confirmed: an update looks for what that request created, and creates it only if there is none";

const NOTHING_DELETED =
  "nothing is deleted: its create was never confirmed. To destroy what that request may have created, run `pulumi up` before `pulumi destroy`";

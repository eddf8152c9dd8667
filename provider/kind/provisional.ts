import { announce } from "./announcement";
import type { Lifecycle } from "./lifecycle";
import { isProvisional } from "./unconfirmed";

/**
 * Replaces what only has a provisional id: a POST may have created it, and the next create looks for it. Until then there
 * is nothing on the service to read or to delete.
 */
export function replacingProvisional(lifecycle: Lifecycle): Lifecycle {
  return {
    ...lifecycle,
    diff(id, olds, news, context) {
      if (!isProvisional(id)) return lifecycle.diff(id, olds, news, context);
      const { urn = "", memory } = context;
      memory.attempts.set(urn, { verb: "create", inputs: {}, id, outs: olds, hasFailed: true });
      if (memory.existing.has(urn)) announce(context, LOOKS_FOR);
      memory.replaced.add(urn);
      return { changes: true, replaces: ["id"], deleteBeforeReplace: true };
    },
    async read(id, props, context) {
      if (!isProvisional(id)) return lifecycle.read(id, props, context);
      return { id, props, inputs: props };
    },
    async delete(id, props, context) {
      if (!isProvisional(id)) return lifecycle.delete(id, props, context);
      context.log.warn(NOTHING_DELETED);
    },
  };
}

const LOOKS_FOR =
  "its create was never confirmed: an update looks for what that request created, and creates it only if there is none";

const NOTHING_DELETED =
  "nothing is deleted: its create was never confirmed. To destroy what that request may have created, run `pulumi up` before `pulumi destroy`";

import type { Props } from "../arguments/props";
import type { Context } from "./context";
import type { Lifecycle } from "./lifecycle";

const PREFIX = "unconfirmed:";

/**
 * The id of what a POST without a response may have created, while the service does not say whether it did. The state
 * keeps it, so that the next create knows of that POST. Nothing on the service has it.
 */
export function placeholderId(name: string): string {
  return PREFIX + name;
}

export function isPlaceholder(id: string): boolean {
  return id.startsWith(PREFIX);
}

/**
 * Replaces what only has a placeholder id: a POST may have created it, and the next create looks for it. Until then there
 * is nothing on the service to read. `find` resolves to the id of what is deleted with it, by the key of that POST.
 */
export function replacingPlaceholder(
  lifecycle: Lifecycle,
  find: (key: string, props: Props, context: Context) => Promise<string | undefined>,
): Lifecycle {
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
      if (processCache.existing.has(urn)) processCache.announcements.set(urn, LOOKS_FOR);
      processCache.replaced.add(urn);
      return { changes: true, replaces: ["id"], deleteBeforeReplace: true };
    },
    async read(id, props, context) {
      if (!isPlaceholder(id)) return lifecycle.read(id, props, context);
      return { id, props, inputs: props };
    },
    async delete(id, props, context) {
      if (!isPlaceholder(id)) return lifecycle.delete(id, props, context);
      // The create that follows in a replacement looks for it.
      if (context.processCache.replaced.has(context.urn ?? "")) return;
      const created = await find(id.slice(PREFIX.length), props, context);
      if (created !== undefined) await lifecycle.delete(created, props, context);
    },
  };
}

const LOOKS_FOR =
  "its create was never confirmed: an update looks for what that request created, and creates it only if there is none";

import { comparisonsOf } from "../arguments/changes";
import { isEmpty, type Props, valueAt } from "../arguments/props";
import type { Context } from "./context";
import { refuseElsewhere } from "./find";
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
 * Replaces what only has a placeholder id: a POST may have created it, and the next create looks for it, where it is one of the
 * same thing. Until then there is nothing on the service to read. `find` resolves to the id of what is deleted with it, by the
 * key of that POST.
 */
export function replacingPlaceholder(
  lifecycle: Lifecycle,
  find: (key: string, props: Props, context: Context) => Promise<string | undefined>,
): Lifecycle {
  const { immutable, same } = comparisonsOf(lifecycle.arguments);
  const isSameThing = (olds: Props, news: Props): boolean =>
    immutable.every((path) => same(path, valueAt(news, path), valueAt(olds, path)));
  return {
    ...lifecycle,
    async check(olds, news, context) {
      const checked = await lifecycle.check(olds, news, context);
      const { urn = "", processCache } = context;
      const record = processCache.retryRecords.get(urn);
      if (!record || !isPlaceholder(record.id) || !isEmpty(olds)) return checked;
      // A replacement is checked once more as a new one, which may derive another name.
      const { inputs = news } = checked;
      if (isSameThing(record.outs, inputs))
        processCache.retryRecords.set(urn, { ...record, inputs });
      else processCache.retryRecords.delete(urn);
      return checked;
    },
    diff(id, olds, news, context) {
      if (!isPlaceholder(id)) return lifecycle.diff(id, olds, news, context);
      const { urn = "", processCache } = context;
      // A refresh asks for a diff without a check before it, and replaces nothing.
      if (processCache.existing.has(urn)) {
        const isSame = isSameThing(olds, news);
        // The create goes on with it as with an attempt of this run: one that fails keeps the placeholder.
        if (isSame)
          processCache.retryRecords.set(urn, { inputs: news, id, outs: olds, hasFailed: true });
        processCache.announcements.set(urn, isSame ? LOOKS_FOR : DELETES);
        processCache.replaced.add(urn);
      }
      return { changes: true, replaces: ["id"], deleteBeforeReplace: true };
    },
    async read(id, props, context) {
      if (!isPlaceholder(id)) return lifecycle.read(id, props, context);
      const { tenantId: _workspace, baseUrl: _url, ...inputs } = props;
      return { id, props, inputs };
    },
    async delete(id, props, context) {
      if (!isPlaceholder(id)) return lifecycle.delete(id, props, context);
      const key = id.slice(PREFIX.length);
      refuseElsewhere(`find '${key}', which may have been created`, props, context);
      // The create that follows in a replacement looks for it, also under another URN after a rename.
      if ([...context.processCache.retryRecords.values()].some((one) => one.id === id)) return;
      const created = await find(key, props, context);
      if (created !== undefined) await lifecycle.delete(created, props, context);
    },
  };
}

const LOOKS_FOR =
  "its create was never confirmed: an update looks for what that request created, and creates it only if there is none";
const DELETES =
  "its create was never confirmed: an update deletes what that request created, if it did, and creates this one";

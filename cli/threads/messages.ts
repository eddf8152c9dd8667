import { isDeepStrictEqual } from "node:util";
import { isRecord, recordOf } from "../../shared/records";

type StoredMessage = Record<string, unknown> & { id: string };

/** A message as every server stores it, with its id. */
export function isMessage(value: unknown): value is StoredMessage {
  if (!isRecord(value) || !("content" in value)) return false;
  return typeof value["type"] === "string" && typeof value["id"] === "string";
}

/** A list that a graph keeps by the ids of its messages. */
export function isMessages(value: unknown): value is StoredMessage[] {
  return Array.isArray(value) && value.length > 0 && value.every(isMessage);
}

/**
 * The members of a message that say something, the same from every server: servers differ in the empty ones, and the Python
 * server moves these two, which it does not know in a message that it is sent, into `additional_kwargs`.
 */
export function essentialOf(message: StoredMessage): Record<string, unknown> {
  const { usage_metadata, invalid_tool_calls, ...others } = recordOf(message["additional_kwargs"]);
  const members = Object.entries({
    ...message,
    additional_kwargs: others,
    usage_metadata: message["usage_metadata"] ?? usage_metadata,
    invalid_tool_calls: isEmpty(message["invalid_tool_calls"])
      ? invalid_tool_calls
      : message["invalid_tool_calls"],
  });
  return Object.fromEntries(
    members.filter(([name, member]) => name === "content" || !isEmpty(member)),
  );
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === false) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

/** The messages that are new or have changed, and the removal of those that are gone. */
export function changedMessages(before: unknown, after: unknown): unknown[] {
  const olds = new Map((isMessages(before) ? before : []).map((message) => [message.id, message]));
  const news = isMessages(after) ? after : [];
  const kept = new Set(news.map(({ id }) => id));
  const changed = news.filter((message) => !isDeepStrictEqual(olds.get(message.id), message));
  return [
    ...[...olds.keys()].filter((id) => !kept.has(id)).map(removalOf),
    ...changed.map(essentialOf),
  ];
}

/** What replaces all messages of a list. */
export function replacingMessages(messages: readonly StoredMessage[]): unknown[] {
  return [removalOf("__remove_all__"), ...messages.map(essentialOf)];
}

/** The Python server requires the content. */
function removalOf(id: string): Record<string, unknown> {
  return { type: "remove", id, content: "" };
}

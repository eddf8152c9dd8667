import { randomUUID } from "node:crypto";
import type { Message, StateUpdate } from "../../sdk/schema/thread";
import { InvalidRequest } from "./errors";

const DEFAULTS = { additional_kwargs: {}, response_metadata: {}, name: null, example: false };
const AI_DEFAULTS = { tool_calls: [], invalid_tool_calls: [], usage_metadata: null };

/** The type of a message that removes another, and the id that removes all. */
const REMOVE = "remove";
const ALL = "__remove_all__";

/** Adds the members of a stored message that are missing (contract, "Message objects"). */
export function completeMessage(message: Message): Message {
  if (message.type === REMOVE) return message;
  return {
    ...DEFAULTS,
    ...(message.type === "ai" ? AI_DEFAULTS : {}),
    ...message,
    id: message.id ?? randomUUID(),
  };
}

/**
 * Adds messages to a conversation, as the real servers do: a message replaces the one with its id, and one of type
 * `remove` removes it at the end.
 */
function addMessages(conversation: Message[], added: Message[]): Message[] {
  const last = added.findLastIndex(({ type, id }) => type === REMOVE && id === ALL);
  if (last >= 0) return addMessages([], added.slice(last + 1));
  const byId = new Map(conversation.map((message) => [message.id, message]));
  const removed = new Set<Message["id"]>();
  for (const message of added) {
    if (message.type !== REMOVE) {
      byId.set(message.id, message);
      removed.delete(message.id);
    } else if (byId.has(message.id)) removed.add(message.id);
    else throw new InvalidRequest(`cannot remove message '${message.id ?? ""}': it does not exist`);
  }
  return [...byId.values()].filter(({ id }) => !removed.has(id));
}

/** The values after an update whose messages are complete: messages are added, other keys overwritten. */
export function applyUpdate(values: StateUpdate, update: StateUpdate): StateUpdate {
  if (update.messages === undefined) return { ...values, ...update };
  return {
    ...values,
    ...update,
    messages: addMessages(values.messages ?? [], update.messages),
  };
}

/** The writes of a node in one superstep, unchanged: messages that remove others are included. */
export function joinWrites(before: StateUpdate, update: StateUpdate): StateUpdate {
  const messages = [...(before.messages ?? []), ...(update.messages ?? [])];
  return { ...before, ...update, ...(messages.length > 0 && { messages }) };
}

import { randomUUID } from "node:crypto";
import type { Message, StateUpdate } from "../../sdk/schema/thread";

const DEFAULTS = { additional_kwargs: {}, response_metadata: {}, name: null, example: false };
const AI_DEFAULTS = { tool_calls: [], invalid_tool_calls: [], usage_metadata: null };

/** Gives a message all that a stored one carries (contract, "Message objects"); what it has is kept. */
export function completeMessage(message: Message): Message {
  return {
    ...DEFAULTS,
    ...(message.type === "ai" ? AI_DEFAULTS : {}),
    ...message,
    id: message.id ?? randomUUID(),
  };
}

/**
 * Adds messages to a conversation. One whose id is there already takes that one's place, as the real servers have it, so
 * that an id names one message.
 */
function addMessages(conversation: Message[], added: Message[]): Message[] {
  const byId = new Map([...conversation, ...added].map((message) => [message.id, message]));
  return [...byId.values()];
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

import type { FC } from "hono/jsx";
import { isRecord, textOf } from "../../shared/records";
import { shorten } from "../../shared/shorten";
import { Json } from "./json";
import { Markdown } from "./markdown";
import { plain } from "./words";

const ROLES = new Map([
  ["human", "Human"],
  ["user", "Human"],
  ["ai", "Assistant"],
  ["assistant", "Assistant"],
  ["AIMessageChunk", "Assistant"],
  ["system", "System"],
  ["tool", "Tool"],
]);

const LONGEST = 20_000;

/** A conversation as people read it: who said what, with tool calls and their results folded. */
export const Conversation: FC<{ messages: readonly unknown[] }> = ({ messages }) => {
  const records = messages.filter(isRecord);
  const results = new Map(
    records
      .filter(({ type }) => type === "tool")
      .map((message) => [textOf(message["tool_call_id"]), message]),
  );
  const calls = new Set(records.flatMap((message) => callsOf(message).map(({ id }) => id)));
  // A result is shown with its call.
  const shown = records.filter((message) => {
    const callId = textOf(message["tool_call_id"]);
    return message["type"] !== "tool" || callId === undefined || !calls.has(callId);
  });
  return (
    <ol class="conversation" aria-label="Conversation">
      {shown.map((message) => (
        <MessageItem message={message} results={results} />
      ))}
    </ol>
  );
};

const MessageItem: FC<{
  message: Record<string, unknown>;
  results: ReadonlyMap<string | undefined, Record<string, unknown>>;
}> = ({ message, results }) => {
  const type = textOf(message["type"]) ?? textOf(message["role"]) ?? "message";
  const role = ROLES.get(type) ?? plain(type);
  const name = textOf(message["name"]);
  return (
    <li class={`message ${(ROLES.get(type) ?? "other").toLowerCase()}`}>
      <p class="role">
        {role}
        {name && <small>{plain(name)}</small>}
      </p>
      <Content content={message["content"]} isTool={role === "Tool"} />
      {callsOf(message).map(({ id, name: tool, args }) => (
        <details class="call">
          <summary>
            Calls <code>{plain(tool)}</code>
            <small>{results.has(id) ? "with its result" : "no result yet"}</small>
          </summary>
          <p class="role">Arguments</p>
          <Json value={typeof args === "string" ? (recordOrList(args) ?? args) : args} />
          {results.has(id) && <p class="role">Result</p>}
          {results.has(id) && <Content content={results.get(id)?.["content"]} isTool />}
        </details>
      ))}
    </li>
  );
};

/** Text, or blocks of text and other things. Tools answer with JSON or plain text, others write Markdown. */
const Content: FC<{ content: unknown; isTool: boolean }> = ({ content, isTool }) => {
  if (content === "" || content === undefined || content === null) return null;
  if (typeof content === "string") return <Text text={content} isTool={isTool} />;
  if (!Array.isArray(content)) return <Json value={content} />;
  return (
    <>
      {content.map((block: unknown) => {
        const text = isRecord(block) ? textOf(block["text"]) : textOf(block);
        if (text !== undefined) return <Text text={text} isTool={isTool} />;
        const kind = isRecord(block) ? (textOf(block["type"]) ?? "block") : "block";
        if (kind === "tool_use" || kind === "tool_call") return null;
        return (
          <details>
            <summary>{plain(kind)}</summary>
            <Json value={block} />
          </details>
        );
      })}
    </>
  );
};

const Text: FC<{ text: string; isTool: boolean }> = ({ text, isTool }) => {
  if (!isTool) return <Markdown text={shorten(text, LONGEST)} />;
  const value = recordOrList(text);
  return value === undefined ? <PlainText text={text} /> : <Json value={value} />;
};

/** Text as it was written, its line breaks included. */
export const PlainText: FC<{ text: string }> = ({ text }) => (
  <p class="text">{plain(shorten(text, LONGEST))}</p>
);

/** Undefined for text that is not the JSON of a record or a list. */
export function recordOrList(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function callsOf(message: Record<string, unknown>) {
  const calls = message["tool_calls"];
  return (Array.isArray(calls) ? calls : []).filter(isRecord).map((call) => {
    const inner = isRecord(call["function"]) ? call["function"] : call;
    return {
      id: textOf(call["id"]),
      name: textOf(inner["name"]) ?? "tool",
      args: inner["args"] ?? inner["arguments"] ?? {},
    };
  });
}

import type { RunValues } from "../../sdk";
import { isRecord, recordOf, textOf } from "../../shared/records";
import { type Expectation, meets, valueIn } from "./expectation";

/** The verdict on a run, and what came of it, in words. */
export interface Verdict {
  readonly isPass: boolean;
  readonly came: string;
}

/**
 * The verdict on the values after a run. A status of 200 means nothing: runs that failed, were interrupted or were cancelled
 * have it too. A cancelled one ends with the message of the human.
 */
export function verdictOf(values: RunValues, expectation: Expectation): Verdict {
  const { __error__: error, __interrupt__: interrupt } = values;
  if (error !== undefined) return { isPass: false, came: `the run failed: ${errorText(error)}` };
  if (interrupt !== undefined)
    return { isPass: false, came: `the run was interrupted: ${JSON.stringify(interrupt)}` };
  const messages: readonly unknown[] = Array.isArray(values.messages) ? values.messages : [];
  const last = recordOf(messages.at(-1));
  const isAnswer = last["type"] === "ai";
  const { path } = expectation;
  if (!isAnswer && !(path && messages.length === 0))
    return { isPass: false, came: `no answer: ${lastMessage(last)}` };
  const value = path ? valueIn(values, path) : textIn(last["content"]);
  const came = typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing");
  return { isPass: meets(value, expectation), came };
}

function lastMessage(message: Readonly<Record<string, unknown>>): string {
  if (Object.keys(message).length === 0) return "the state has no messages";
  return `the last message is of type '${textOf(message["type"])}': ${textIn(message["content"])}`;
}

/** The text of a message, whose content is a string or blocks. */
function textIn(content: unknown): string {
  if (!Array.isArray(content)) return textOf(content) ?? "";
  const blocks: readonly unknown[] = content;
  return blocks.map((block) => textOf(block) ?? textOf(recordOf(block)["text"]) ?? "").join("");
}

function errorText(error: unknown): string {
  if (!isRecord(error)) return textOf(error) ?? JSON.stringify(error);
  return [error["error"], error["message"]].map(textOf).filter(Boolean).join(": ");
}

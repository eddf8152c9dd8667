import { stripVTControlCharacters } from "node:util";
import { z } from "zod";
import type { LogLevel } from "../../../logs/logs";

/** Takes what a server prints: a line, or a record of its log, whose text may have several lines. */
export type OutputLog = (text: string, level?: LogLevel) => void;

const LEVELS = new Map<string, LogLevel>([
  ["warn", "WARNING"],
  ["warning", "WARNING"],
  ["error", "ERROR"],
  ["critical", "ERROR"],
]);

/** A record as both real servers print it with `LOG_JSON`; in Python's the traceback is apart. */
const Entry = z.object({ level: z.string(), event: z.string(), exception: z.string().optional() });

/** Reads a line of output; one that is not a record has no level. A record's colours are JSON in the line, and go here. */
export function readOutput(line: string): { readonly text: string; readonly level?: LogLevel } {
  const entry = Entry.safeParse(parseJson(line)).data;
  if (!entry) return { text: line };
  const { event, exception, level } = entry;
  const text = [event.trim(), ...(exception ? [exception] : [])].join("\n");
  return { text: stripVTControlCharacters(text), level: LEVELS.get(level.toLowerCase()) ?? "INFO" };
}

/** The value of a line of JSON; undefined if it is none. */
export function parseJson(line: string): unknown {
  try {
    return line.startsWith("{") ? JSON.parse(line) : undefined;
  } catch {
    return undefined;
  }
}

import { isOrigin } from "../local/http/origin";
import { momentIn } from "../shared/moment";

/** The type of an option's value. */
export interface ValueType<Value> {
  /** Completes the sentence "--port must be …". */
  readonly description: string;
  /** Undefined for a text that is not such a value. */
  readonly parse: (text: string) => Value | undefined;
}

export const PORT = number("a port, 0 to 65535", (value) => isWhole(value) && value <= 65_535);
export const SECONDS = number("a number of seconds, 0 or more", (value) => value >= 0);
export const COUNT = number("a whole number from 1", (value) => isWhole(value) && value >= 1);
export const FOLDER = string("a folder", (text) => text !== "");
export const ADDRESS = string("an address", (text) => text !== "");
export const ORIGIN = string("an origin, such as http://localhost:3000", isOrigin);
export const URL_TEXT = string("a URL, such as https://host", (text) => URL.canParse(text));
export const TEXT = string("a string that is not empty", (text) => text !== "");
export const MEMBER: ValueType<readonly [string, string]> = {
  description: "a key and a value, such as customer=42",
  parse: (text) => {
    const [, key, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    return key === undefined || value === undefined ? undefined : [key, value];
  },
};
export const UUID = string("a UUID", isUuid);
export const MOMENT = string(
  "a time span, such as 45s, 10m, 2h or 3d, or a time in ISO 8601",
  (text) => SPAN.test(text) || (/^\d{4}-/.test(text) && !Number.isNaN(Date.parse(text))),
);

/** The longest wait of a command, unless its option says otherwise. */
export const TIMEOUT_SECONDS = 1800;
export const HOW_LONG = `how long to wait at most (default: ${TIMEOUT_SECONDS})`;

const SPAN = /^(\d+)([smhd])$/;
const SECONDS_IN: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** The time of a `MOMENT`, of which a time span is before `now`. */
export function momentOf(text: string, now: Date): Date {
  const [, count, unit = ""] = SPAN.exec(text) ?? [];
  if (count === undefined) return new Date(momentIn(text));
  return new Date(now.getTime() - Number(count) * (SECONDS_IN[unit] ?? 0) * 1000);
}

/** Whether a text is a UUID. */
export function isUuid(text: string): boolean {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);
}

/** One of these values. */
export function oneOf<const Value extends string>(values: readonly Value[]): ValueType<Value> {
  return {
    description: values.join(" or "),
    parse: (text) => values.find((value) => value === text),
  };
}

function string(description: string, isValid: (text: string) => boolean): ValueType<string> {
  return { description, parse: (text) => (isValid(text) ? text : undefined) };
}

function number(description: string, isValid: (value: number) => boolean): ValueType<number> {
  const parse = (text: string) => {
    const value = text.trim() === "" ? NaN : Number(text);
    return Number.isFinite(value) && isValid(value) ? value : undefined;
  };
  return { description, parse };
}

function isWhole(value: number): boolean {
  return Number.isInteger(value) && value >= 0;
}

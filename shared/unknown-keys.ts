import { nearest } from "./nearest";

/** The names that messages use for the keys of one object. */
interface Naming {
  /** @default "argument" */
  readonly noun?: string;
  /** A prefix of each key: `wait.`. @default "" */
  readonly prefix?: string;
  /** What stands around the known key. @default "" */
  readonly quote?: string;
}

/**
 * A message for each key that is not a known one, most of them misspelt: `unknown argument 'wait.untill'; did you mean
 * wait.until?`. Only a known key that is near is suggested.
 */
export function unknownKeys(
  keys: readonly string[],
  known: readonly string[],
  { noun = "argument", prefix = "", quote = "" }: Naming = {},
): string[] {
  return keys
    .filter((key) => !known.includes(key))
    .map((key) => {
      const meant = nearest(key, known);
      const question =
        meant === undefined ? "" : `; did you mean ${quote}${prefix}${meant}${quote}?`;
      return `unknown ${noun} '${prefix}${key}'${question}`;
    });
}

import { distance } from "fastest-levenshtein";

/** Characters of a name for each mistake that is allowed in it. */
const CHARACTERS_PER_MISTAKE = 2.5;

/**
 * The name that was probably meant: the one with the fewest mistakes, if they are few for its length, else the only one
 * that has it in it: `baseUrl` for `url`.
 */
export function nearest(given: string, names: readonly string[]): string | undefined {
  const [first] = names
    .map((name) => ({ name, mistakes: mistakesIn(given.toLowerCase(), name.toLowerCase()) }))
    .filter(({ mistakes }) => mistakes <= Math.max(1, given.length / CHARACTERS_PER_MISTAKE))
    .toSorted((a, b) => a.mistakes - b.mistakes);
  const [only, ...others] = names.filter((name) => contains(name, given) || contains(given, name));
  return first?.name ?? (others.length === 0 ? only : undefined);
}

function contains(text: string, part: string): boolean {
  return part.length > 2 && text.toLowerCase().includes(part.toLowerCase());
}

/** Of lower-case names. Two characters that have changed places are one mistake. */
function mistakesIn(given: string, name: string): number {
  const edits = distance(given, name);
  return edits === 2 && sorted(given) === sorted(name) ? 1 : edits;
}

function sorted(text: string): string {
  return Array.from(text).toSorted().join("");
}

/** The longest quotation of a service's text in a message. Characters. */
const LONGEST_QUOTE = 2_000;

/** The beginning of a text, and how much is left out: `… (4998000 more characters)`. Redact first: half a secret is not found. */
export function shorten(text: string, longest = LONGEST_QUOTE): string {
  const rest = text.length - longest;
  return rest > 0 ? `${text.slice(0, longest)} … (${rest} more characters)` : text;
}

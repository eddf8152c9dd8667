/**
 * The moment that a text of ISO 8601 names, in milliseconds since 1970; NaN for any other text. One without an offset is in
 * UTC, as servers mean it, and not in the time zone of this machine.
 */
export function momentIn(text: string): number {
  return Date.parse(/^[\d-]+[T ][\d:.]+$/i.test(text) ? `${text}Z` : text);
}

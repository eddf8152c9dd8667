const SHORTEST_MASKED = 8;

/**
 * Hides secret values in text. Values under 8 characters stay: hiding a `1` or a `true` would make a log unreadable.
 * Each line of a value of several lines (a private key) is hidden too, since a log is cut into lines.
 */
export function mask(text: string, secrets: readonly { value: string }[]): string {
  return secrets
    .flatMap(({ value }) => [value, ...value.split(/\r?\n/)])
    .filter((value) => value.length >= SHORTEST_MASKED)
    .toSorted((a, b) => b.length - a.length)
    .reduce((masked, value) => masked.replaceAll(value, "***"), text);
}

/** Builds a path with percent-encoded values. Throws for an empty value, `.` and `..`, which would name another path. */
export function path(parts: TemplateStringsArray, ...values: readonly string[]): string {
  for (const value of values)
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`'${value}' is not valid in a path`);
  return String.raw({ raw: parts }, ...values.map(encodeURIComponent));
}

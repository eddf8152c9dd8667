/** Builds a path whose values are percent-encoded; a value that is empty, `.` or `..` would name another path. */
export function path(parts: TemplateStringsArray, ...values: readonly string[]): string {
  for (const value of values)
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`'${value}' can't be part of a path`);
  return String.raw({ raw: parts }, ...values.map(encodeURIComponent));
}

/** Builds a path with percent-encoded values. Throws for one that is not valid in a path. */
export function path(parts: TemplateStringsArray, ...values: readonly string[]): string {
  for (const value of values)
    if (!isSegment(value)) throw new TypeError(`'${value}' is not valid in a path`);
  return String.raw({ raw: parts }, ...values.map(encodeURIComponent));
}

/** An empty value, `.` and `..` would name another path; half of a surrogate pair has no encoding. */
export const isSegment = (value: string): boolean =>
  value.isWellFormed() && !/^\.{0,2}$/.test(value);

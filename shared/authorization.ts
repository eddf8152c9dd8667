/** The token of a value of the header `Authorization`, such as `Bearer eyJ…`; undefined for what is none. */
export function tokenIn(value: string): string | undefined {
  return /^(?:Bearer|Basic) (\S+)$/i.exec(value)?.[1];
}

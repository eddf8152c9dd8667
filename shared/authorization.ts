/** The token of a value of the header `Authorization`, such as `Bearer eyJ…`; undefined for what is none. */
export function tokenIn(value: string): string | undefined {
  return /^(?:Bearer|Basic) (\S+)$/i.exec(value)?.[1];
}

/** What a server may repeat of such a value: the token alone, and of Basic (RFC 7617) the password in it. */
export function secretsIn(value: string): string[] {
  const token = tokenIn(value);
  if (token === undefined) return [];
  if (!/^basic /i.test(value)) return [token];
  const credentials = Buffer.from(token, "base64").toString();
  return [token, credentials.slice(credentials.indexOf(":") + 1)];
}

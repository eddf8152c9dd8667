/** Whether a string is an origin as browsers send it: scheme, host and port, without a path. */
export function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

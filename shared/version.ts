/** Whether a version, such as `0.16.7`, is this one or a newer one, by as many numbers as the oldest has. */
export function isAtLeast(version: string, oldest: string): boolean {
  const numbers = version.split(".").map(Number);
  const needed = oldest.split(".").map(Number);
  const at = needed.findIndex((number, index) => number !== (numbers[index] ?? 0));
  return at === -1 || (numbers[at] ?? 0) > (needed[at] ?? 0);
}

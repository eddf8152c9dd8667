/** Says what the set-up is doing. On stderr: stdout belongs to the command that comes after it. */
export const report = (line) => console.error(line);

/** The time since `since` (milliseconds, as `Date.now()` gives them), for people: `4.2 s`, `3 min 5 s`. */
export function elapsed(since) {
  const seconds = (Date.now() - since) / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}

/** Whether this process is Pulumi's of dynamic providers: a program or a test may load its modules too. */
export const IS_PULUMIS = /[\\/]dynamic-provider[\\/]/.test(require.main?.filename ?? "");

/**
 * Ends Pulumi's process of dynamic providers with its engine, which closes stdin: no result is needed then, and after a
 * `kill -9` of the command line nobody else ends it.
 */
export function endWithEngine(): void {
  if (IS_PULUMIS) process.stdin.resume().once("end", () => process.exit());
}

import type { StackState } from "./stack-state";

/**
 * Shares what is read among those who ask at the same time. Nobody gets what was read before it asked: that may not show
 * its own create yet.
 */
export function sharedReader(
  read: (urn: string) => Promise<StackState>,
): (urn: string) => Promise<StackState> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<StackState> | undefined;
  return (urn) => {
    if (next !== undefined) return next;
    const reading = running.then(() => {
      next = undefined;
      return read(urn);
    });
    running = reading.catch(() => undefined);
    return (next = reading);
  };
}
